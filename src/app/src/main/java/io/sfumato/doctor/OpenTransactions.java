// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.doctor;

import io.sfumato.ledger.AccountLog;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.HeldOpen;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Transactions that stay open in the topics of a pipeline: what was written after one, whoever
 * began it, nobody is shown who reads committed records.
 *
 * <p>A pipeline at work has transactions open all the time in its journals, changelogs and outputs,
 * and a producer may have in the records; they end, and the place up to which all is settled moves
 * on. What stands still from the first of {@value #LOOKS} looks to the last, {@link #BETWEEN}
 * apart, as long as a pipeline takes for fifty commits (5 s), is held by somebody who stalls or
 * means to. Into registries and accounts hardly anybody writes, and for milliseconds: whatever is
 * open there at every look is held, be it one transaction or one after the other.
 */
final class OpenTransactions {
  /** Between two looks. */
  static final Duration BETWEEN = Duration.ofMillis(500);

  /** The first comes at once, so that there is no wait where nothing is open. */
  static final int LOOKS = 11;

  private final Map<String, TopicRole> roles;
  private final Ends ends;
  private final Runnable pause;

  /** Where topics end. */
  @FunctionalInterface
  interface Ends {
    /**
     * Asks for all at once.
     *
     * @return the offset after the last record that is shown under a level; without those
     *     partitions that the cluster does not tell of
     */
    Map<TopicPartition, Long> of(Set<TopicPartition> partitions, IsolationLevel level)
        throws RefusedException;
  }

  /**
   * @param pause waits for {@link #BETWEEN}
   */
  OpenTransactions(Pipeline pipeline, Ends ends, Runnable pause) {
    this.roles = TopicRole.of(pipeline);
    this.ends = ends;
    this.pause = pause;
  }

  /**
   * Looks until nothing is open, or it has been for long enough.
   *
   * @param partitions of the topics that the pipeline reads or owns
   * @return by topic the partitions that a transaction stays open in
   */
  Map<String, List<Integer>> held(Set<TopicPartition> partitions) throws RefusedException {
    Map<TopicPartition, Long> held = open(partitions);
    for (int look = 1; look < LOOKS && !held.isEmpty(); look++) {
      pause.run();
      Map<TopicPartition, Long> now = open(held.keySet());
      held.entrySet().removeIf(before -> !isStillHeld(before, now));
    }
    Map<String, List<Integer>> topics = new TreeMap<>();
    held.keySet().stream()
        .sorted((a, b) -> Integer.compare(a.partition(), b.partition()))
        .forEach(p -> topics.computeIfAbsent(p.topic(), t -> new ArrayList<>()).add(p.partition()));
    return topics;
  }

  private boolean isStillHeld(
      Map.Entry<TopicPartition, Long> before, Map<TopicPartition, Long> now) {
    Long settled = now.get(before.getKey());
    return settled != null && (isLog(before.getKey().topic()) || settled.equals(before.getValue()));
  }

  /** Up to where all is settled, where that is not the end. */
  private Map<TopicPartition, Long> open(Set<TopicPartition> partitions) throws RefusedException {
    // In this order: what is settled after an end that was seen before is no open transaction.
    Map<TopicPartition, Long> all = ends.of(partitions, IsolationLevel.READ_UNCOMMITTED);
    Map<TopicPartition, Long> open =
        new HashMap<>(ends.of(all.keySet(), IsolationLevel.READ_COMMITTED));
    open.entrySet().removeIf(settled -> settled.getValue() >= all.get(settled.getKey()));
    return open;
  }

  private boolean isLog(String topic) {
    return roles.getOrDefault(topic, TopicRole.CHANGELOG).isPublic();
  }

  /** Those that may end by themselves. */
  static Map<String, List<Integer>> without(
      Set<TopicPartition> hanging, Map<String, List<Integer>> held) {
    Map<String, List<Integer>> others = new TreeMap<>();
    held.forEach(
        (topic, partitions) -> {
          List<Integer> left =
              partitions.stream()
                  .filter(p -> !hanging.contains(new TopicPartition(topic, p)))
                  .toList();
          if (!left.isEmpty()) {
            others.put(topic, left);
          }
        });
    return others;
  }

  /**
   * What is said of it.
   *
   * @param held of {@link #held}
   * @param servers for the commands
   */
  List<Finding> findings(Map<String, List<Integer>> held, String servers) {
    List<Finding> findings = new ArrayList<>();
    held.forEach(
        (topic, partitions) -> {
          String found =
              "a transaction stays open (partition %s) and hides the records after it: %s"
                  .formatted(
                      String.join(", ", partitions.stream().map(String::valueOf).toList()),
                      hides(topic));
          String fix = new HeldOpen(topic, partitions.get(0), servers).fix();
          findings.add(
              stops(topic)
                  ? Finding.problem(topic, found, fix)
                  : Finding.warning(topic, found, fix));
        });
    return findings;
  }

  /**
   * Whether no start and no command goes on; of other topics the pipeline waits, or its readers.
   */
  private boolean stops(String topic) {
    TopicRole role = roles.getOrDefault(topic, TopicRole.CHANGELOG);
    return role == TopicRole.REGISTRY || role == TopicRole.ACCOUNTS;
  }

  private String hides(String topic) {
    if (topic.equals(AccountLog.TOPIC)) {
      return "it holds claims on accounts, which every start reads";
    }
    if (stops(topic)) {
      return "they may include a seal, a skipped record or a first start, so no pipeline starts "
          + "while it is open";
    }
    return switch (roles.getOrDefault(topic, TopicRole.CHANGELOG)) {
      case RECORDS, CONTROL, CANDIDATES -> "the pipeline waits for its end";
      case OUTPUT, REFUSALS, RELEASED, DEAD_LETTERS -> "readers of these outputs wait for its end";
      default ->
          "caused by a stalled instance, or by another principal that may write to the " + "topic";
    };
  }
}
