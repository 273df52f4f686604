// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Epsilon;

/**
 * Between which multiples of the public reference every private density lies: {@code lower} and
 * {@code lower e^eps}. Any two densities in a band differ by a factor of at most e^eps.
 *
 * @param epsilon above 0
 * @param lower in (e^-eps, 1)
 */
public record LikelihoodRatioBand(double epsilon, double lower) {
  /**
   * @throws IllegalArgumentException unless epsilon is above 0, and the lower end above e^-epsilon
   *     and below 1
   */
  public LikelihoodRatioBand {
    if (!(epsilon > 0) || !(lower < 1) || !(lower * StrictMath.exp(epsilon) > 1)) {
      throw new IllegalArgumentException(
          "a band has epsilon above 0 and a lower end in (e^-eps, 1), were "
              + epsilon
              + ", "
              + lower);
    }
  }

  /** The mollifier relative to the reference: {@code |ln Q / Q0| <= eps / 2} (equation 5). */
  public static LikelihoodRatioBand mollifier(Epsilon epsilon) {
    double eps = epsilon.roundedDown();
    return new LikelihoodRatioBand(eps, StrictMath.exp(-eps / 2));
  }

  /**
   * The band of the minimax sampler for private densities of at most {@code largest} times the
   * reference: {@code lower = c / (e^eps - 1 + c)} (Park, Asoodeh, Lee 2024).
   *
   * @param largest c, above 1; k for k categories and a uniform reference
   * @throws IllegalArgumentException if the ratio is not above 1, or infinite
   */
  public static LikelihoodRatioBand clipped(Epsilon epsilon, double largest) {
    if (!(largest > 1) || largest == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a density ratio is bounded by more than 1: " + largest);
    }
    double eps = epsilon.roundedDown();
    return new LikelihoodRatioBand(eps, largest / (StrictMath.expm1(eps) + largest));
  }

  /** The largest ratio of a law to the reference. */
  public double upper() {
    return lower * StrictMath.exp(epsilon);
  }
}
