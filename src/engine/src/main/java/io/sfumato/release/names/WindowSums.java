// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.schema.CountedName;
import java.util.List;

/**
 * Of windows' own counts.
 *
 * @param intervals of one name that was found
 */
record WindowSums(FoundIntervals intervals) implements SumIntervals {
  /** Of a count that was rounded to the next whole number. */
  private static final double ROUNDED = 0.5;

  /** How often the truth may lie outside an interval. */
  private static final double MISSED = 0.05;

  /**
   * Noises on counts of names that were public are independent and symmetric: where each is within
   * w_i in 95 of 100 cases, their sum is within {@code sqrt(sum of w_i^2)}, exactly so where they
   * are normal and more often where they have Laplace's law.
   *
   * <p>Errors of names that were just found are neither, given that they were found. Each of them
   * has an interval of its own, and so have all others together: of n such intervals each misses in
   * one of {@code 20 n} cases, so that all of them hold, and their sum does, in 95 of 100
   * (Bonferroni).
   */
  @Override
  public CountInterval of(List<ListedCount> counts) {
    List<CountedName> all = counts.stream().map(ListedCount::counted).toList();
    List<CountedName> found = all.stream().filter(CountedName::getFound).toList();
    List<CountedName> known = all.stream().filter(each -> !each.getFound()).toList();
    int n = found.size() + (known.isEmpty() ? 0 : 1);
    long low = 0;
    long high = 0;
    for (CountedName each : found) {
      CountInterval truth = intervals.of(each, MISSED / 2 / n);
      low += truth.low();
      high += truth.high();
    }
    long sum = known.stream().mapToLong(CountedName::getCount).sum();
    double half = halfWidth(known, n);
    low += (long) Math.ceil(sum - half);
    high += (long) Math.floor(sum + half);
    return new CountInterval(low, Math.max(low, high));
  }

  /** Of which the sum of all errors misses in one of {@code 20 n} cases at most. */
  private static double halfWidth(List<CountedName> known, int n) {
    double squares = 0;
    for (CountedName each : known) {
      // The upper end was rounded down, and the count by half of one at most.
      double width = each.getHigh() - each.getCount() + 1 + ROUNDED;
      squares += width * width;
    }
    // Tails of Laplace's law are the longest of all these: e^(-x/b) = p at x = b ln(1/p).
    double longer = StrictMath.log(n / MISSED) / StrictMath.log(1 / MISSED);
    return ROUNDED * known.size() + longer * Math.sqrt(squares);
  }
}
