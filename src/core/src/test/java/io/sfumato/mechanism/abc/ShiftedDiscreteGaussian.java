// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.Profiles;

/**
 * The exact privacy profile of one discrete Gaussian draw whose mean moves by up to {@code shift}
 * steps. The log-ratio falls in x, so
 *
 * <pre>
 *   delta(eps) = P[X <= x] - e^eps P[X <= x - shift],  x the largest below shift/2 - eps v/shift
 * </pre>
 *
 * which grows with the shift: smaller moves are covered.
 */
final class ShiftedDiscreteGaussian implements PrivacyProfile {
  private static final double NEGLIGIBLE = 350;

  private final double variance;
  private final long shift;
  private final int reach;

  /** ln P[X <= i - reach]. */
  private final double[] lnBelow;

  ShiftedDiscreteGaussian(double variance, long shift) {
    if (!(variance > 0) || shift < 1) {
      throw new IllegalArgumentException("a variance above 0 and a shift from 1 are needed");
    }
    this.variance = variance;
    this.shift = shift;
    this.reach = (int) Math.min(1 << 26, Math.ceil(Math.sqrt(2 * variance * NEGLIGIBLE)) + 2);
    this.lnBelow = new double[2 * reach + 1];
    double sum = 1; // what lies below, in units of e^-NEGLIGIBLE
    for (int i = 0; i < lnBelow.length; i++) {
      double x = i - reach;
      sum += StrictMath.exp(NEGLIGIBLE - x * x / (2 * variance));
      lnBelow[i] = sum;
    }
    double lnAll = StrictMath.log(sum);
    for (int i = 0; i < lnBelow.length; i++) {
      lnBelow[i] = StrictMath.log(lnBelow[i]) - lnAll;
    }
  }

  private double lnBelow(double x) {
    return lnBelow[(int) Math.max(0, Math.min(lnBelow.length - 1.0, x + reach))];
  }

  @Override
  public double delta(double epsilon) {
    double limit = shift / 2.0 - epsilon * variance / shift;
    if (limit < -reach) {
      return StrictMath.exp(-NEGLIGIBLE + 10);
    }
    double x = Math.ceil(limit) - 1;
    return Profiles.difference(
        lnBelow(x), epsilon + lnBelow(x - shift), epsilon + Math.abs(lnBelow(x)));
  }
}
