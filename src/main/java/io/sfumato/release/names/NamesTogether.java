// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.mechanism.discovery.CountInterval;
import io.sfumato.schema.CountedName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Names of several subjects' lists of one window together: their published counts are added, by
 * name. Post-processing: it costs nothing.
 *
 * <p>A name's interval is about the subjects in whose lists it stands. What others hold below their
 * thresholds is not in it, nor in the sum.
 */
public final class NamesTogether {
  /** Of a count that was rounded to the next whole number. */
  private static final double ROUNDED = 0.5;

  /** How often the truth may lie outside an interval. */
  private static final double MISSED = 0.05;

  private NamesTogether() {}

  /**
   * A name over all subjects.
   *
   * @param count sum of its counts
   * @param low at least 0; the truth lies between low and high with probability 95% at least
   * @param high at least low
   * @param lists in how many subjects' lists it stands, at least 1
   */
  public record Sum(String name, long count, long low, long high, int lists) {}

  private static final Comparator<Sum> LARGEST =
      Comparator.comparingLong(Sum::count)
          .reversed()
          .thenComparing(Sum::name, LargestNames.BY_BYTES);

  /**
   * The names with the largest sums.
   *
   * @param lists a whole list of each subject
   * @param found where the truth of names lies that were just found
   * @param most rows, at least 1
   */
  public static List<Sum> largest(
      Collection<List<CountedName>> lists, FoundIntervals found, int most) {
    Map<String, List<CountedName>> byName = new TreeMap<>();
    for (List<CountedName> list : lists) {
      for (CountedName name : list) {
        byName.computeIfAbsent(name.getName(), any -> new ArrayList<>()).add(name);
      }
    }
    return byName.values().stream()
        .map(counts -> sum(counts, found))
        .sorted(LARGEST)
        .limit(most)
        .toList();
  }

  /**
   * One name's sum. Noises on counts of names that were public are independent and symmetric: where
   * each is within w_i in 95 of 100 cases, their sum is within {@code sqrt(sum of w_i^2)}, exactly
   * so where they are normal and more often where they have Laplace's law.
   *
   * <p>Errors of names that were just found are neither, given that they were found. Each of them
   * has an interval of its own, and so have all others together: of n such intervals each misses in
   * one of {@code 20 n} cases, so that all of them hold, and their sum does, in 95 of 100
   * (Bonferroni).
   */
  static Sum sum(List<CountedName> counts, FoundIntervals intervals) {
    String name = counts.get(0).getName();
    if (counts.size() == 1) {
      CountedName only = counts.get(0);
      return new Sum(name, only.getCount(), only.getLow(), only.getHigh(), 1);
    }
    List<CountedName> found = counts.stream().filter(CountedName::getFound).toList();
    List<CountedName> known = counts.stream().filter(each -> !each.getFound()).toList();
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
    low += Math.max(0, (long) Math.ceil(sum - half));
    high += Math.max(0, (long) Math.floor(sum + half));
    long count = counts.stream().mapToLong(CountedName::getCount).sum();
    return new Sum(name, count, low, Math.max(low, high), counts.size());
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
