// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import org.apache.commons.math3.special.Gamma;

/**
 * Counts that scatter around a mean m with the variance m + m^2 / a: Poisson, with a rate of its
 * own in every window. It is what a category's count is under a Dirichlet prior of its share, but
 * for the sum of all counts.
 */
final class NegativeBinomial implements CountPrior {
  private final double shape;
  private final double logRate;
  private final double logNone;

  /**
   * @param mean m, above 0
   * @param shape a, at least 1: then no count is thought infinitely likelier than its neighbours
   */
  NegativeBinomial(double mean, double shape) {
    if (!(mean > 0) || !(shape >= 1) || Double.isInfinite(mean) || Double.isInfinite(shape)) {
      throw new IllegalArgumentException(
          "a negative binomial law has a mean above 0 and a shape of at least 1, was %s and %s"
              .formatted(mean, shape));
    }
    this.shape = shape;
    this.logRate = StrictMath.log(mean / (shape + mean));
    this.logNone = -shape * StrictMath.log1p(mean / shape) - Gamma.logGamma(shape);
  }

  @Override
  public double log(long count, double logFactorial) {
    double f = count;
    // The same number of the same argument, and most categories' shape is the least one.
    double logGamma = shape == 1 ? logFactorial : Gamma.logGamma(f + shape);
    return logGamma - logFactorial + f * logRate + logNone;
  }
}
