// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.ops.RunningCounts.Wait;
import io.sfumato.topology.context.SpentShares;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/** How far the keeper partitions of this instance are, and what their subjects have spent. */
final class KeeperPartitions {
  private final RunningCounts.Listener listener;
  private final Map<Integer, ReleaseProgress> partitions = new ConcurrentHashMap<>();
  private final Map<Integer, Wait> waiting = new ConcurrentHashMap<>();
  private final Map<Integer, Map<String, SpentShares>> spent = new ConcurrentHashMap<>();

  KeeperPartitions(RunningCounts.Listener listener) {
    this.listener = listener;
  }

  /** A partition has released all through a window end. */
  void closed(int partition, long end) {
    ReleaseProgress before = partitions.getOrDefault(partition, ReleaseProgress.NONE);
    update(partition, progress -> progress.withReleased(end));
    if (before.released().isEmpty() || before.released().getAsLong() < end) {
      listener.closed(partition, end);
    }
  }

  /** A partition has come further. */
  void update(int partition, UnaryOperator<ReleaseProgress> change) {
    partitions.compute(
        partition,
        (p, progress) -> change.apply(progress == null ? ReleaseProgress.NONE : progress));
  }

  /** What a partition's subjects have spent of a share. */
  void spent(int partition, String share, SpentShares now) {
    spent.computeIfAbsent(partition, p -> new ConcurrentHashMap<>()).put(share, now);
  }

  /** A partition has released what is this version's. */
  void waits(int partition, Wait next) {
    if (!next.equals(waiting.put(partition, next))) {
      listener.waits(partition, next);
    }
  }

  /** A version was announced: what the partition waited for is old. */
  void resumes(int partition) {
    waiting.remove(partition);
  }

  /** A partition is another instance's. */
  void left(int partition) {
    partitions.remove(partition);
    waiting.remove(partition);
    spent.remove(partition);
  }

  Map<Integer, ReleaseProgress> progress() {
    return new TreeMap<>(partitions);
  }

  Map<Integer, Wait> waiting() {
    return new TreeMap<>(waiting);
  }

  /** By share, of all partitions together. */
  Map<String, SpentShares> spent() {
    Map<String, SpentShares> all = new TreeMap<>();
    spent.values().forEach(part -> part.forEach((s, n) -> all.merge(s, n, SpentShares::plus)));
    return all;
  }
}
