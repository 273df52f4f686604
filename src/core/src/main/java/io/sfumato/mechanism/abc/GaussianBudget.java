// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import java.util.function.DoublePredicate;

/**
 * What a budget allows of Gaussian releases: they add up in the squares of {@code mu}, sensitivity
 * over standard deviation, whatever their number and order.
 */
public final class GaussianBudget {
  /** What is less is no budget. */
  private static final double LEAST_MU = 1e-12;

  private GaussianBudget() {}

  /**
   * The largest mu, all releases together.
   *
   * @param accountant exact (the analytic Gaussian) or renyi (its best order)
   */
  public static double mu(Epsilon epsilon, Delta delta, Accountant accountant) {
    double eps = epsilon.roundedDown();
    double failure = delta.roundedDown();
    DoublePredicate fits = mu -> allowed(accountant, mu, eps, failure);
    return Bisection.around(1, LEAST_MU, Double.MAX_VALUE, fits)
        .map(found -> found.narrowed(1e-13, fits))
        .filter(found -> found.high() >= LEAST_MU)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no noise scale meets this target; raise epsilon " + "or delta"))
        .low();
  }

  /**
   * The least standard deviation of T releases.
   *
   * @param mu of all T together, above 0
   * @param candidates T, at least 1
   * @param sensitivity of each, above 0
   * @throws IllegalArgumentException if T is below 1, or the sensitivity is not above 0 or infinite
   */
  public static double sigma(double mu, long candidates, double sensitivity) {
    if (candidates < 1) {
      throw new IllegalArgumentException("a query has at least 1 candidate, was " + candidates);
    }
    if (!(sensitivity > 0) || sensitivity == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sensitivity must be above 0, was " + sensitivity);
    }
    return sensitivity * Math.sqrt(candidates) / mu * (1 + 1e-15);
  }

  /**
   * The charge of a query whose answers are together no worse than one Gaussian release of mu. Unit
   * record: one record's value is replaced (Balle, Wang 2018, Theorem 8; Mironov 2017, Proposition
   * 7).
   */
  static PrivacyCost charge(String name, String rule, double mu) {
    return PrivacyCost.of(
        name + " gaussian mu=" + Double.toHexString(mu) + rule,
        PrivacyUnit.RECORD,
        RenyiCurve.gaussian(mu),
        PrivacyProfile.gaussian(mu));
  }

  private static boolean allowed(Accountant accountant, double mu, double epsilon, double delta) {
    return switch (accountant) {
      case EXACT -> PrivacyProfile.gaussian(mu).delta(epsilon) <= delta;
      case RENYI -> Conversion.epsilon(RenyiCurve.gaussian(mu), delta) <= epsilon;
      case PAPER ->
          throw new IllegalArgumentException("a Gaussian has the accountants exact and renyi");
    };
  }
}
