// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.Cluster;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.KafkaSettings;
import io.sfumato.runtime.RefusedException;
import io.sfumato.topology.StateReader;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.SourceTopics;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Whether a budget's state is the one that it began with. Kafka's tools reset an application by
 * deleting its topics, and a missing changelog comes back empty: only the registry, which survives
 * them, can tell that from a first start.
 */
final class BegunState {
  /** Longer than a transaction of an instance is open, and the brokers' next look, 10 s. */
  private static final Duration SETTLING = Duration.ofSeconds(30);

  private BegunState() {}

  /**
   * Refuses a start whose state lost topics or records since the budget began, or that a newer
   * program has worked on.
   *
   * @param begun what the budget's registry remembers
   * @param state as its topics hold it now
   * @throws RefusedException if charges may be lost or misread, with the ways forward
   */
  static void require(
      Pipeline pipeline, Begun begun, KafkaSettings settings, Cluster cluster, StateReader state)
      throws RefusedException {
    requireFormat(pipeline, begun);
    List<String> topics = Names.stateTopics(pipeline);
    Map<String, String> now = cluster.topics().ids(topics);
    List<String> lost = begun.lost(topics, now);
    if (!lost.isEmpty()) {
      throw lost(pipeline, "these state topics were deleted or re-created: " + lost);
    }
    List<String> truncated = truncated(changelogs(now.keySet().stream().toList()), cluster);
    if (!truncated.isEmpty()) {
      throw lost(
          pipeline,
          "the first records of these changelogs were deleted, by a command or by"
              + " cleanup.policy=delete: "
              + truncated);
    }
    requireEpochs(pipeline, begun, settings, cluster, state);
  }

  private static void requireEpochs(
      Pipeline pipeline, Begun begun, KafkaSettings settings, Cluster cluster, StateReader state)
      throws RefusedException {
    List<String> others = begun.otherEpochs(Begun.of(state));
    if (!others.isEmpty()) {
      // An instance that has just stopped may have committed what nobody can read yet.
      StateTopics topics = new StateTopics(pipeline);
      cluster.offsets().awaitSettled(topics.all(), SETTLING);
      others = begun.otherEpochs(Begun.of(topics.readMeta(settings, cluster)));
    }
    if (!others.isEmpty()) {
      throw lost(
          pipeline, "its topics hold the state of another copy: " + String.join(", ", others));
    }
  }

  static void requireFormat(Pipeline pipeline, Begun begun) throws RefusedException {
    if (begun.format() > Begun.FORMAT) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "a newer version of Sfumato has written the state of budget '%s' (format %d; this version reads %d): use the newer version here too. No data lost, no double charge"
              .formatted(pipeline.budget().name(), begun.format(), Begun.FORMAT));
    }
  }

  static List<String> changelogs(List<String> topics) {
    return topics.stream().filter(topic -> topic.endsWith("-changelog")).toList();
  }

  /** Changelogs that do not begin at offset 0: compaction never deletes a partition's beginning. */
  static List<String> truncated(List<String> changelogs, Cluster cluster) throws RefusedException {
    Map<String, Long> begins = new TreeMap<>();
    for (Map.Entry<TopicPartition, Long> partition :
        cluster.offsets().beginningsOf(changelogs).entrySet()) {
      begins.merge(partition.getKey().topic(), partition.getValue(), Math::max);
    }
    return begins.entrySet().stream()
        .filter(topic -> topic.getValue() > 0)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The records' topics with the ids that the state knows, on whichever cluster it began. */
  static SourceTopics sources(Begun begun, SourceTopics present) {
    return new SourceTopics(
        present.topics().stream().map(topic -> topic.withId(begun.recordsId(topic.id()))).toList());
  }

  private static RefusedException lost(Pipeline pipeline, String why) {
    return new RefusedException(
        ExitCode.STOPPED,
        ("budget '%s' was started before, but %s. Starting now would reset every budget and release"
                + " every window again with new noise, uncharged. Either restore the cluster from a"
                + " copy that has these topics, and if their ids differ run 'sfumato ledger adopt FILE"
                + " --topics'. Or continue with a new budget name and count everything up to a time as"
                + " spent: sfumato ledger fail-over NEW --former FILE. Or choose new names for the"
                + " pipeline and its budget and start with --accept-added-loss: the new loss adds to"
                + " the former one (the old budget keeps its share of an account, so name another"
                + " account). Do not export the ledger: it is incomplete")
            .formatted(pipeline.budget().name(), why));
  }

  /**
   * Creates the topics of the state that are missing and writes all of them into the registry, so
   * that a later start can tell whether they are the same. Called before anything is charged.
   *
   * @param partitions of each of them
   */
  static void remember(
      Pipeline pipeline, int partitions, KafkaSettings settings, Cluster cluster, NoiseKey key)
      throws RefusedException {
    Registry registry = new Registry(settings, pipeline.budget().name(), Optional.of(key));
    List<String> topics = Names.stateTopics(pipeline);
    Map<String, String> unnamed = new TreeMap<>();
    topics.forEach(topic -> unnamed.put(topic, ""));
    if (registry.read().mine().begun().covers(Begun.with(unnamed))) {
      return;
    }
    List<String> changelogs = changelogs(topics);
    cluster.pipelineTopics().createChangelogs(pipeline, changelogs, partitions);
    Map<String, String> ids = new TreeMap<>(cluster.topics().ids(topics));
    // None may be left out: its loss would not be noticed later.
    ids.putAll(cluster.topics().idsOfExisting(changelogs));
    registry.begin(Begun.with(ids));
  }
}
