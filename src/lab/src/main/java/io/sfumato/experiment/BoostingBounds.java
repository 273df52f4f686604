// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

/**
 * What the papers promise of boosted densities, from one round's weak-learning constants: as
 * printed, and as proved.
 *
 * @param theta step
 * @param largest c*, the largest |c|, at most ln 2
 * @param gammaP E_P[c] / c*
 * @param gammaQ E_Q[-c] / c*
 */
record BoostingBounds(double theta, double largest, double gammaP, double gammaQ) {
  private static final double LN2 = Math.log(2);

  /** gamma_Q at least 1/3: the high boosting regime. */
  boolean isHigh() {
    return gammaP > 0 && gammaQ >= 1.0 / 3;
  }

  /** The drop of KL(P, Q) in this round by Theorem 6 of the long paper (Theorem 5), as printed. */
  double printedDrop() {
    if (gammaP <= 0 || gammaQ <= 0) {
      return 0; // no weak learner: nothing is said
    }
    return theta
        * (isHigh() ? largest * gammaP + gamma(gammaQ) : gammaP + gammaQ - largest * theta / 2);
  }

  /**
   * The drop that the proofs give, for any c. Lemma 14 replaces c* by ln 2 under gamma_Q, and
   * equation 43 has a factor c* that the statement dropped; both bounds hold in both regimes.
   */
  double provedDrop() {
    double high = largest * gammaP + gamma(gammaQ * largest / LN2);
    double low = largest * (gammaP + gammaQ - largest * theta / 2);
    return theta * Math.max(high, low);
  }

  /** Gamma(z) = ln(4 / (5 - 3 z)). */
  private static double gamma(double z) {
    return Math.log(4 / (5 - 3 * z));
  }

  /**
   * The drop of all rounds by Theorem 7 of the long paper (Theorem 6), as printed. With constants
   * that are the same in every round no learner attains it: the proof takes Gamma(z) to be at least
   * z ln 2, but it is at most that, and Jensen's inequality bounds the true drop by the same number
   * from above.
   *
   * @param thetaT the last step
   */
  static double printedTotal(double epsilon, double gammaP, double gammaQ, double thetaT) {
    return epsilon / 2 * (gammaP + gammaQ) / 2 * (1 - thetaT);
  }

  /**
   * The least alpha in [0, 1] with which Theorem 8 of the long paper (Theorem 7) speaks of a region
   * of mass M(B, P); above 1 if it is silent.
   */
  static double leastAlpha(
      double epsilon, double gammaP, double gammaQ, int rounds, double massOfP) {
    // M >= eps h((2 - gammaP - gammaQ) T) / (h(alpha) h(T)), h(x) = eps + 2 x
    double numerator = epsilon * (epsilon + 2 * (2 - gammaP - gammaQ) * rounds);
    double needed = numerator / ((epsilon + 2.0 * rounds) * massOfP);
    return Math.max(0, (needed - epsilon) / 2);
  }

  /**
   * Mass of a region that lemmas 15 and 16 promise from the drop that was made.
   *
   * @param klOfRegion KL(P, Q0) restricted to the region
   */
  static double massByDrop(double epsilon, double massOfP, double klOfRegion, double drop) {
    return (1 + epsilon / 2) * massOfP - epsilon / 2 - klOfRegion + drop;
  }
}
