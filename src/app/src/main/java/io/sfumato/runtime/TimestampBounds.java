// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;

/**
 * How far the Kafka timestamps of what a pipeline writes may lie from the brokers' time. Journal,
 * changelogs, outputs, refusals and dead letters carry those of the records and candidates that
 * were read: a topic that takes less than theirs lets one record stop the pipeline until its time
 * has come, and one that takes nothing old stops it after a rest.
 *
 * @param after how far beyond the brokers' time the topics that are read take a timestamp,
 *     milliseconds
 */
public record TimestampBounds(long after) {
  private static final String TYPE = "message.timestamp.type";
  private static final String AFTER = "message.timestamp.after.max.ms";
  private static final String BEFORE = "message.timestamp.before.max.ms";
  private static final long UNBOUNDED = Long.MAX_VALUE;

  /** What topics are set to that the program makes. */
  static final Map<String, String> SETTINGS =
      Map.of(AFTER, Long.toString(UNBOUNDED), BEFORE, Long.toString(UNBOUNDED));

  /**
   * Of a pipeline.
   *
   * @param configs of topics, among them those that it reads, as far as they are there
   */
  public static TimestampBounds of(Pipeline pipeline, Map<String, Config> configs) {
    return new TimestampBounds(
        read(pipeline).stream()
            .filter(configs::containsKey)
            .mapToLong(topic -> after(configs.get(topic)))
            .max()
            .orElse(0));
  }

  /** Topics whose timestamps go on. Not that of commands: operators' programs stamp those. */
  static List<String> read(Pipeline pipeline) {
    List<String> read = new ArrayList<>(pipeline.input().topics().names());
    if (!pipeline.queries().isEmpty()) {
      read.add(pipeline.candidatesTopic());
    }
    return read;
  }

  /** Whether records of a pipeline go to a topic with the timestamps of those that were read. */
  public static boolean isWritten(Pipeline pipeline, String topic) {
    return Names.isInternalTo(pipeline.applicationId(), topic)
        || pipeline.writtenTopics().contains(topic);
  }

  private static boolean isStamped(Config config) {
    return "LogAppendTime".equals(config.get(TYPE).value());
  }

  private static long after(Config config) {
    return isStamped(config) ? 0 : bound(config, AFTER);
  }

  /** Brokers before 3.6 have no such bounds. */
  private static long bound(Config config, String setting) {
    return Optional.ofNullable(config.get(setting))
        .map(ConfigEntry::value)
        .map(Long::parseLong)
        .orElse(UNBOUNDED);
  }

  /**
   * A topic that takes too little.
   *
   * @param topic by name
   * @param found settings that are too small, with what they are
   */
  public record Lack(String topic, Map<String, Long> found) {
    /** What it has, in the settings' own words. */
    public String what() {
      return String.join(
          ", ", found.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
    }

    /** What mends it. */
    public String fix(TopicCommand command) {
      Map<String, String> unbounded = new TreeMap<>();
      found.keySet().forEach(name -> unbounded.put(name, Long.toString(UNBOUNDED)));
      return command.set(topic, unbounded);
    }

    String sentence(TopicCommand command) {
      return "%s has %s: %s".formatted(topic, what(), fix(command));
    }
  }

  /** Whether a topic that is written takes too little. */
  public Optional<Lack> lack(String topic, Config config) {
    Map<String, Long> found = new TreeMap<>();
    if (!isStamped(config)) {
      if (bound(config, AFTER) < after) {
        found.put(AFTER, bound(config, AFTER));
      }
      // Whatever is old when it is read is older when it is written.
      if (bound(config, BEFORE) < UNBOUNDED) {
        found.put(BEFORE, bound(config, BEFORE));
      }
    }
    return found.isEmpty() ? Optional.empty() : Optional.of(new Lack(topic, found));
  }
}
