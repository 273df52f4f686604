// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.accounting.PldAccountant.Precision;
import java.math.BigDecimal;

/**
 * Whether all charges that a share admits keep its epsilon and delta together. Calibrators choose
 * how charges are counted; this check does not rely on them.
 */
public final class ShareCheck {
  private ShareCheck() {}

  /**
   * Checks a share that admits one charge, as often as its filter admits.
   *
   * @param share with its filter
   * @param charge that it is spent on
   * @param besides the part of delta that no charge holds, at least 0: thresholds of partition
   *     selection spend it
   */
  public static boolean isKept(BudgetShare share, PrivacyCost charge, BigDecimal besides) {
    BigDecimal left = share.delta().value().subtract(besides);
    if (left.signum() < 0) {
      return false;
    }
    Delta delta = new Delta(left);
    PrivacyFilter filter = share.filter();
    if (filter instanceof PrivacyFilter.RenyiFilter at) {
      return at.cap() <= PrivacyFilter.RenyiFilter.of(share.epsilon(), delta, at.order()).cap();
    }
    if (filter instanceof PrivacyFilter.PureDpFilter sum) {
      return sum.cap() <= PrivacyFilter.PureDpFilter.of(share.epsilon()).cap();
    }
    long releases = filter.cost(charge) == RenyiUnits.UNAFFORDABLE ? 0 : filter.cap();
    return releases == 0
        || keepsPure(share.epsilon(), charge, releases)
        || keepsRenyi(share.epsilon(), delta, charge, releases)
        || keepsProfile(share.epsilon(), delta, charge, releases);
  }

  /** Basic composition. A pure epsilon is stated as the next double above the exact one. */
  private static boolean keepsPure(Epsilon epsilon, PrivacyCost charge, long releases) {
    return charge.pure().isPresent()
        && new BigDecimal(Math.max(0, Math.nextDown(charge.pure().getAsDouble())))
                .multiply(BigDecimal.valueOf(releases))
                .compareTo(epsilon.value())
            <= 0;
  }

  /** Rényi divergences add up at every order (Mironov 2017). */
  private static boolean keepsRenyi(
      Epsilon epsilon, Delta delta, PrivacyCost charge, long releases) {
    for (int i = 0; i < RenyiOrders.size(); i++) {
      PrivacyFilter.RenyiFilter at =
          PrivacyFilter.RenyiFilter.of(epsilon, delta, RenyiOrders.at(i));
      if (at.cap() / Math.max(1, at.cost(charge)) >= releases) {
        return true;
      }
    }
    return false;
  }

  /** The composed privacy-loss distribution of a fixed number of releases. */
  private static boolean keepsProfile(
      Epsilon epsilon, Delta delta, PrivacyCost charge, long releases) {
    if (charge.profile().isEmpty()) {
      return false;
    }
    double most = delta.roundedDown();
    double at = epsilon.roundedDown();
    PrivacyProfile profile = charge.profile().get();
    if (releases == 1 || profile.delta(at) > most) {
      return profile.delta(at) <= most;
    }
    return profile.composed(releases).map(all -> all.delta(at) <= most).orElse(false)
        || most > 0 && PldAccountant.of(profile, releases, Precision.FINE).delta(at, most) <= most;
  }
}
