package io.sfumato.accounting;

import org.apache.commons.math3.special.Erf;

/** Numerics of the closed-form profiles. */
final class Profiles {
  /** Bounds the error of one term, relative to its value. */
  private static final double TERM_ERROR = 2e-14;

  private static final double LN_2 = StrictMath.log(2);
  private static final double LN_SQRT_2PI = 0.5 * StrictMath.log(2 * Math.PI);

  /** Below this erfc underflows, and the asymptotic series has more digits than a double. */
  private static final double FAR = -25;

  private Profiles() {}

  /** e^larger - e^smaller, never below the truth: both given as logarithms. */
  static double difference(double lnLarger, double lnSmaller) {
    double larger = StrictMath.exp(lnLarger);
    double smaller = StrictMath.exp(lnSmaller);
    double error = TERM_ERROR * (1 + Math.abs(lnLarger) + Math.abs(lnSmaller));
    return Math.max(0, Math.min(1, larger - smaller + error * (larger + smaller)));
  }

  /** Logarithm of the standard normal distribution function. */
  static double lnPhi(double x) {
    if (x > 1) {
      return StrictMath.log1p(-0.5 * Erf.erfc(x / Math.sqrt(2)));
    }
    if (x > FAR) {
      return StrictMath.log(Erf.erfc(-x / Math.sqrt(2))) - LN_2;
    }
    // Mills' ratio: Phi(x) = phi(x)/|x| (1 - 1/x^2 + 3/x^4 - 15/x^6 + ...).
    double z = 1 / (x * x);
    double series = -z * (1 - 3 * z * (1 - 5 * z * (1 - 7 * z * (1 - 9 * z))));
    return -0.5 * x * x - LN_SQRT_2PI - StrictMath.log(-x) + StrictMath.log1p(series);
  }
}
