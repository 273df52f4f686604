// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.apache.commons.math3.exception.MathIllegalArgumentException;
import org.apache.commons.math3.stat.regression.OLSMultipleLinearRegression;

/**
 * Seconds of processors as a sum over what was done, each at its price. Fitted by least squares of
 * relative errors, so that small pieces of work count as much as large ones.
 *
 * @param event of one record taken in
 * @param release of one release
 * @param entry of one entry of a journal, written and read: a batch of records, or a boundary
 * @param look at one partition that a producer has written to: it looks at all of them whenever
 *     something is to be sent
 * @param row of one record of a changelog
 * @param marker of one transaction in one partition that it wrote to
 * @param taskSecond of one task that is there for a second, whatever it does
 * @param threadSecond the same of one stream thread
 */
record CostModel(
    double event,
    double release,
    double entry,
    double look,
    double row,
    double marker,
    double taskSecond,
    double threadSecond) {
  private static final List<ToDoubleFunction<ScaleSample>> CAUSES =
      List.of(
          ScaleSample::events,
          ScaleSample::releases,
          ScaleSample::entries,
          ScaleSample::looks,
          ScaleSample::rows,
          sample -> sample.used().markers(),
          ScaleSample::taskSeconds,
          ScaleSample::threadSeconds);

  /**
   * Fits prices, none of them below 0.
   *
   * @param cost what is to be explained; samples without any are left out
   */
  static CostModel fit(List<ScaleSample> samples, ToDoubleFunction<MeterReading> cost) {
    List<ScaleSample> rows =
        samples.stream().filter(sample -> cost.applyAsDouble(sample.used()) > 0).toList();
    List<Integer> causes = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5, 6, 7));
    while (!causes.isEmpty()) {
      double[] prices = leastSquares(rows, causes, cost);
      int worst = -1;
      for (int i = 0; i < prices.length; i++) {
        if (prices[i] < 0 && (worst < 0 || prices[i] < prices[worst])) {
          worst = i;
        }
      }
      if (worst < 0) {
        double[] all = new double[CAUSES.size()];
        for (int i = 0; i < prices.length; i++) {
          all[causes.get(i)] = prices[i];
        }
        return new CostModel(all[0], all[1], all[2], all[3], all[4], all[5], all[6], all[7]);
      }
      // Noise gives what costs next to nothing a price below it.
      causes.remove(worst);
    }
    return new CostModel(0, 0, 0, 0, 0, 0, 0, 0);
  }

  private static double[] leastSquares(
      List<ScaleSample> rows, List<Integer> causes, ToDoubleFunction<MeterReading> cost) {
    double[] ones = new double[rows.size()];
    double[][] done = new double[rows.size()][causes.size()];
    for (int row = 0; row < rows.size(); row++) {
      double whole = cost.applyAsDouble(rows.get(row).used());
      ones[row] = 1;
      for (int i = 0; i < causes.size(); i++) {
        done[row][i] = CAUSES.get(causes.get(i)).applyAsDouble(rows.get(row)) / whole;
      }
    }
    OLSMultipleLinearRegression regression = new OLSMultipleLinearRegression();
    regression.setNoIntercept(true);
    try {
      regression.newSampleData(ones, done);
      return regression.estimateRegressionParameters();
    } catch (MathIllegalArgumentException e) {
      throw new IllegalArgumentException("too few sizes to tell the prices apart", e);
    }
  }

  /** Seconds of processors that a sample should have taken. */
  double of(ScaleSample sample) {
    return event * sample.events()
        + release * sample.releases()
        + entry * sample.entries()
        + look * sample.looks()
        + row * sample.rows()
        + marker * sample.used().markers()
        + taskSecond * sample.taskSeconds()
        + threadSecond * sample.threadSeconds();
  }
}
