// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.OptionalDouble;
import org.apache.commons.math3.special.Beta;

/**
 * The Dirichlet mechanism y ~ Dirichlet(k p) without prior, with the guarantee of Gohari, Wu,
 * Hawkins, Hale, Topcu, "Differential Privacy on the Unit Simplex via the Dirichlet Mechanism"
 * (2021): for p with p_i >= eta on a set W of categories and at most 1 - etaBar in all on W, and
 * neighbours at L1 distance b,
 *
 * <pre>
 *   eps   = ln[ B(k eta, k (1 - etaBar - eta)) / B(k (eta + b/2), k (1 - etaBar - eta - b/2)) ]
 *           + k b/2 ln[ (1 - (|W|-1) gamma) / gamma ]
 *   delta = 1 - min P[y_i >= gamma for all i in W]
 * </pre>
 *
 * delta by the union over W of exact Beta tails at the worst vertex: at delta = 1e-5 the union
 * bound is off by a relative 1e-5 at most (Bonferroni), where the authors' integration loses all
 * digits.
 *
 * @param eta smallest share on W, which must be known in public
 * @param etaBar share outside W, likewise
 * @param onW number of categories in W, at least 2
 * @param distance b
 */
record Gohari(double eta, double etaBar, int onW, double distance) {
  private static final double SMALLEST_GAMMA = 1e-300;

  /** Delta at k and gamma. */
  double delta(double k, double gamma) {
    // Worst where as many categories as can be are as small as can be.
    double largest = 1 - etaBar - (onW - 1) * eta;
    double small = Beta.regularizedBeta(gamma, k * eta, k * (1 - eta));
    double large = Beta.regularizedBeta(gamma, k * largest, k * (1 - largest));
    return (onW - 1) * small + large;
  }

  /** Epsilon at k and gamma. */
  double epsilon(double k, double gamma) {
    return ofNormalisers(k) + k * distance / 2 * (Math.log1p(-(onW - 1) * gamma) - Math.log(gamma));
  }

  private double ofNormalisers(double k) {
    double other = 1 - etaBar - eta;
    double moved = distance / 2;
    return Beta.logBeta(k * eta, k * other) - Beta.logBeta(k * (eta + moved), k * (other - moved));
  }

  /** Whether some gamma gives (epsilon, delta) at k: epsilon falls and delta grows with gamma. */
  boolean holds(double k, double epsilon, double delta) {
    // The least gamma that gives epsilon: where the two terms of epsilon(k, gamma) add up to it.
    double left = (epsilon - ofNormalisers(k)) / (k * distance / 2);
    double gamma = 1 / (Math.exp(left) + onW - 1);
    return gamma <= 1.0 / onW && delta(k, gamma) <= delta;
  }

  /** The smallest epsilon at k with a delta: at the largest gamma that it allows. */
  OptionalDouble epsilonAt(double k, double delta) {
    if (delta(k, SMALLEST_GAMMA) > delta) {
      return OptionalDouble.empty();
    }
    double low = Math.log(SMALLEST_GAMMA);
    double high = Math.log(1.0 / onW);
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (delta(k, Math.exp(middle)) > delta) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return OptionalDouble.of(epsilon(k, Math.exp(low)));
  }

  /** The largest k at (epsilon, delta); nothing if there is none, however small k is. */
  OptionalDouble largestK(double epsilon, double delta) {
    double best = Double.NaN;
    for (double lnK = Math.log(1e6); lnK > Math.log(1e-3); lnK -= 0.001) {
      double k = Math.exp(lnK);
      OptionalDouble found = epsilonAt(k, delta);
      if (found.isPresent() && found.getAsDouble() <= epsilon) {
        best = k;
        break;
      }
    }
    return Double.isNaN(best) ? OptionalDouble.empty() : OptionalDouble.of(best);
  }
}
