// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Charge;
import io.sfumato.noise.ReplayableRandom;
import java.util.Map;
import java.util.function.ToLongFunction;

/**
 * Whole-number noise on sums that are whole on a grid finer than records: one record is 2^digits
 * steps. Exact, whatever its size.
 */
public sealed interface GridNoise extends ErrorLaw permits GridGaussian, GridLaplace {
  /** Binary digits of the usual grid: 2^20 steps are one record. */
  int DIGITS = 20;

  /** The finest grid. */
  int MOST_DIGITS = 40;

  /** The word of pipeline files. */
  String method();

  /** Binary digits of the grid: one record is 2^digits steps. */
  int digits();

  /** The parameter in whole steps of the grid: part of what randomness depends on. */
  long steps();

  /** The parameter by name, in records, for people and reports. */
  Map<String, Double> parameters();

  /** Draws, each time it is asked. In steps. */
  ToLongFunction<ReplayableRandom> sampler();

  /** What one release costs. */
  Charge charge(GridSensitivity sensitivity);

  /**
   * The Rényi divergence of this noise on some whole numbers from the same on others, in nats.
   *
   * @param order above 1
   */
  double divergence(double order, long[] first, long[] second);

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

  /** A step for each noise. */
  static double wholeSteps(double... weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += Math.abs(weight);
    }
    return sum;
  }

  /** Checks digits of a grid. */
  static void requireGrid(int digits) {
    if (digits < 0 || digits > MOST_DIGITS) {
      throw new IllegalArgumentException("a grid has 0 to 40 binary digits, was " + digits);
    }
  }
}
