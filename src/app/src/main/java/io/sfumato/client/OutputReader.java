// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.runtime.ClientErrors;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.text.NearName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads topics from their beginning, committed records only. */
public final class OutputReader {
  static final Duration POLL = Duration.ofMillis(200);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final int MOST_NAMES = 12;

  private final KafkaSettings settings;

  public OutputReader(KafkaSettings settings) {
    this.settings = settings;
  }

  /** Whether to go on after the last record. */
  public enum Ending {
    AT_END,
    NEVER
  }

  /**
   * Reads every record of the topics.
   *
   * @param reader returns false to stop
   */
  public void read(
      List<String> topics, Ending ending, Predicate<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    read(topics, ending, () -> true, reader);
  }

  /**
   * Reads every record of the topics.
   *
   * @param idle is called whenever all that was there at first has been read and nothing more came
   * @param reader returns false to stop
   */
  public void read(
      List<String> topics,
      Ending ending,
      Runnable idle,
      Predicate<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    read(topics, ending, () -> true, idle, reader);
  }

  /** Where the topics end now: a place to begin reading what comes later. */
  public Map<TopicPartition, Long> ends(List<String> topics) throws RefusedException {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      return consumer.endOffsets(partitions(consumer, topics));
    } catch (KafkaException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads the topics from some place on, until it is told to stop.
   *
   * @param from of {@link #ends}
   * @param goOn is asked after every poll, also when nothing came
   * @param reader returns false to stop
   */
  public void readFrom(
      Map<TopicPartition, Long> from,
      BooleanSupplier goOn,
      Predicate<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      consumer.assign(from.keySet());
      from.forEach(consumer::seek);
      boolean more = true;
      while (more && !Thread.currentThread().isInterrupted()) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
          more = more && reader.test(record);
        }
        more = more && goOn.getAsBoolean();
      }
    } catch (KafkaException e) {
      throw unreadable(e);
    }
  }

  /**
   * Reads every record of the topics.
   *
   * @param goOn is asked after every poll, also when nothing came
   * @param reader returns false to stop
   */
  public void read(
      List<String> topics,
      Ending ending,
      BooleanSupplier goOn,
      Predicate<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    read(topics, ending, goOn, () -> {}, reader);
  }

  private void read(
      List<String> topics,
      Ending ending,
      BooleanSupplier goOn,
      Runnable idle,
      Predicate<ConsumerRecord<byte[], byte[]>> reader)
      throws RefusedException {
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = partitions(consumer, topics);
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      boolean more = true;
      while (more && !Thread.currentThread().isInterrupted()) {
        ConsumerRecords<byte[], byte[]> came = consumer.poll(POLL);
        for (ConsumerRecord<byte[], byte[]> record : came) {
          more = more && reader.test(record);
        }
        boolean atEnd = partitions.stream().allMatch(p -> consumer.position(p) >= ends.get(p));
        if (more && atEnd && (came.isEmpty() || ending == Ending.AT_END)) {
          idle.run();
        }
        more = more && goOn.getAsBoolean() && (ending == Ending.NEVER || !atEnd);
      }
    } catch (KafkaException e) {
      throw unreadable(e);
    }
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        settings.consumer(), new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * All partitions of every topic: to read some of them alone would look like reading all.
   *
   * @throws RefusedException if a topic is not there, nor comes within seconds
   */
  public List<TopicPartition> partitions(Consumer<byte[], byte[]> consumer, List<String> topics)
      throws RefusedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic : topics) {
      List<PartitionInfo> found = consumer.partitionsFor(topic);
      // A topic that was made a moment ago is not known to every broker yet.
      while (found.isEmpty() && System.nanoTime() < deadline) {
        Cluster.pause(POLL);
        found = consumer.partitionsFor(topic);
      }
      if (found.isEmpty()) {
        throw new RefusedException(
            ExitCode.REFUSED_CLUSTER,
            "no topic '%s' at %s. A pipeline creates its output topics at its first run; check the name%s"
                .formatted(
                    topic,
                    settings.bootstrapServers(),
                    others(topic, consumer.listTopics().keySet())));
      }
      found.forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    return partitions;
  }

  /** Names that may be meant: the nearest one, and some of all. */
  static String others(String topic, Set<String> there) {
    List<String> names =
        there.stream()
            .filter(name -> !name.startsWith("__") && !name.startsWith("sfumato-"))
            .sorted()
            .toList();
    if (names.isEmpty()) {
      return "";
    }
    String shown = String.join(", ", names.stream().limit(MOST_NAMES).toList());
    return NearName.of(topic, names).map(". Did you mean '%s'?"::formatted).orElse(".")
        + " Topics there: "
        + shown
        + (names.size() > MOST_NAMES ? " and %,d more".formatted(names.size() - MOST_NAMES) : "");
  }

  RefusedException unreadable(KafkaException e) {
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "cannot read from %s: %s%s"
            .formatted(
                settings.bootstrapServers(),
                ClientErrors.words(e, settings),
                e instanceof TimeoutException
                    ? ". Check that the cluster is up and --bootstrap-servers is right"
                    : ""));
  }
}
