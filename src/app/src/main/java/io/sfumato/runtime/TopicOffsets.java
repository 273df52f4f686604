// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/** Offsets of topics: where they begin and end. */
public final class TopicOffsets {
  private static final String ASKED = "find the topics' offsets";

  private final ClusterCalls calls;
  private final Admin admin;

  TopicOffsets(ClusterCalls calls, Admin admin) {
    this.calls = calls;
    this.admin = admin;
  }

  /** The first offsets that are there. */
  public Map<TopicPartition, Long> beginnings(Collection<TopicPartition> partitions)
      throws RefusedException {
    return find(ASKED, partitions, OffsetSpec.earliest(), new ListOffsetsOptions());
  }

  /** The first offsets that are there, of all partitions of topics that exist. */
  public Map<TopicPartition, Long> beginningsOf(List<String> topics) throws RefusedException {
    return beginnings(partitionsOf(topics));
  }

  /** The offsets after the last records. */
  public Map<TopicPartition, Long> ends(Collection<TopicPartition> partitions)
      throws RefusedException {
    return find(ASKED, partitions, OffsetSpec.latest(), new ListOffsetsOptions());
  }

  /** The offsets after the last records that are not part of an open transaction. */
  public Map<TopicPartition, Long> committedEnds(Collection<TopicPartition> partitions)
      throws RefusedException {
    return ends(partitions, IsolationLevel.READ_COMMITTED);
  }

  private Map<TopicPartition, Long> find(
      String asked, Collection<TopicPartition> partitions, OffsetSpec spec, ListOffsetsOptions how)
      throws RefusedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitions.forEach(partition -> specs.put(partition, spec));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    calls
        .callUntilKnown(asked, () -> admin.listOffsets(specs, how).all())
        .forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  /** Waits until no transaction is open on the topics: what can be read is all there will be. */
  public void awaitSettled(List<String> topics, Duration timeout) throws RefusedException {
    List<TopicPartition> partitions = partitionsOf(topics);
    long deadline = System.nanoTime() + timeout.toNanos();
    while (!ends(partitions, IsolationLevel.READ_COMMITTED)
        .equals(ends(partitions, IsolationLevel.READ_UNCOMMITTED))) {
      if (System.nanoTime() > deadline) {
        throw new RefusedException(
            ExitCode.FAILED,
            "a transaction is still open after %d s; try again".formatted(timeout.toSeconds()));
      }
      Cluster.pause(ClusterCalls.RETRY);
    }
  }

  private Map<TopicPartition, Long> ends(
      Collection<TopicPartition> partitions, IsolationLevel isolation) throws RefusedException {
    return find(
        "find the topics' ends",
        partitions,
        OffsetSpec.latest(),
        new ListOffsetsOptions(isolation));
  }

  /** The newest timestamp in topics, those that exist; nothing if they hold no record. */
  public OptionalLong newestTimestamp(List<String> topics) throws RefusedException {
    Map<TopicPartition, OffsetSpec> specs = new HashMap<>();
    partitionsOf(topics).forEach(partition -> specs.put(partition, OffsetSpec.maxTimestamp()));
    return calls.callUntilKnown(ASKED, () -> admin.listOffsets(specs).all()).values().stream()
        .mapToLong(ListOffsetsResultInfo::timestamp)
        .filter(time -> time >= 0)
        .max();
  }

  /** All partitions of topics that exist. */
  public List<TopicPartition> partitionsOf(List<String> topics) throws RefusedException {
    List<TopicPartition> partitions = new ArrayList<>();
    calls
        .describe(topics)
        .forEach(
            (topic, description) ->
                description
                    .partitions()
                    .forEach(p -> partitions.add(new TopicPartition(topic, p.partition()))));
    return partitions;
  }
}
