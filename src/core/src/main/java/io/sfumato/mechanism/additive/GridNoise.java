// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;

/**
 * Whole-number noise on sums that are whole on a grid finer than records: one record is 2^digits
 * steps. Exact, whatever its size.
 */
public sealed interface GridNoise extends VectorNoise, ErrorLaw
    permits GridGaussian, FineGridGaussian, GridLaplace {
  /** Binary digits of the usual grid: 2^20 steps are one record. */
  int DIGITS = 20;

  /** The finest grid. */
  int MOST_DIGITS = 40;

  /** What one release costs. */
  PrivacyCost charge(GridSensitivity sensitivity);

  /**
   * Logarithm of the probability of a noise, up to one constant for all: for what modellers make of
   * a release.
   *
   * @param steps need not be whole
   */
  double logDensity(double steps);

  /**
   * How far the sum of so many of these may be off.
   *
   * @param times how many, at least 1
   */
  ErrorLaw summed(long times);

  /**
   * A step for each noise.
   *
   * @param weights of the noises
   */
  static double wholeSteps(double... weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += Math.abs(weight);
    }
    return sum;
  }

  /**
   * Checks digits of a grid.
   *
   * @param digits binary digits after the point, 0 to 40
   * @throws IllegalArgumentException if it is out of range
   */
  static void requireGrid(int digits) {
    if (digits < 0 || digits > MOST_DIGITS) {
      throw new IllegalArgumentException("a grid has 0 to 40 binary digits, was " + digits);
    }
  }
}
