// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.Histogram;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What summaries are computed from: a private dataset as a pipeline keeps it, or public
 * pseudo-data. At least one record. For one thread.
 */
public final class SummaryData {
  private final NumberSums.Layout layout;
  private final NumberSums sums;
  private final Optional<Histogram> histogram;
  private final List<double[]> sample;

  /** Numbers of the sample by size, of the fields that were asked for. */
  private final Map<Integer, double[]> sorted = new HashMap<>();

  /**
   * @param layout of the sums
   * @param sums of the numbers; of pseudo-data without numbers the size alone
   * @param histogram where records have a category
   * @param sample rows of numbers, in any order; all records of pseudo-data
   * @throws IllegalArgumentException if the dataset is empty
   */
  public SummaryData(
      NumberSums.Layout layout,
      NumberSums sums,
      Optional<Histogram> histogram,
      List<double[]> sample) {
    if (sums.size() == 0 && histogram.map(Histogram::size).orElse(0L) == 0) {
      throw new IllegalArgumentException("an empty dataset has no summaries");
    }
    this.layout = layout;
    this.sums = sums;
    this.histogram = histogram;
    this.sample = List.copyOf(sample);
  }

  /**
   * Pseudo-data: rows of numbers, counts, or both.
   *
   * @throws IllegalArgumentException if there is nothing, or a number is not finite
   */
  public static SummaryData pseudo(
      NumberSums.Layout layout, List<double[]> rows, Optional<Histogram> counts) {
    NumberSums sums = layout.empty();
    for (double[] row : rows) {
      sums = sums.plus(layout, row);
    }
    return new SummaryData(layout, sums, counts, rows);
  }

  /** N of the records that have numbers, at least 1 where one of them is asked for. */
  long size() {
    return sums.size();
  }

  NumberSums sums() {
    return sums;
  }

  NumberSum sum(int field) {
    return layout.sum(sums, field);
  }

  /** One field's numbers of the sample, by size, whatever their order was: not to be changed. */
  double[] sorted(int field) {
    return sorted.computeIfAbsent(
        field, place -> sample.stream().mapToDouble(row -> row[place]).sorted().toArray());
  }

  double share(int category) {
    Histogram counts = histogram.orElseThrow();
    return counts.count(category) / (double) counts.size();
  }

  /** Never prints what must stay private. */
  @Override
  public String toString() {
    return "SummaryData[masked]";
  }
}
