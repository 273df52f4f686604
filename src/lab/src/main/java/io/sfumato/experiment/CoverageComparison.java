// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.experiment.NumberRow.Metric;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How often 95% intervals hold the truth, and how wide they are.
 *
 * @param seeds releases of each, at least 1
 */
record CoverageComparison(int seeds) {
  /** Quantiles take thousands of draws each. */
  private static final int PER_QUANTILE = 10;

  List<NumberRow> rows(Amounts amounts, double epsilon) {
    CalibrationTarget budget = MomentComparison.budget(epsilon);
    List<NumberRow> rows = new ArrayList<>();
    for (IntervalMethod each : Intervals.ofMoments(amounts, budget)) {
      rows.add(row(amounts, each, epsilon, seeds));
    }
    IntervalMethod median = Intervals.ofQuantile(amounts, budget);
    rows.add(row(amounts, median, epsilon, Math.max(1, seeds / PER_QUANTILE)));
    return rows;
  }

  static NumberRow row(Amounts amounts, IntervalMethod method, double epsilon, int seeds) {
    KeyedRandom random =
        KeyedRandom.ofPublicSeed(
            "coverage " + amounts.name() + " " + method.statistic() + " " + method.method());
    double held = 0;
    double width = 0;
    for (int seed = 0; seed < seeds; seed++) {
      double[] ends = method.releases().apply(random);
      held += ends[0] <= method.truth() && method.truth() <= ends[1] ? 1 : 0;
      width += (ends[1] - ends[0]) / method.scale();
    }
    return new NumberRow(
        amounts,
        method.statistic(),
        method.method(),
        epsilon,
        Map.of(Metric.COVERAGE, held / seeds, Metric.WIDTH_OF_RANGE, width / seeds));
  }
}
