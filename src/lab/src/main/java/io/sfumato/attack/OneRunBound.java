// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import io.sfumato.accounting.PrivacyProfile;
import org.apache.commons.math3.special.Beta;

/**
 * One run, many canaries (Steinke, Nasr, Jagielski 2023; for a whole profile Mahloujifar, Melis,
 * Chaudhuri 2024): each of m canaries is in or out by a fair coin of its own, and of r of them the
 * attacker says which. Nobody who keeps to a claim lets many of them be right.
 *
 * <p>With N right guesses and p_i = P[N = i], for every set T of numbers and every epsilon
 *
 * <pre>
 *   sum_(i in T) i p_i  <=  e^epsilon sum_(i in T) (r - i + 1) p_(i-1)  +  m delta(epsilon)     (*)
 * </pre>
 *
 * since, with all other coins as they are, a right guess of one canary with N in T is a wrong one
 * with N + 1 in T where that coin falls otherwise: the same event, of a neighbour; then add up over
 * the canaries.
 */
public interface OneRunBound {
  /**
   * Whether the claim lets so many guesses be right with a chance below a level.
   *
   * @param canaries m, at least 1
   * @param guesses r, fixed before, 1 to m
   * @param right v, 0 to r
   * @param level in (0, 1)
   */
  boolean refutes(int canaries, int guesses, int right, double level);

  /**
   * Of a purely private claim. With T of one number, p_i / p_(i-1) is at most that of a binomial
   * law of chance e^epsilon / (1 + e^epsilon), which therefore is the largest law there is.
   */
  static OneRunBound pure(double epsilon) {
    double chance = 1 / (1 + StrictMath.exp(-epsilon));
    return (canaries, guesses, right, level) ->
        right > 0
            && Beta.regularizedBeta(chance, right, guesses - right + 1.0) * (1 + 1e-9) < level;
  }

  /**
   * Of any profile, where every canary has an output and noise of its own: independent ones, once
   * the coins have fallen. Far nearer to the truth, since right guesses cannot go together.
   */
  static OneRunBound apart(PrivacyProfile profile) {
    return new ApartOneRun(profile);
  }

  /** Of any profile. */
  static OneRunBound of(PrivacyProfile profile) {
    return new ProfileOneRun(profile);
  }
}
