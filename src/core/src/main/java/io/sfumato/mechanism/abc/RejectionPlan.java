// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Precision;
import java.util.function.DoublePredicate;

/** The least noise of rejection ABC. */
public final class RejectionPlan {
  private RejectionPlan() {}

  /**
   * One answer of pure epsilon: by the exact log-ratio, or by the paper's Theorem 3.1.
   *
   * @param sensitivity D, above 0 and at most the bound
   * @param bound B of the distance
   * @param threshold above 0 and at most the bound
   * @param accountant exact or paper
   * @throws IllegalArgumentException for other accountants
   */
  public static RejectionCoin single(
      Epsilon epsilon, double sensitivity, double bound, double threshold, Accountant accountant) {
    RejectionCoin.requireDistance(sensitivity, bound, threshold);
    double allowed = epsilon.roundedDown();
    double sigma =
        switch (accountant) {
          case EXACT ->
              smallest(
                  s -> new RejectionCoin(sensitivity, bound, threshold, s).epsilon() <= allowed,
                  bound,
                  1e-12);
          case PAPER ->
              smallest(
                  s ->
                      new RejectionCoin(sensitivity, bound, threshold, s).paperEpsilon() <= allowed,
                  bound,
                  1e-12);
          case RENYI ->
              throw new IllegalArgumentException(
                  "one answer is purely private: accountants exact and paper");
        };
    return new RejectionCoin(sensitivity, bound, threshold, sigma);
  }

  /**
   * T answers at (epsilon, delta), by the composed loss distribution of the coin: never worse than
   * the Gaussian that the coins are post-processing of, nor than T times their pure epsilon.
   *
   * @param candidates T, at least 1
   * @param sensitivity D, above 0 and at most the bound
   * @param bound B of the distance
   * @param threshold above 0 and at most the bound
   */
  public static RejectionCoin composed(
      Epsilon epsilon,
      Delta delta,
      long candidates,
      double sensitivity,
      double bound,
      double threshold) {
    RejectionCoin.requireDistance(sensitivity, bound, threshold);
    double eps = epsilon.roundedDown();
    double failure = delta.roundedDown();
    double sigma =
        smallest(
            s -> {
              RejectionCoin coin = new RejectionCoin(sensitivity, bound, threshold, s);
              return coin.epsilon() * candidates <= eps
                  || PldAccountant.of(coin.profile(), candidates, Precision.FINE)
                          .delta(eps, failure)
                      <= failure;
            },
            bound,
            1e-6);
    return new RejectionCoin(sensitivity, bound, threshold, sigma);
  }

  /** The smallest sigma that passes: the loss falls with the noise. */
  private static double smallest(DoublePredicate passes, double start, double precision) {
    DoublePredicate tooSmall = sigma -> !passes.test(sigma);
    return Bisection.around(start, 0, 1e15 * start, tooSmall)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no noise scale meets this target; raise epsilon " + "or delta"))
        .narrowed(precision, tooSmall)
        .high();
  }
}
