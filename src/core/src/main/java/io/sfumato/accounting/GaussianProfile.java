// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Optional;

/**
 * The privacy profile of Gaussian noise: {@code Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)}
 * (Balle, Wang 2018, Theorem 8).
 *
 * @param mu sensitivity over standard deviation, above 0
 */
record GaussianProfile(double mu) implements PrivacyProfile {
  /** Covers the roundings of a root and a product. */
  private static final double UP = 1 + 0x1.0p-51;

  @Override
  public double delta(double epsilon) {
    // The arguments' roundings count |x| + 1 times in lnPhi.
    double x = mu / 2 + epsilon / mu;
    return Profiles.difference(
        StandardNormal.lnPhi(mu / 2 - epsilon / mu),
        epsilon + StandardNormal.lnPhi(-x),
        epsilon + x * (1 + x));
  }

  /** Several releases are as one whose square of mu is the sum of theirs (Dong, Roth, Su 2022). */
  @Override
  public Optional<PrivacyProfile> composed(long releases) {
    return Optional.of(new GaussianProfile(mu * Math.sqrt(releases) * UP));
  }
}
