// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.RenyiCurve;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;

/**
 * What is promised of a draw: an epsilon for each delta. An attack that finds more than it has
 * refuted it.
 *
 * @param epsilonAt the epsilon that is claimed at a delta in [0, 1); +infinity for no claim
 */
public record PrivacyClaim(DoubleUnaryOperator epsilonAt) {
  private static final double MOST = 1e4;

  /** So many deltas, from 1 down, stand for all. */
  private static final int DELTAS = 601;

  /** The epsilon that is claimed at a delta in [0, 1), in nats. */
  public double epsilon(double delta) {
    return epsilonAt.applyAsDouble(delta);
  }

  /** Purely epsilon. */
  public static PrivacyClaim pure(double epsilon) {
    return new PrivacyClaim(delta -> epsilon);
  }

  /** By a profile alone. */
  public static PrivacyClaim of(PrivacyProfile profile) {
    return new PrivacyClaim(delta -> inverse(profile, delta));
  }

  /** The least that any of a charge's proofs says of one draw. */
  public static PrivacyClaim of(PrivacyCost charge) {
    return ofMany(charge, 1);
  }

  /**
   * Of several draws with one charge: by the sum of its Rényi curve, of its pure epsilon, and of
   * one draw by its profile.
   */
  public static PrivacyClaim ofMany(PrivacyCost charge, long draws) {
    RenyiCurve curve = RenyiCurve.zero().plus(draws, charge.curve());
    return new PrivacyClaim(
        delta -> {
          double least = charge.pure().orElse(Double.POSITIVE_INFINITY) * draws;
          if (delta > 0) {
            least = Math.min(least, Conversion.epsilon(curve, delta));
            if (draws == 1 && charge.profile().isPresent()) {
              least = Math.min(least, inverse(charge.profile().get(), delta));
            }
          }
          return least;
        });
  }

  /**
   * A profile that whatever keeps to the claim keeps to: at each epsilon the least of many deltas,
   * 1 to 1e-15, and 0, at which no more is claimed.
   */
  public PrivacyProfile profile() {
    double[] epsilons = new double[DELTAS + 1];
    for (int i = 0; i < DELTAS; i++) {
      epsilons[i] = i == 0 ? 0 : epsilon(delta(i));
    }
    epsilons[DELTAS] = epsilon(0);
    return epsilon -> {
      int least = DELTAS;
      while (epsilons[least] > epsilon) {
        least--;
      }
      return least == DELTAS ? 0 : delta(least);
    };
  }

  private static double delta(int place) {
    return StrictMath.pow(10, -15.0 * place / (DELTAS - 1));
  }

  /** The same where something more may happen with a probability, as that a name passes. */
  public PrivacyClaim but(double chance) {
    return new PrivacyClaim(
        delta -> delta >= chance ? epsilon(delta - chance) : Double.POSITIVE_INFINITY);
  }

  private static double inverse(PrivacyProfile profile, double delta) {
    if (profile.delta(0) <= delta) {
      return 0;
    }
    DoublePredicate tooMuch = epsilon -> profile.delta(epsilon) > delta;
    return Bisection.doubling(1, MOST, tooMuch)
        .map(bracket -> bracket.halved(60, tooMuch).high())
        .orElse(Double.POSITIVE_INFINITY);
  }
}
