// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

/** The standard normal law, with relative accuracy far into its tails: see {@link #error}. */
public final class StandardNormal {
  /**
   * commons-math3's erfc stops its series at 1e-15, and its exponent has a few ulps for each nat;
   * the series beyond -25 lacks less than 10395 / 25^12 = 2e-13, where lnPhi is -316. A test finds
   * no more than a third of this between -37 and 6.
   */
  private static final double ERROR = 4e-15;

  private static final double LN_2 = StrictMath.log(2);
  private static final double LN_SQRT_2PI = 0.5 * StrictMath.log(2 * Math.PI);

  /** Below this erfc underflows, and the asymptotic series has more digits than a double. */
  private static final double FAR = -25;

  private StandardNormal() {}

  /**
   * Logarithm of the density.
   *
   * @param x any number
   */
  public static double lnDensity(double x) {
    return -0.5 * x * x - LN_SQRT_2PI;
  }

  /** Bounds the absolute error of a {@link #lnPhi}, which is Phi's relative one. */
  static double error(double lnPhi) {
    return ERROR * (1 + Math.abs(lnPhi));
  }

  /**
   * Logarithm of the distribution function.
   *
   * @param x any number
   */
  public static double lnPhi(double x) {
    if (x > 1) {
      return StrictMath.log1p(-0.5 * Erfc.of(x / Math.sqrt(2)));
    }
    if (x > FAR) {
      return StrictMath.log(Erfc.of(-x / Math.sqrt(2))) - LN_2;
    }
    // Mills' ratio: Phi(x) = phi(x)/|x| (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...).
    double z = 1 / (x * x);
    double series = -z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z))));
    return lnDensity(x) - StrictMath.log(-x) + StrictMath.log1p(series);
  }
}
