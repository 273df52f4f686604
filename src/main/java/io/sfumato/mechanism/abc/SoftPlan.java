package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiCurve;

/**
 * The least noise of soft ABC: T noisy distances of sensitivity D in units of the threshold are one
 * Gaussian release with {@code mu = D sqrt(T) / sigma}.
 */
public final class SoftPlan {
  private SoftPlan() {}

  /**
   * The standard deviation of each weight's noise.
   *
   * @param candidates T, at least 1
   * @param sensitivity of rho / threshold, above 0
   * @param accountant exact (the analytic Gaussian) or renyi (its best order)
   */
  public static double sigma(
      Epsilon epsilon, Delta delta, long candidates, double sensitivity, Accountant accountant) {
    if (candidates < 1) {
      throw new IllegalArgumentException("a query has at least 1 candidate, was " + candidates);
    }
    if (!(sensitivity > 0) || sensitivity == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sensitivity must be above 0, was " + sensitivity);
    }
    double eps = epsilon.roundedDown();
    double failure = delta.roundedDown();
    // mu: the largest that the accountant allows.
    double low = 0;
    double high = 1;
    while (allowed(accountant, high, eps, failure)) {
      low = high;
      high *= 2;
    }
    while (high - low > 1e-13 * high) {
      double middle = (low + high) / 2;
      if (allowed(accountant, middle, eps, failure)) {
        low = middle;
      } else {
        high = middle;
      }
      if (high < 1e-12) {
        throw new IllegalArgumentException("no noise is enough; raise epsilon or delta");
      }
    }
    return sensitivity * Math.sqrt(candidates) / low;
  }

  private static boolean allowed(Accountant accountant, double mu, double epsilon, double delta) {
    return switch (accountant) {
      case EXACT -> PrivacyProfile.gaussian(mu).delta(epsilon) <= delta;
      case RENYI -> Conversion.epsilon(RenyiCurve.gaussian(mu), delta) <= epsilon;
      case PAPER ->
          throw new IllegalArgumentException("soft weights have the accountants exact and renyi");
    };
  }
}
