// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.Profiles;
import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.ExactBernoulli;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rejection ABC: {@code 1[rho + N(0, sigma^2) <= threshold]}, which is a coin of bias {@code
 * Phi((threshold - rho) / sigma)}: the coin is drawn, not the noise.
 *
 * @param sensitivity D: how far replacing one record moves rho, above 0
 * @param bound B: rho is clipped to [0, B] by a public rule; at least D
 * @param threshold above 0, at most B
 * @param sigma of the noise, above 0
 */
public record RejectionCoin(double sensitivity, double bound, double threshold, double sigma)
    implements QueryNoise {
  /** Bounds the error of two lnPhi and of their arguments, for each nat and one more. */
  private static final double LN_PHI_ERROR = 2e-14;

  /**
   * @throws IllegalArgumentException unless the sensitivity and the threshold are above 0 and at
   *     most the bound, and sigma is above 0 and finite
   */
  public RejectionCoin {
    requireDistance(sensitivity, bound, threshold);
    if (!(sigma > 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be above 0, was " + sigma);
    }
  }

  static void requireDistance(double sensitivity, double bound, double threshold) {
    if (!(sensitivity > 0) || !(bound >= sensitivity) || bound == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException(
          "sensitivity must be above 0 and at most the bound, were " + sensitivity + ", " + bound);
    }
    if (!(threshold > 0 && threshold <= bound)) {
      throw new IllegalArgumentException(
          "threshold must be above 0 and at most the bound " + bound + ", was " + threshold);
    }
  }

  /**
   * The default public clip of distances: 2 thresholds. It lowers the bound, not D.
   *
   * @param threshold above 0
   */
  public static double clip(double threshold) {
    return 2 * threshold;
  }

  /**
   * The exact pure epsilon. Phi is log-concave, so the largest log-ratio lies at an end of [0, B]:
   *
   * <pre>
   *   eps = max( lnPhi((e - B + D)/s) - lnPhi((e - B)/s),  lnPhi((D - e)/s) - lnPhi(-e/s) )
   * </pre>
   */
  public double epsilon() {
    double heads =
        StandardNormal.lnPhi((threshold - bound + sensitivity) / sigma)
            - StandardNormal.lnPhi((threshold - bound) / sigma);
    double tails =
        StandardNormal.lnPhi((sensitivity - threshold) / sigma)
            - StandardNormal.lnPhi(-threshold / sigma);
    // Differences of logarithms, which are wrong by parts of their own magnitude.
    double error =
        LN_PHI_ERROR
            * (1
                + Math.abs(StandardNormal.lnPhi((threshold - bound) / sigma))
                + Math.abs(StandardNormal.lnPhi(-threshold / sigma)));
    return Math.max(heads, tails) * (1 + 1e-12) + error;
  }

  /** The paper's bound (Theorem 3.1, equation 11). */
  public double paperEpsilon() {
    double shift = Math.min(1, sensitivity / (sigma * Math.sqrt(2 * Math.PI)));
    double tail = Math.min(threshold - bound, -threshold) / sigma;
    return shift * StrictMath.exp(-StandardNormal.lnPhi(tail));
  }

  /**
   * The exact privacy profile of one answer: heads with probability Phi((threshold - rho) / sigma)
   * for a distance rho in [0, bound] that moves by at most D. With t the larger of the two
   * arguments of Phi, {@code Phi(t) - e^eps Phi(t - mu)} rises up to t = mu/2 - eps/mu and falls
   * after it, so the worst rho is that one or an end. Tails likewise, with the ends mirrored.
   */
  public PrivacyProfile profile() {
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

  /**
   * The chance of acceptance at a distance, which is clipped to [0, B].
   *
   * @param rho the distance
   * @throws IllegalArgumentException if the distance is not a number
   */
  public double acceptance(double rho) {
    if (Double.isNaN(rho)) {
      throw new IllegalArgumentException("a distance is a number");
    }
    double clipped = Math.max(0, Math.min(bound, rho));
    return ExactBernoulli.clamp(
        StrictMath.exp(StandardNormal.lnPhi((threshold - clipped) / sigma)));
  }

  @Override
  public double scale() {
    return sigma;
  }

  @Override
  public void encode(CanonicalEncoder encoder) {
    encoder
        .text("coin")
        .number(Double.doubleToLongBits(bound))
        .number(Double.doubleToLongBits(threshold))
        .number(Double.doubleToLongBits(sigma));
  }

  @Override
  public OutputDistribution<NoisyAnswer> answer(double rho, Optional<State> state) {
    double heads = acceptance(rho);
    return distribution(random -> ExactBernoulli.heads(random, heads) ? 1 : 0);
  }

  @Override
  public OptionalDouble divergence(double order, double rho, double other) {
    return OptionalDouble.of(RenyiDivergences.finite(order, sides(rho), sides(other)));
  }

  private double[] sides(double rho) {
    double heads = acceptance(rho);
    return new double[] {heads, 1 - heads};
  }
}
