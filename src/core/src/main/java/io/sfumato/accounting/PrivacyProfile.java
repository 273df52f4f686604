// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Optional;

/**
 * The privacy profile of one release: for every epsilon the smallest delta that holds for all
 * neighbours, in both directions (Balle, Barthe, Gaboardi 2018). It determines every other measure
 * of the loss, and composes: see {@link PldAccountant}.
 */
@FunctionalInterface
public interface PrivacyProfile {
  /**
   * An upper bound of the hockey-stick divergence {@code sup P(E) - e^epsilon Q(E)}.
   *
   * @param epsilon at least 0, in nats
   * @return in [0, 1]; falls with epsilon
   */
  double delta(double epsilon);

  /**
   * The profile of several releases with this one, where it has a closed form.
   *
   * @param releases at least 1
   */
  default Optional<PrivacyProfile> composed(long releases) {
    return Optional.empty();
  }

  /**
   * Gaussian noise: sensitivity over standard deviation is {@code mu} (Balle, Wang 2018, Theorem
   * 8): {@code Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)}.
   *
   * @param mu above 0
   * @throws IllegalArgumentException if mu is not above 0, or infinite
   */
  static PrivacyProfile gaussian(double mu) {
    if (!(mu > 0) || mu == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("mu must be above 0, was " + mu);
    }
    return new GaussianProfile(mu);
  }

  /**
   * Pure differential privacy: randomised response with e^bound to 1 odds dominates (Kairouz, Oh,
   * Viswanath 2015).
   *
   * @param bound the pure epsilon, at least 0
   * @throws IllegalArgumentException if the bound is below 0
   */
  static PrivacyProfile pure(double bound) {
    if (!(bound >= 0)) {
      throw new IllegalArgumentException("a pure epsilon is at least 0, was " + bound);
    }
    return epsilon ->
        epsilon >= bound
            ? 0
            : Math.min(
                1, -StrictMath.expm1(epsilon - bound) / (1 + StrictMath.exp(-bound)) * (1 + 1e-14));
  }
}
