// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.HangingTransaction;
import io.sfumato.runtime.HangingTransactions;
import io.sfumato.runtime.OwnTopics;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.TopicPartition;

/**
 * Which of the transactions that stay open in a pipeline's own topics will never end. A cluster
 * that broke one in two has published a part of it: to abort the rest could take back what is
 * charged, or what is counted.
 */
final class HangingTransactionCheck {
  private static final String SUBJECT = "hanging transactions";

  private static final String FIX =
      "do not abort it: the rest of it may be committed, and an abort drops what it wrote here. "
          + "Nothing is lost while the pipeline waits or is stopped. Restore the topics from a "
          + "backup or mirror, or carry the ledger over to a new pipeline: see "
          + HangingTransaction.PAGE;

  private final Set<String> topics;
  private final Cluster cluster;
  private final String servers;

  /** Whoever answers which transactions hang. */
  @FunctionalInterface
  interface Cluster {
    /** As {@link HangingTransactions#among}. */
    HangingTransactions.Answer among(Set<TopicPartition> partitions, Duration longest)
        throws RefusedException;
  }

  /**
   * @param servers for the commands
   */
  HangingTransactionCheck(Pipeline pipeline, Cluster cluster, String servers) {
    this.topics = OwnTopics.names(pipeline);
    this.cluster = cluster;
    this.servers = servers;
  }

  /** How long brokers let a transaction live. */
  static Duration longest(Collection<Config> brokers) {
    return brokers.stream()
        .map(config -> config.get("transaction.max.timeout.ms"))
        .flatMap(setting -> Optional.ofNullable(setting).map(ConfigEntry::value).stream())
        .map(value -> Duration.ofMillis(Long.parseLong(value)))
        .max(Duration::compareTo)
        .orElse(HangingTransactions.LONGEST);
  }

  /**
   * Looks.
   *
   * @param open partitions that a transaction stays open in, by topic
   * @param longest that a transaction lives
   * @param hanging is given the partitions that one hangs in
   */
  List<Finding> findings(
      Map<String, List<Integer>> open, Duration longest, Set<TopicPartition> hanging)
      throws RefusedException {
    Set<TopicPartition> own =
        open.entrySet().stream()
            .filter(topic -> topics.contains(topic.getKey()))
            .flatMap(
                topic -> topic.getValue().stream().map(p -> new TopicPartition(topic.getKey(), p)))
            .collect(Collectors.toSet());
    if (own.isEmpty()) {
      return List.of();
    }
    HangingTransactions.Answer answer = cluster.among(own, longest);
    Map<String, List<HangingTransaction>> found = new TreeMap<>();
    for (HangingTransaction one : answer.hanging()) {
      hanging.add(one.partition());
      found.computeIfAbsent(one.partition().topic(), topic -> new ArrayList<>()).add(one);
    }
    List<Finding> findings = new ArrayList<>();
    found.forEach((topic, those) -> findings.add(Finding.problem(topic, words(those), FIX)));
    findings.addAll(gaps(answer));
    return findings;
  }

  private static String words(List<HangingTransaction> those) {
    return "a transaction hangs (%s): Kafka ended it and wrote no marker here, so records after it stay hidden and the pipeline, or its readers, wait"
        .formatted(
            those.stream()
                .map(
                    one ->
                        "%s, last written %s"
                            .formatted(
                                one.words(), Instant.ofEpochMilli(one.producer().lastTimestamp())))
                .collect(Collectors.joining("; ")));
  }

  private List<Finding> gaps(HangingTransactions.Answer answer) {
    List<Finding> gaps = new ArrayList<>();
    if (!answer.unread().isEmpty()) {
      gaps.add(
          Finding.warning(
              SUBJECT,
              "not checked: no READ on, or no leader of, " + String.join(", ", answer.unread()),
              "look as a principal that may: kafka-transactions.sh --bootstrap-server %s --command-config admin.properties find-hanging --topic TOPIC"
                  .formatted(servers)));
    }
    if (answer.hasHiddenIds()) {
      gaps.add(
          Finding.warning(
              SUBJECT,
              "not checked: no DESCRIBE on the pipeline's transactional ids",
              "run doctor with the application's rights: 'sfumato doctor FILE --rights PRINCIPAL' "
                  + "prints them"));
    }
    return gaps;
  }
}
