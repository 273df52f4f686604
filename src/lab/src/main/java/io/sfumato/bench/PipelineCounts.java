// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import io.sfumato.topology.context.PipelineMeters;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts what a pipeline does, whichever thread does it. */
final class PipelineCounts implements PipelineMeters {
  final LongAdder observed = new LongAdder();
  final LongAdder released = new LongAdder();

  /** Window end through which a partition has released everything. */
  private final Map<Integer, Long> closed = new ConcurrentHashMap<>();

  @Override
  public void observed(int records) {
    observed.add(records);
  }

  @Override
  public void released(int partition, String output) {
    released.increment();
  }

  @Override
  public void closed(int partition, long end) {
    closed.merge(partition, end, Math::max);
  }

  /** Partitions that have released every window that ends by then. */
  long closedThrough(long end) {
    return closed.values().stream().filter(through -> through >= end).count();
  }
}
