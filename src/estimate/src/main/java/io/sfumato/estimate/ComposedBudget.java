// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyProfile;

/**
 * Whether a fixed number of releases with one profile fits (epsilon, delta).
 *
 * @param epsilon of all releases together
 * @param delta of all releases together
 * @param releases their number, at least 1
 */
public record ComposedBudget(double epsilon, double delta, long releases) {
  /** Of a request, rounded down. */
  public static ComposedBudget of(CalibrationTarget request) {
    return new ComposedBudget(
        request.epsilon().roundedDown(), request.delta().roundedDown(), request.horizon());
  }

  /** By the composed privacy-loss distribution, on the safe side at every precision. */
  public boolean covers(PrivacyProfile profile, Precision precision) {
    return excess(profile, precision) <= 1;
  }

  /**
   * The delta of the releases over that of the budget: at most 1 where they fit. Where one of them
   * is too much already, by that one.
   */
  public double excess(PrivacyProfile profile, Precision precision) {
    // One release needs no composition; and n releases lose no less than one of them.
    double one = profile.delta(epsilon);
    return releases == 1 || !(one <= delta)
        ? over(one)
        : over(PldAccountant.of(profile, releases, precision).delta(epsilon, delta));
  }

  /** Above 1 exactly where a delta is above the budget's, which a quotient may be rounded from. */
  private double over(double found) {
    double quotient = found / delta;
    return found <= delta ? Math.min(1, quotient) : Math.max(Math.nextUp(1.0), quotient);
  }
}
