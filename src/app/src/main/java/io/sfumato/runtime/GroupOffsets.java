// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.topology.context.Names;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/** The offsets of a pipeline's group: from where its instances read each topic. */
public final class GroupOffsets {
  private final Cluster cluster;
  private final ClusterCalls calls;
  private final Admin admin;
  private final Pipeline pipeline;
  private final String group;

  GroupOffsets(Cluster cluster, ClusterCalls calls, Admin admin, Pipeline pipeline) {
    this.cluster = cluster;
    this.calls = calls;
    this.admin = admin;
    this.pipeline = pipeline;
    this.group = pipeline.applicationId();
  }

  /**
   * Commits the beginning of every topic as the group's start, once, so that consumers can run with
   * {@code auto.offset.reset = none} ever after: an offset that is lost later stops the pipeline
   * instead of counting records twice.
   *
   * @throws RefusedException if there is a ledger, but the group has lost offsets
   */
  public void establish() throws RefusedException {
    establish(Set.of());
  }

  /**
   * The same for a version that takes over.
   *
   * @param joining topics that this version is the first to read
   * @throws RefusedException if there is a ledger, but the group has lost offsets
   */
  public void establish(Set<String> joining) throws RefusedException {
    List<TopicPartition> missing = missing();
    if (missing.isEmpty()) {
      return;
    }
    Set<String> existing = calls.topics();
    List<TopicPartition> lost =
        missing.stream().filter(partition -> !joining.contains(partition.topic())).toList();
    if (existing.stream().anyMatch(name -> Names.isChangelogOf(group, name))
        && !wereNeverAsked(lost)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          ("the ledger of budget '%s' exists, but group '%s' has no committed offsets for %s. "
                  + "Possible causes: (1) the file names another pipeline or input topic than the "
                  + "budget was started with: restore it, or carry the ledger over (sfumato "
                  + "ledger export OLD --for NEW, sfumato ledger import NEW). (2) The offsets "
                  + "were deleted, reset or have expired; reading from the start would count "
                  + "records twice: 'sfumato offsets FILE --restore' sets them to the state's. "
                  + "(3) An import was interrupted: run it again")
              .formatted(
                  pipeline.budget().name(),
                  group,
                  new TreeSet<>(lost.stream().map(TopicPartition::toString).toList())));
    }
    if (lost.size() < missing.size() && cluster.groups().hasMembers(group)) {
      throw new RefusedException(
          ExitCode.STOPPED,
          "topics %s join with this version, and instances of an earlier version run: stop them first, then start this one again"
              .formatted(new TreeSet<>(joining)));
    }
    commitBeginnings(missing);
  }

  /** Of a version that is the first to answer queries: there is nothing that was read before. */
  private boolean wereNeverAsked(List<TopicPartition> missing) throws RefusedException {
    return missing.stream().allMatch(p -> p.topic().equals(pipeline.candidatesTopic()))
        && cluster.offsets().ends(missing).values().stream().allMatch(end -> end == 0);
  }

  /** Commits the beginning of every topic as the start of a group that has none. */
  public void begin() throws RefusedException {
    List<TopicPartition> missing = missing();
    if (!missing.isEmpty()) {
      commitBeginnings(missing);
    }
  }

  /** Every partition that the group reads. */
  public List<TopicPartition> partitions() throws RefusedException {
    List<String> topics = new ArrayList<>(pipeline.input().topics().names());
    topics.add(pipeline.controlTopic());
    topics.addAll(Names.journalTopics(pipeline));
    if (!pipeline.queries().isEmpty()) {
      topics.add(pipeline.candidatesTopic());
    }
    return cluster.offsets().partitionsOf(topics);
  }

  /** Where the group goes on; partitions without an offset are not in it. */
  public Map<TopicPartition, Long> committed() throws RefusedException {
    return committed(new ListConsumerGroupOffsetsOptions());
  }

  /**
   * The same when no transaction is about to move it.
   *
   * @param patience for one that is
   * @throws RefusedException if it stays open
   */
  public Map<TopicPartition, Long> settled(Duration patience) throws RefusedException {
    long deadline = System.nanoTime() + patience.toNanos();
    ListConsumerGroupOffsetsOptions stable =
        new ListConsumerGroupOffsetsOptions().requireStable(true);
    // Of a partition that is about to be moved the answer says nothing.
    Map<TopicPartition, Long> settled = committed(stable);
    while (!settled.keySet().containsAll(committed().keySet())) {
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED,
            "offsets of '%s' are in a transaction that is still open after %d s: a stalled instance may still commit it; try again"
                .formatted(group, patience.toSeconds()));
      }
      Cluster.pause(ClusterCalls.RETRY);
      settled = committed(stable);
    }
    return settled;
  }

  private Map<TopicPartition, Long> committed(ListConsumerGroupOffsetsOptions how)
      throws RefusedException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    calls
        .call(
            "read the group's offsets",
            admin.listConsumerGroupOffsets(group, how).partitionsToOffsetAndMetadata())
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                offsets.put(partition, offset.offset());
              }
            });
    return offsets;
  }

  /**
   * Whether every partition has an offset, and the record that it names is there, or to come. Other
   * threads may go on meanwhile: all that is asked here moves forward only, so beginnings are asked
   * for first, and ends last.
   */
  public boolean areReadable() throws RefusedException {
    List<TopicPartition> partitions = partitions();
    Map<TopicPartition, Long> beginnings = cluster.offsets().beginnings(partitions);
    Map<TopicPartition, Long> committed = committed();
    Map<TopicPartition, Long> ends = cluster.offsets().ends(partitions);
    return partitions.stream()
        .allMatch(
            partition ->
                committed.containsKey(partition)
                    && committed.get(partition) >= beginnings.get(partition)
                    && committed.get(partition) <= ends.get(partition));
  }

  /**
   * Sets offsets of a group whose instances are stopped.
   *
   * @throws RefusedException if one of them runs
   */
  public void set(Map<TopicPartition, Long> offsets) throws RefusedException {
    if (cluster.groups().hasMembers(group)) {
      throw new RefusedException(
          ExitCode.FAILED,
          "instances of '%s' are running: stop them first; nothing was changed".formatted(group));
    }
    Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
    offsets.forEach((partition, offset) -> start.put(partition, new OffsetAndMetadata(offset)));
    calls.callUntilKnown(
        "set the group's offsets", () -> admin.alterConsumerGroupOffsets(group, start).all());
  }

  private List<TopicPartition> missing() throws RefusedException {
    Map<TopicPartition, Long> committed = committed();
    return partitions().stream().filter(p -> !committed.containsKey(p)).toList();
  }

  private void commitBeginnings(List<TopicPartition> missing) throws RefusedException {
    Map<TopicPartition, OffsetAndMetadata> start = new HashMap<>();
    cluster
        .offsets()
        .beginnings(missing)
        .forEach((partition, offset) -> start.put(partition, new OffsetAndMetadata(offset)));
    calls.callUntilKnown(
        "commit the start offsets", () -> admin.alterConsumerGroupOffsets(group, start).all());
  }
}
