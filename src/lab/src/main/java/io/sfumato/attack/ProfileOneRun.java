// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.PrivacyProfile;

/**
 * The bound of {@link OneRunBound} for a profile. Weights a_c >= 0, c = 1 to v, for (*) with T =
 * {c, ..., r} and some epsilon_c bound P[N >= v] by {@code lambda + m sum a_c delta(epsilon_c)}
 * wherever, with A(i) and B(i) the sums of a_c and of a_c e^epsilon_c over c up to i,
 *
 * <pre>  i A(i) - (r - i) B(i + 1)  >=  1[i >= v] - lambda     for i = 0, ..., r:</pre>
 *
 * multiply (*) by its weight, add up, and the left side times p_i adds up to at least P[N >= v] -
 * lambda. For i below v it is made to hold with equality, one after the other, which gives the
 * weights; at v it gives lambda; and beyond v it holds, since there the left side rises with i. So
 * a bound is proved by its own weights, whatever epsilons were chosen.
 *
 * <p>A claim with a delta lets everything be told with that probability. So a level far below the
 * chances at which the claim says something shows little: see {@link OneRun#runs}.
 */
final class ProfileOneRun implements OneRunBound {
  private static final double WIDEST = 16;
  private static final int PLACES = 801;
  private static final double LARGE = 1e150;

  private final double[] epsilons = new double[PLACES];
  private final double[] deltas = new double[PLACES];

  /** At many epsilons of either sign, since both directions are alike. */
  ProfileOneRun(PrivacyProfile profile) {
    for (int i = 0; i < PLACES; i++) {
      double epsilon = WIDEST * (1 - 2.0 * i / (PLACES - 1));
      double there = profile.delta(Math.abs(epsilon));
      epsilons[i] = epsilon;
      deltas[i] =
          epsilon >= 0 ? there : -StrictMath.expm1(epsilon) + StrictMath.exp(epsilon) * there;
    }
  }

  @Override
  public boolean refutes(int canaries, int guesses, int right, double level) {
    return right > 0
        && chance(canaries, guesses, right, places(canaries, guesses, right, level)) < level;
  }

  /**
   * Which epsilon is tight for each c, if N were v with this chance, and otherwise as small as (*)
   * lets it be: a choice, which needs no proof.
   */
  private int[] places(int m, int r, int v, double level) {
    int[] places = new int[v + 1];
    double rights = v * level;
    double wrongs = (r - v) * level;
    int place = 0;
    for (int c = v; c >= 1; c--) {
      double chance = Math.min(1, rights / m);
      // Chances rise on the way, so epsilons fall.
      while (place + 1 < PLACES && least(place + 1, chance) >= least(place, chance)) {
        place++;
      }
      places[c] = place;
      double less = Math.max(0, m * least(place, chance) - wrongs) / (r - c + 1);
      rights += (c - 1) * less;
      wrongs += (r - c + 1) * less;
    }
    return places;
  }

  /** The least chance under a neighbour of an event of so large a chance. */
  private double least(int place, double chance) {
    return (chance - deltas[place]) * StrictMath.exp(-epsilons[place]);
  }

  /** lambda + m sum a_c delta(epsilon_c), rounded up; 1 where no lambda is enough. */
  private double chance(int m, int r, int v, int[] places) {
    // All in units of lambda, and of more where that is too large.
    double unit = 1;
    double a = 0;
    double b = 0;
    double paid = 0;
    for (int i = 0; i < v; i++) {
      double next = (i * a + unit) / (r - i);
      double weight = Math.max(0, next - b) * StrictMath.exp(-epsilons[places[i + 1]]);
      a += weight;
      b = next;
      paid += weight * deltas[places[i + 1]];
      if (a > LARGE || b > LARGE) {
        unit /= LARGE;
        a /= LARGE;
        b /= LARGE;
        paid /= LARGE;
      }
    }
    double all = unit + v * a - (r - v) * b;
    return all > 0 ? Math.min(1, (unit + m * paid) / all * (1 + 1e-9)) : 1;
  }
}
