package io.sfumato.accounting;

import org.apache.commons.math3.special.Erf;

/** The standard normal law, with full relative accuracy far into its tails. */
public final class StandardNormal {
  private static final double LN_2 = StrictMath.log(2);
  private static final double LN_SQRT_2PI = 0.5 * StrictMath.log(2 * Math.PI);

  /** Below this erfc underflows, and the asymptotic series has more digits than a double. */
  private static final double FAR = -25;

  private StandardNormal() {}

  /** Logarithm of the density. */
  public static double lnDensity(double x) {
    return -0.5 * x * x - LN_SQRT_2PI;
  }

  /** Logarithm of the distribution function. */
  public static double lnPhi(double x) {
    if (x > 1) {
      return StrictMath.log1p(-0.5 * Erf.erfc(x / Math.sqrt(2)));
    }
    if (x > FAR) {
      return StrictMath.log(Erf.erfc(-x / Math.sqrt(2))) - LN_2;
    }
    // Mills' ratio: Phi(x) = phi(x)/|x| (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...).
    double z = 1 / (x * x);
    double series = -z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z))));
    return lnDensity(x) - StrictMath.log(-x) + StrictMath.log1p(series);
  }
}
