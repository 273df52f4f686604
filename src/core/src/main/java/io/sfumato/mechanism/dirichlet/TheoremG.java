// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;
import static org.apache.commons.math3.special.Gamma.trigamma;

/** Theorem G of docs/theory/dirichlet.md: the Rényi curve of a statistic with two sensitivities. */
public final class TheoremG {
  private TheoremG() {}

  /**
   * Theorem G of docs/theory/dirichlet.md, for f >= 0 that moves by at most D2 in Euclidean
   * distance and Dinf in a coordinate, with v = r Dinf:
   *
   * <pre>
   *   eps(L) = D2^2 / Dinf^2 max(gain(v), 1/2 L (L-1) v^2 psi'(a)) / (L-1)
   *   gain(v) = (L-1) lnG(a + v) + lnG(a - (L-1) v) - L lnG(a)
   * </pre>
   *
   * The supremum over all such f if D2^2 / Dinf^2 is whole; never above the paper's Theorem 1.
   *
   * @param order L, above 1
   * @param r weight of one unit of f, above 0
   * @param a weight of the prior in each category, above 0
   * @param squaredL2 D2^2, at least Dinf^2
   * @param largest Dinf, above 0
   * @return nats; +infinity if a is at most (L-1) v
   */
  public static double divergence(
      double order, double r, double a, double squaredL2, double largest) {
    double v = Math.nextUp(r * largest);
    double lowest = a - (order - 1) * v;
    if (!(lowest > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double gain =
        RoundedLogGammas.sum(
            order,
            new double[] {order - 1, 1, -order},
            new double[] {logGamma(a + v), logGamma(lowest), logGamma(a)});
    double flat = 0.5 * order * v * v * trigamma(a) * (1 + PaperTheorem1.TRIGAMMA_ERROR);
    return Math.nextUp(squaredL2 / (largest * largest)) * Math.max(gain, flat) * (1 + 0x1.0p-50);
  }
}
