// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * The topics that a pipeline's records come from, in the order in which they joined. Each partition
 * of each topic is a source with a clock of its own and a number: topics keep their places, so
 * numbers never change, and of a single topic they are its partitions.
 *
 * @param topics at least one, each of another name
 */
public record SourceTopics(List<Topic> topics) {
  /**
   * One of them.
   *
   * @param name of the topic
   * @param id that the cluster gave it when it was made
   * @param partitions of it, at least 1
   * @param since start of the first window that counts its records, milliseconds since 1970; {@link
   *     #FROM_THE_BEGINNING} where that is the state's own beginning
   */
  public record Topic(String name, String id, int partitions, long since) {
    /** Of a topic that the state began with. */
    public static final long FROM_THE_BEGINNING = Long.MIN_VALUE;

    public Topic {
      if (partitions < 1) {
        throw new IllegalArgumentException("a topic has at least 1 partition");
      }
    }

    /** One that the state begins with. */
    public Topic(String name, String id, int partitions) {
      this(name, id, partitions, FROM_THE_BEGINNING);
    }

    /** The same as a version reads it that takes over. */
    public Topic joining(long time) {
      return new Topic(name, id, partitions, time);
    }

    /** The same under the id that the state knows it by. */
    public Topic withId(String known) {
      return new Topic(name, known, partitions, since);
    }
  }

  /**
   * @throws IllegalArgumentException if there is none, or a name comes twice
   */
  public SourceTopics {
    topics = List.copyOf(topics);
    if (topics.isEmpty() || topics.stream().map(Topic::name).distinct().count() < topics.size()) {
      throw new IllegalArgumentException("at least one topic, each of another name");
    }
  }

  /** A single topic. */
  public static SourceTopics of(String name, String id, int partitions) {
    return new SourceTopics(List.of(new Topic(name, id, partitions)));
  }

  /** Whether there is one topic alone. */
  public boolean isSingle() {
    return topics.size() == 1;
  }

  /** Number of sources: partitions of all topics. */
  public int count() {
    return topics.stream().mapToInt(Topic::partitions).sum();
  }

  /**
   * Number of partitions of journals, changelogs and outputs: Kafka Streams gives partition p of
   * every topic to task p, so it is the largest number of any topic.
   */
  public int journalPartitions() {
    return topics.stream().mapToInt(Topic::partitions).max().orElseThrow();
  }

  /** Names of the topics. */
  public List<String> names() {
    return topics.stream().map(Topic::name).toList();
  }

  /** The topic of a name. */
  public Optional<Topic> topic(String name) {
    return topics.stream().filter(topic -> topic.name().equals(name)).findFirst();
  }

  /**
   * The number of a source.
   *
   * @throws IllegalArgumentException if it is none of these
   */
  public int number(String topic, int partition) {
    int first = 0;
    for (Topic each : topics) {
      if (each.name().equals(topic) && partition >= 0 && partition < each.partitions()) {
        return first + partition;
      }
      first += each.partitions();
    }
    throw new IllegalArgumentException("no source is " + topic + "-" + partition);
  }

  /** Whether a partition is a source. */
  public boolean contains(TopicPartition place) {
    return topic(place.topic()).filter(topic -> place.partition() < topic.partitions()).isPresent();
  }

  /** The number of a source. */
  public int number(TopicPartition place) {
    return number(place.topic(), place.partition());
  }

  /** The topic and partition of a source. */
  public TopicPartition place(int number) {
    int first = 0;
    for (Topic topic : topics) {
      if (number < first + topic.partitions()) {
        return new TopicPartition(topic.name(), number - first);
      }
      first += topic.partitions();
    }
    throw new IllegalArgumentException("there are %d sources, none is %d".formatted(first, number));
  }

  /** Topic and partition of every source, by its number. */
  public List<TopicPartition> places() {
    List<TopicPartition> places = new ArrayList<>();
    for (Topic topic : topics) {
      for (int partition = 0; partition < topic.partitions(); partition++) {
        places.add(new TopicPartition(topic.name(), partition));
      }
    }
    return places;
  }

  /** Start of the first window that counts a source's records, as {@link Topic#since}. */
  public long since(int number) {
    return topic(place(number).topic()).orElseThrow().since();
  }

  /** A source in messages: its number where that is a partition, else its topic as well. */
  public String words(int number) {
    return isSingle() || number >= count() ? Integer.toString(number) : place(number).toString();
  }

  /** A span of a source's records, as an operator writes it. */
  public String text(RecordSpan span) {
    return span.text(place(span.source()));
  }
}
