// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import static org.apache.commons.math3.special.Gamma.logGamma;
import static org.apache.commons.math3.special.Gamma.trigamma;

/** Upper bounds of the Rényi divergence between Dirichlet(r f + a) and Dirichlet(r f' + a). */
public final class DirichletDivergence {
  /** Bounds the error of log-gamma and of the sum, relative to the sum of magnitudes. */
  private static final double LOG_GAMMA_ERROR = 0x1.0p-48;

  /** Bounds the error of commons-math3's trigamma, which promises 1e-8. */
  private static final double TRIGAMMA_ERROR = 1e-7;

  private DirichletDivergence() {}

  /**
   * Theorem A for replacing ONE record; see {@link #replace}.
   *
   * @return nats; +infinity if a is at most (L-1) r
   */
  public static double replaceOne(double order, double r, double a) {
    return replace(order, r, a, 1);
  }

  /**
   * Theorem A of docs/privacy.md, for replacing up to C records, s = C r:
   *
   * <pre>  eps(L) = [lnG(a + L s) + lnG(a - (L-1) s) - lnG(a + s) - lnG(a)] / (L - 1)</pre>
   *
   * Exact up to an upward rounding: for C = 1 it is attained by (1, 0, ...) and (0, 1, ...).
   *
   * @param records C, at least 1
   * @return nats; +infinity if a is at most (L-1) s
   * @throws IllegalArgumentException if C is 2 or more and a below 1/2, where the formula is no
   *     bound (a = 0.01, s = 0.07, C = 3, L = 1.1: 11.209 against a true 11.548)
   */
  public static double replace(double order, double r, double a, int records) {
    requireProved(records, a, 2);
    double s = records * r;
    double lowest = a - (order - 1) * s;
    if (!(lowest > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    return roundedUp(
        order,
        new double[] {1, 1, -1, -1},
        new double[] {logGamma(a + order * s), logGamma(lowest), logGamma(a + s), logGamma(a)});
  }

  /**
   * Theorem C of docs/privacy.md, for adding or removing up to C records in all, s = C r: the
   * larger of
   *
   * <pre>
   *   remove: [(L-1) lnG(a)     + lnG(a + L s)     - L lnG(a + s)] / (L - 1)
   *   add:    [(L-1) lnG(a + s) + lnG(a - (L-1) s) - L lnG(a)]     / (L - 1)
   * </pre>
   *
   * @param records C, at least 1
   * @return nats; +infinity if a is at most (L-1) s
   * @throws IllegalArgumentException if a is below 1/2
   */
  public static double addOrRemove(double order, double r, double a, int records) {
    requireProved(records, a, 1);
    double s = records * r;
    double lowest = a - (order - 1) * s;
    if (!(lowest > 0)) {
      return Double.POSITIVE_INFINITY;
    }
    double remove =
        roundedUp(
            order,
            new double[] {order - 1, 1, -order},
            new double[] {logGamma(a), logGamma(a + order * s), logGamma(a + s)});
    double add =
        roundedUp(
            order,
            new double[] {order - 1, 1, -order},
            new double[] {logGamma(a + s), logGamma(lowest), logGamma(a)});
    return Math.max(remove, add);
  }

  private static void requireProved(int records, double a, int fewestThatNeedHalf) {
    if (records < 1) {
      throw new IllegalArgumentException("C is at least 1, was " + records);
    }
    if (records >= fewestThatNeedHalf && !(a >= 0.5)) {
      throw new IllegalArgumentException("a must be at least 1/2 here, was " + a);
    }
  }

  /** A weighted sum of log-gammas over L - 1, with an allowance for the error of each term. */
  private static double roundedUp(double order, double[] weights, double[] logGammas) {
    double sum = 0;
    double magnitude = 1;
    for (int i = 0; i < weights.length; i++) {
      double term = weights[i] * logGammas[i];
      sum += term;
      magnitude += Math.abs(term);
    }
    return Math.max(0, (sum + LOG_GAMMA_ERROR * magnitude) / (order - 1));
  }

  /**
   * The paper's Theorem 1 and Remark 1, with D2^2 = 2 and Dinf = 1 (replacing one record moves one
   * count from a category to another):
   *
   * <pre>  eps(L) = 1/2 L r^2 D2^2 psi'(a - (L-1) r Dinf),   if a - (L-1) r Dinf >= 1</pre>
   *
   * At a = 1 + 4 (L-1) r Dinf this is Algorithm 1's line 1.
   *
   * @return nats; +infinity where the paper gives no bound
   */
  public static double paper(double order, double r, double a) {
    double argument = a - (order - 1) * r;
    if (!(argument >= 1)) {
      return Double.POSITIVE_INFINITY;
    }
    double squaredL2Sensitivity = 2;
    return 0.5 * order * r * r * squaredL2Sensitivity * trigamma(argument) * (1 + TRIGAMMA_ERROR);
  }
}
