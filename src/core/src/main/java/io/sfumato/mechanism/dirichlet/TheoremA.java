// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;

/** Theorem A of docs/theory/dirichlet.md: the Rényi curve where up to C records are replaced. */
public final class TheoremA {
  private TheoremA() {}

  /**
   * Theorem A of docs/theory/dirichlet.md, for replacing up to C records, s = C r:
   *
   * <pre>  eps(L) = [lnG(a + L s) + lnG(a - (L-1) s) - lnG(a + s) - lnG(a)] / (L - 1)</pre>
   *
   * Exact up to an upward rounding: for C = 1 it is attained by (1, 0, ...) and (0, 1, ...).
   *
   * @param order L, above 1
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, above 0
   * @param records C, at least 1
   * @return nats; +infinity if a is at most (L-1) s
   * @throws IllegalArgumentException if C is 2 or more and a below 1/2, where the formula is no
   *     bound (a = 0.01, s = 0.07, C = 3, L = 1.1: 11.209 against a true 11.548)
   */
  public static double divergence(double order, double r, double a, int records) {
    RoundedLogGammas.requireProved(records, a, 2);
    double s = records * r;
    double lowest = a - (order - 1) * s;
    if (!(lowest > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    return RoundedLogGammas.sum(
        order,
        new double[] {1, 1, -1, -1},
        new double[] {logGamma(a + order * s), logGamma(lowest), logGamma(a + s), logGamma(a)});
  }
}
