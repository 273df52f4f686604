// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.continual.RunningError;
import io.sfumato.mechanism.continual.RunningMechanism;

/**
 * The noise of running estimates at the tests of a block: a sum of the rows' noises, weighted as
 * the estimates weigh them.
 */
public final class CoarseEstimates {
  private final GridNoise noise;

  /** By test: r with {@code r C = (1, ..., 1)}. */
  private final double[][] weights;

  /**
   * Of coarse rows.
   *
   * @param tests in a block, at least 1
   */
  public CoarseEstimates(RunningMechanism coarse, int tests) {
    this.noise = coarse.noise();
    RunningError error = new RunningError(coarse.coefficients());
    this.weights = new double[tests][];
    for (int i = 0; i < tests; i++) {
      weights[i] = error.parts(i + 1);
    }
  }

  /**
   * P[Z >= x] of a test's estimate, in records: never below the truth. What is told of every row
   * but the first is rounded to the nearest step, and these roundings are weighed as noises are.
   *
   * @param test from 1
   * @param x in records
   */
  public double tail(int test, double x) {
    double[] r = weights[test - 1];
    double roundings = 0;
    for (int row = 1; row < r.length; row++) {
      roundings += Math.abs(r[row]) / 2;
    }
    // "Further than" a step less, on one of two sides.
    double steps = Math.scalb(x, noise.digits()) - roundings - 1;
    return noise.tail(Math.max(0, steps), r) / 2;
  }

  /**
   * Standard deviation of a test's estimate, in records.
   *
   * @param test from 1
   */
  public double deviation(int test) {
    double squares = 0;
    for (double weight : weights[test - 1]) {
      squares += weight * weight;
    }
    return Math.scalb(noise.deviation(), -noise.digits()) * Math.sqrt(squares);
  }
}
