// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.RejectionPlan;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** The noise of whole queries, as the ABCDP paper sets it and as tight as it can be proved. */
final class AbcCalibration {
  /** The paper's, for soft ABC. */
  static final Delta DELTA = Delta.of("1e-4");

  private AbcCalibration() {}

  /**
   * A Gaussian's mu by the conversion of the paper's tool: epsilon = mu^2/2 + mu sqrt(2
   * ln(1/delta)).
   */
  static double paperMu(double epsilon) {
    double l = -Math.log(DELTA.roundedDown());
    return Math.sqrt(2) * (Math.sqrt(l + epsilon) - Math.sqrt(l));
  }

  static double exactMu(double epsilon) {
    return GaussianBudget.mu(epsilonOf(epsilon), DELTA, Accountant.EXACT);
  }

  /** The paper's Algorithm 1: T coins of pure epsilon / T, by Theorem 3.1. */
  static double paperCoin(
      double epsilon, int candidates, double sensitivity, double bound, double threshold) {
    return RejectionPlan.single(
            part(epsilon, candidates), sensitivity, bound, threshold, Accountant.PAPER)
        .sigma();
  }

  /** The same guarantee, purely private, by the exact log-ratio. */
  static double pureCoin(
      double epsilon, int candidates, double sensitivity, double bound, double threshold) {
    return RejectionPlan.single(
            part(epsilon, candidates), sensitivity, bound, threshold, Accountant.EXACT)
        .sigma();
  }

  /** T coins at (epsilon, 1e-4), by their composed loss distribution. */
  static RejectionCoin composedCoin(
      double epsilon, int candidates, double sensitivity, double bound, double threshold) {
    return RejectionPlan.composed(
        epsilonOf(epsilon), DELTA, candidates, sensitivity, bound, threshold);
  }

  static Epsilon epsilonOf(double epsilon) {
    return new Epsilon(BigDecimal.valueOf(epsilon));
  }

  private static Epsilon part(double epsilon, int candidates) {
    MathContext down = new MathContext(20, RoundingMode.FLOOR);
    return new Epsilon(BigDecimal.valueOf(epsilon).divide(BigDecimal.valueOf(candidates), down));
  }
}
