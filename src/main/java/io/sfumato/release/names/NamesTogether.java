// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

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
   * @param most rows, at least 1
   */
  public static List<Sum> largest(Collection<List<CountedName>> lists, int most) {
    Map<String, List<CountedName>> byName = new TreeMap<>();
    for (List<CountedName> list : lists) {
      for (CountedName name : list) {
        byName.computeIfAbsent(name.getName(), any -> new ArrayList<>()).add(name);
      }
    }
    return byName.values().stream().map(NamesTogether::sum).sorted(LARGEST).limit(most).toList();
  }

  /**
   * One name's sum. Noises on counts of names that were public are independent and symmetric: where
   * each is within w_i in 95 of 100 cases, their sum is within sqrt(sum of w_i^2), exactly so where
   * they are normal and more than that where they have Laplace's law. Errors of names that were
   * just found are neither, given that they were found: the ends of their intervals are added,
   * which is more than is needed (NamesTogetherTest).
   */
  static Sum sum(List<CountedName> counts) {
    String name = counts.get(0).getName();
    if (counts.size() == 1) {
      CountedName only = counts.get(0);
      return new Sum(name, only.getCount(), only.getLow(), only.getHigh(), 1);
    }
    long count = 0;
    long low = 0;
    long high = 0;
    double known = 0;
    double squares = 0;
    double rounded = 0;
    for (CountedName each : counts) {
      count += each.getCount();
      if (each.getFound()) {
        low += each.getLow();
        high += each.getHigh();
      } else {
        known += each.getCount();
        rounded += ROUNDED;
        // The upper end was rounded down, and the count by half of one at most.
        double width = each.getHigh() - each.getCount() + 1 + ROUNDED;
        squares += width * width;
      }
    }
    double half = rounded + Math.sqrt(squares);
    low += Math.max(0, (long) Math.ceil(known - half));
    high += Math.max(0, (long) Math.floor(known + half));
    return new Sum(name, count, low, Math.max(low, high), counts.size());
  }
}
