// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What one method made of one statistic.
 *
 * @param amounts the numbers
 * @param statistic its name
 * @param method its name
 * @param epsilon of the release
 * @param found what was measured of it
 */
record NumberRow(
    Amounts amounts, String statistic, String method, double epsilon, Map<Metric, Double> found) {
  /** What is measured; not all of it of everything. */
  enum Metric {
    /** Root mean square error, in the statistic's measure. */
    RMSE,
    /** The same, over the width of the range, or of a variance its square. */
    RMSE_OF_RANGE,
    /** Root mean square error in ranks, over 4,096 bins. */
    RANK_ERROR,
    /** The error over that of Google's library, with the same noise; of quantiles the ranks'. */
    OVER_GOOGLE,
    /** How often 95% intervals hold the truth. */
    COVERAGE,
    /** Mean width of these intervals, over the width of the range. */
    WIDTH_OF_RANGE
  }

  NumberRow {
    found = new EnumMap<>(found);
  }

  /** What was measured, or NaN. */
  double get(Metric metric) {
    return found.getOrDefault(metric, Double.NaN);
  }

  static String header() {
    return "data,measure,users,records,statistic,method,epsilon"
        + Arrays.stream(Metric.values())
            .map(metric -> "," + metric.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.joining());
  }

  /** For CSV: empty where nothing was measured. */
  String line() {
    List<String> cells =
        List.of(
            "\"" + amounts.name() + "\"",
            amounts.range().measure(),
            Integer.toString(amounts.byUser().size()),
            Integer.toString(amounts.all().length),
            statistic,
            "\"" + method + "\"",
            Double.toString(epsilon));
    return String.join(",", cells)
        + Arrays.stream(Metric.values())
            .map(metric -> "," + (found.containsKey(metric) ? cell(get(metric)) : ""))
            .collect(Collectors.joining());
  }

  private static String cell(double x) {
    return String.format(Locale.ROOT, "%.6g", x);
  }
}
