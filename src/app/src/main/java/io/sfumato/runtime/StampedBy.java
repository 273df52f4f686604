// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import java.time.Duration;
import java.util.Optional;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;

/**
 * Who sets the Kafka timestamps of a records' topic. No clock runs further than {@code
 * window.max-ahead} beyond them, so that whoever sets them decides how far.
 *
 * @param topic of the records
 * @param trust in whom
 * @param after how far beyond their own clock brokers take a producer's timestamp
 * @param maxAhead how far beyond a timestamp a clock may run
 */
public record StampedBy(String topic, Trust trust, Duration after, Duration maxAhead) {
  private static final String TYPE = "message.timestamp.type";
  private static final String AFTER = "message.timestamp.after.max.ms";

  /** What brokers allow unless told otherwise. */
  private static final Duration LEAST_BOUND = Duration.ofHours(1);

  /** In whom. */
  public enum Trust {
    /** Brokers stamp records when they append them: {@code LogAppendTime}. */
    BROKERS,
    /** Producers do, and brokers take none that lies too far in the future. */
    PRODUCERS_WITHIN,
    /** Producers do, whatever they write. */
    PRODUCERS
  }

  /** As a topic's settings say it. */
  public static StampedBy of(Pipeline pipeline, String topic, Config settings) {
    long after =
        Optional.ofNullable(settings.get(AFTER))
            .map(ConfigEntry::value)
            .map(Long::parseLong)
            .orElse(Long.MAX_VALUE);
    Duration maxAhead = pipeline.window().maxAhead();
    Trust trust =
        "LogAppendTime".equals(settings.get(TYPE).value())
            ? Trust.BROKERS
            : after <= mostAhead(maxAhead).toMillis() ? Trust.PRODUCERS_WITHIN : Trust.PRODUCERS;
    return new StampedBy(topic, trust, Duration.ofMillis(after), maxAhead);
  }

  /**
   * How far the timestamps of producers may lie ahead of the broker's time in a topic that a run
   * accepts.
   *
   * @param maxAhead how far beyond a timestamp a clock may run
   */
  public static Duration mostAhead(Duration maxAhead) {
    return maxAhead.compareTo(LEAST_BOUND) > 0 ? maxAhead : LEAST_BOUND;
  }

  /** What is relied on where brokers do not stamp records; one line. */
  public Optional<String> reliance() {
    return switch (trust) {
      case BROKERS -> Optional.empty();
      case PRODUCERS_WITHIN ->
          Optional.of(
              "producers set the Kafka timestamps of %s: clocks may run %s ahead of them, and brokers accept timestamps up to %s=%d (ms) in the future. Releases carry these timestamps: old ones make retention delete records and releases early"
                  .formatted(topic, maxAhead, AFTER, after.toMillis()));
      case PRODUCERS ->
          Optional.of(
              "producers set the Kafka timestamps of %s, and brokers accept any (%s=%d): one record from the far future would close every window permanently, and Kafka cannot remove it"
                  .formatted(topic, AFTER, after.toMillis()));
    };
  }

  /** The command that mends it. */
  public String fix(TopicCommand command) {
    return command.set(topic, TYPE, "LogAppendTime");
  }

  /**
   * Refuses a topic that one record could shut.
   *
   * @param safety waived where the operator takes the risk
   * @param command for messages
   * @return what is relied on, if it is not the brokers
   * @throws RefusedException with the command that mends it
   */
  public Optional<String> require(Cluster.Safety safety, TopicCommand command)
      throws RefusedException {
    if (trust == Trust.PRODUCERS && safety == Cluster.Safety.REQUIRED) {
      throw new RefusedException(
          ExitCode.REFUSED_CLUSTER,
          reliance().orElseThrow() + ". Run: " + fix(command) + "; or say --accept-risk");
    }
    return reliance().map(relied -> "note: " + relied + ". Better: " + fix(command));
  }
}
