// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.accounting.StandardNormal;

/**
 * The quantile of a sum of two standard normal numbers where the first alone has its own: z with
 * {@code P[X > c or w X + sqrt(1 - w^2) Y > z] = 2.5%}, c the 98.75% quantile. It lies between the
 * 97.5% quantile (w = 1) and c (w = 0), and falls with w, as the two events come to have more in
 * common. Tabulated by w, and taken from the place below, where it is larger.
 */
final class TwoTails {
  /** What either tail is left. */
  static final double HALF = 0.0125;

  /** c: {@code P[X > c] = 1.25%}. */
  static final double OF_HALF = 2.2414027276049473;

  private static final double BOTH = 0.025;
  private static final int PLACES = 64;
  private static final int STEPS = 400;
  private static final double FROM = -9;

  private final double[] quantiles = new double[PLACES + 1];

  TwoTails() {
    for (int i = 0; i < PLACES; i++) {
      quantiles[i] = quantile(i / (double) PLACES);
    }
    quantiles[PLACES] = quantiles[PLACES - 1];
  }

  /**
   * z.
   *
   * @param weight w, 0 to 1
   */
  double of(double weight) {
    return quantiles[(int) (weight * PLACES)];
  }

  private static double quantile(double weight) {
    double low = 1.9;
    double high = OF_HALF;
    for (int i = 0; i < 40; i++) {
      double middle = (low + high) / 2;
      if (HALF + beside(weight, middle) > BOTH) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  /** P[X <= c and the sum > z], by Simpson's rule. */
  private static double beside(double weight, double z) {
    double other = Math.sqrt(1 - weight * weight);
    double width = (OF_HALF - FROM) / STEPS;
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
      double x = FROM + i * width;
      int times = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
      double ln = StandardNormal.lnDensity(x) + StandardNormal.lnPhi((weight * x - z) / other);
      sum += times * StrictMath.exp(ln);
    }
    return sum * width / 3;
  }
}
