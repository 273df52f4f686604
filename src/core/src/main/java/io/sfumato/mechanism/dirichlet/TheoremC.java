// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;

/**
 * Theorem C of docs/theory/dirichlet.md: the Rényi curve where up to C records are added or
 * removed.
 */
public final class TheoremC {
  private TheoremC() {}

  /**
   * Theorem C of docs/theory/dirichlet.md, for adding or removing up to C records in all, s = C r:
   * the larger of
   *
   * <pre>
   *   remove: [(L-1) lnG(a)     + lnG(a + L s)     - L lnG(a + s)] / (L - 1)
   *   add:    [(L-1) lnG(a + s) + lnG(a - (L-1) s) - L lnG(a)]     / (L - 1)
   * </pre>
   *
   * @param order L, above 1
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, at least 1/2
   * @param records C, at least 1
   * @return nats; +infinity if a is at most (L-1) s
   * @throws IllegalArgumentException if a is below 1/2
   */
  public static double divergence(double order, double r, double a, int records) {
    RoundedLogGammas.requireProved(records, a, 1);
    double s = records * r;
    double lowest = a - (order - 1) * s;
    if (!(lowest > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double remove =
        RoundedLogGammas.sum(
            order,
            new double[] {order - 1, 1, -order},
            new double[] {logGamma(a), logGamma(a + order * s), logGamma(a + s)});
    double add =
        RoundedLogGammas.sum(
            order,
            new double[] {order - 1, 1, -order},
            new double[] {logGamma(a + s), logGamma(lowest), logGamma(a)});
    return Math.max(remove, add);
  }
}
