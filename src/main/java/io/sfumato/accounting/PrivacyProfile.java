// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

/**
 * The privacy profile of one release: for every epsilon the smallest delta that holds for all
 * neighbours, in both directions (Balle, Barthe, Gaboardi 2018). It determines every other measure
 * of the loss, and composes: see {@link Composition}.
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
   * Gaussian noise: sensitivity over standard deviation is {@code mu} (Balle, Wang 2018, Theorem
   * 8): {@code Phi(mu/2 - eps/mu) - e^eps Phi(-mu/2 - eps/mu)}.
   *
   * @param mu above 0
   */
  static PrivacyProfile gaussian(double mu) {
    if (!(mu > 0) || mu == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("mu must be above 0, was " + mu);
    }
    return epsilon -> {
      // The arguments' roundings count |x| + 1 times in lnPhi.
      double x = mu / 2 + epsilon / mu;
      return Profiles.difference(
          StandardNormal.lnPhi(mu / 2 - epsilon / mu),
          epsilon + StandardNormal.lnPhi(-x),
          epsilon + x * (1 + x));
    };
  }

  /**
   * Pure differential privacy: randomised response with e^bound to 1 odds dominates (Kairouz, Oh,
   * Viswanath 2015).
   *
   * @param bound the pure epsilon, at least 0
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

  /**
   * The coin of rejection ABC: heads with probability Phi((threshold - rho) / sigma) for a distance
   * rho in [0, bound] that moves by at most {@code sensitivity}. With t the larger of the two
   * arguments of Phi, {@code Phi(t) - e^eps Phi(t - mu)} rises up to t = mu/2 - eps/mu and falls
   * after it, so the worst rho is that one or an end. Tails likewise, with the ends mirrored.
   */
  static PrivacyProfile coin(double sensitivity, double bound, double threshold, double sigma) {
    if (!(sensitivity > 0) || !(bound >= sensitivity) || !(sigma > 0) || Double.isNaN(threshold)) {
      throw new IllegalArgumentException(
          "a coin has sensitivity above 0, a bound of at least it and sigma above 0, were "
              + sensitivity
              + ", "
              + bound
              + ", "
              + sigma);
    }
    double mu = sensitivity / sigma;
    double lowest = (threshold - bound) / sigma + mu;
    double highest = threshold / sigma;
    return epsilon -> {
      double worst = mu / 2 - epsilon / mu;
      double heads = Math.max(lowest, Math.min(highest, worst));
      // Tails: 1 - Phi(u) = Phi(-u), and -u runs over [-highest + mu, -lowest + mu].
      double tails = Math.max(mu - highest, Math.min(mu - lowest, worst));
      double x = mu + Math.max(Math.abs(heads), Math.abs(tails)) + Math.abs(worst);
      double magnitude = epsilon + x * (1 + x);
      return Math.max(
          Profiles.difference(
              StandardNormal.lnPhi(heads), epsilon + StandardNormal.lnPhi(heads - mu), magnitude),
          Profiles.difference(
              StandardNormal.lnPhi(tails), epsilon + StandardNormal.lnPhi(tails - mu), magnitude));
    };
  }
}
