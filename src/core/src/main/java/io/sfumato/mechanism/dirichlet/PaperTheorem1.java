// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.apache.commons.math3.special.Gamma.trigamma;

/** The paper's Theorem 1: a looser Rényi curve, of histograms and of other statistics. */
public final class PaperTheorem1 {
  /** Bounds the error of commons-math3's trigamma, which promises 1e-8. */
  static final double TRIGAMMA_ERROR = 1e-7;

  private PaperTheorem1() {}

  /**
   * The paper's Theorem 1 and Remark 1, with D2^2 = 2 and Dinf = 1 (replacing one record moves one
   * count from a category to another):
   *
   * <pre>  eps(L) = 1/2 L r^2 D2^2 psi'(a - (L-1) r Dinf),   if a - (L-1) r Dinf >= 1</pre>
   *
   * At a = 1 + 4 (L-1) r Dinf this is Algorithm 1's line 1.
   *
   * @param order L, above 1
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, above 0
   * @return nats; +infinity where the paper gives no bound
   */
  public static double divergence(double order, double r, double a) {
    return divergence(order, r, a, 2, 1);
  }

  /**
   * The same for any statistic f >= 0. The paper's proof does not need that neighbours have the
   * same total: what the totals add is at least 0 and is subtracted.
   *
   * @param order L, above 1
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, above 0
   * @param squaredL2 D2^2, the largest squared Euclidean distance of neighbours
   * @param largest Dinf, the largest distance in a coordinate
   */
  public static double divergence(
      double order, double r, double a, double squaredL2, double largest) {
    double argument = a - (order - 1) * r * largest;
    if (!(argument >= 1)) {
      return Double.POSITIVE_INFINITY;
    }
    return 0.5 * order * r * r * squaredL2 * trigamma(argument) * (1 + TRIGAMMA_ERROR);
  }
}
