// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.estimate.partitionselection.CountInterval;
import io.sfumato.schema.CountedName;
import io.sfumato.schema.NamesRelease;
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
  private NamesTogether() {}

  /**
   * A name over all subjects.
   *
   * @param count sum of its counts
   * @param low the truth lies between low and high with probability 95% at least
   * @param high at least low
   * @param lists in how many subjects' lists it stands, at least 1
   */
  public record Sum(String name, long count, long low, long high, int lists) {}

  /** One name's counts. */
  private record Counts(String name, long sum, List<ListedCount> counts) {
    private static Counts of(List<ListedCount> counts) {
      return new Counts(
          counts.get(0).counted().getName(),
          counts.stream().mapToLong(each -> each.counted().getCount()).sum(),
          counts);
    }
  }

  private static final Comparator<Counts> LARGEST =
      Comparator.comparingLong(Counts::sum)
          .reversed()
          .thenComparing(Counts::name, LargestNames.BY_BYTES);

  /**
   * The names with the largest sums.
   *
   * @param lists a whole list of each subject, of one window
   * @param origins of their names
   * @param intervals of sums
   * @param most rows, at least 1
   */
  public static List<Sum> largest(
      Collection<NamesRelease> lists, Origins origins, SumIntervals intervals, int most) {
    Map<String, List<ListedCount>> byName = new TreeMap<>();
    for (NamesRelease list : lists) {
      for (CountedName name : list.getNames()) {
        byName
            .computeIfAbsent(name.getName(), any -> new ArrayList<>())
            .add(new ListedCount(list, name, origins.of(list, name.getName())));
      }
    }
    return byName.values().stream()
        .map(Counts::of)
        .sorted(LARGEST)
        .limit(most)
        .map(counts -> sum(counts, intervals))
        .toList();
  }

  /** Of one list its own interval says most. */
  private static Sum sum(Counts of, SumIntervals intervals) {
    CountedName only = of.counts().get(0).counted();
    CountInterval truth =
        of.counts().size() == 1
            ? new CountInterval(only.getLow(), only.getHigh())
            : intervals.of(of.counts());
    return new Sum(of.name(), of.sum(), truth.low(), truth.high(), of.counts().size());
  }
}
