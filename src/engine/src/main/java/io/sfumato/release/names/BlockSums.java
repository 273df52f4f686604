// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.estimate.partitionselection.RunningNameBars;
import io.sfumato.estimate.partitionselection.RunningNameSums;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.schema.NamesRelease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * Of counts over the windows of a block. A name that was found in it has noise that is known to
 * have passed, as long as the block lasts: how it came to its list is asked, not only whether it
 * did so just now.
 */
final class BlockSums implements SumIntervals {
  /** What two roundings, of a count and of the upper end, leave open. */
  private static final double ROUNDED = 1.5;

  private final TestSchedule tests;
  private final RunningNameSums sums;

  BlockSums(RunningDiscovery plan) {
    this.tests = plan.tests();
    this.sums = new RunningNameSums(plan);
  }

  @Override
  public CountInterval of(List<ListedCount> counts) {
    RunningNameBars.Interval truth = sums.of(counts.stream().map(this::count).toList());
    long low = (long) Math.ceil(truth.low());
    return new CountInterval(low, Math.max(low, (long) Math.floor(truth.high())));
  }

  /**
   * A count as the plan knows it, or unknown if its published upper end is not the plan's: then
   * windows were left out, or another plan made it.
   */
  private RunningNameSums.Count count(ListedCount of) {
    RunningNameSums.Count count = asPlanned(of);
    double high = of.counted().getCount() + sums.halfWidth(count);
    boolean isAsPlanned = Math.abs(high - of.counted().getHigh()) <= ROUNDED;
    return isAsPlanned ? count : unknown(of);
  }

  private RunningNameSums.Count asPlanned(ListedCount of) {
    NamesRelease list = of.list();
    long told = of.counted().getCount();
    int window = windowOf(list, list.getWindowStart());
    if (window > tests.windows()) {
      return unknown(of);
    }
    if (of.origin() instanceof Origin.Before) {
      return new RunningNameSums.Known(told, window);
    }
    if (of.origin() instanceof Origin.FoundIn found) {
      int at = windowOf(list, found.windowStart());
      // What passed while the list was full is told as soon as there is room.
      if (at <= window && tests.after(at)) {
        return new RunningNameSums.Found(told, tests.of(at), found.count(), window - at);
      }
    }
    return unknown(of);
  }

  private static RunningNameSums.Count unknown(ListedCount of) {
    long told = of.counted().getCount();
    return new RunningNameSums.Unknown(told, of.counted().getHigh() - told + ROUNDED);
  }

  /** A window's place in the list's block, from 1. */
  private static int windowOf(NamesRelease list, Instant start) {
    Duration size = Duration.between(list.getWindowStart(), list.getWindowEnd());
    return Math.toIntExact(Duration.between(list.getSince(), start).dividedBy(size) + 1);
  }
}
