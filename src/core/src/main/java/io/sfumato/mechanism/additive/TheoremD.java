// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiCurve;

/**
 * Theorem D of docs/theory/additive-noise.md: discrete Gaussian noise of variance s^2 on whole
 * numbers is continuous Gaussian noise of variance s^2 - 16, post-processed (to within e^-300). So
 * it costs what the continuous noise costs, whatever the number of coordinates. All in steps of one
 * grid.
 */
public final class TheoremD {
  /** The variance in squared steps that separates discrete noise from continuous. */
  public static final double BRIDGE = 16;

  /** A variance must be above it: twice the bridge. */
  public static final double LEAST_VARIANCE = 2 * BRIDGE;

  /** Covers the roundings of a quotient and a root. */
  private static final double UP = 1 + 0x1.0p-45;

  private TheoremD() {}

  /**
   * mu: sensitivity over standard deviation, of the continuous noise.
   *
   * @param l2 Euclidean distance of neighbours, in steps
   * @param variance s^2 of the discrete noise, in squared steps, above 32
   */
  public static double mu(double l2, double variance) {
    return l2 / Math.sqrt(variance - BRIDGE) * UP;
  }

  /**
   * What one release costs: that of one Gaussian coordinate (Balle, Wang 2018, Theorem 8).
   *
   * @param mechanism with its parameters, as one canonical line
   * @param variance s^2 of the discrete noise, in squared steps, above 32
   */
  static PrivacyCost charge(String mechanism, GridSensitivity sensitivity, double variance) {
    double mu = mu(sensitivity.l2(), variance);
    return PrivacyCost.of(
        mechanism, sensitivity.unit(), RenyiCurve.gaussian(mu), PrivacyProfile.gaussian(mu));
  }
}
