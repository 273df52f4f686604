// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.Optional;

/**
 * The pair (r, a) of y ~ Dirichlet(r f + a) with the least expected KL of a public plan that {@link
 * Gohari}'s guarantee affords. With a prior, y ~ Dirichlet(k p) with k = r n + d a, and every share
 * of p is at least a / k whatever the n records are, so the guarantee needs no private knowledge:
 * all categories are protected, and replacing one record moves p by 2 r / k.
 */
final class GohariPlan {
  private static final double SMALLEST_R = 1e-9;
  private static final double LARGEST_R = 1e4;
  private static final int HALVINGS = 24;

  /** Priors tried, evenly spaced in logarithm; then as many between the neighbours of the best. */
  private static final int PRIORS = 12;

  private static final double LARGEST_A = 4096;

  private GohariPlan() {}

  /**
   * The best pair of one release at (epsilon, delta).
   *
   * @param rows the guarantee is sought for the largest row, the error for the planned one
   */
  static Optional<DirichletParameters> best(double epsilon, double delta, PublicRows rows) {
    PlanningModel plan = rows.plan();
    double low = Math.log(DirichletParameters.SMALLEST_A);
    double high = Math.log(LARGEST_A);
    Optional<DirichletParameters> best = Optional.empty();
    for (int round = 0; round < 2; round++) {
      double step = (high - low) / PRIORS;
      for (int i = 0; i <= PRIORS; i++) {
        Optional<DirichletParameters> found =
            largestR(epsilon, delta, rows, Math.exp(low + i * step));
        if (found.isPresent() && (best.isEmpty() || error(plan, found) < error(plan, best))) {
          best = found;
        }
      }
      double middle = best.isEmpty() ? low : Math.log(best.get().a());
      low = Math.max(Math.log(DirichletParameters.SMALLEST_A), middle - step);
      high = middle + step;
    }
    return best;
  }

  private static double error(PlanningModel plan, Optional<DirichletParameters> pair) {
    return plan.expectedKl(pair.get().r(), pair.get().a());
  }

  /** The largest r, by bisection of its logarithm. */
  private static Optional<DirichletParameters> largestR(
      double epsilon, double delta, PublicRows rows, double a) {
    double low = SMALLEST_R;
    double high = LARGEST_R;
    if (!fits(epsilon, delta, rows, low, a)) {
      return Optional.empty();
    }
    for (int i = 0; i < HALVINGS; i++) {
      double middle = Math.sqrt(low * high);
      if (fits(epsilon, delta, rows, middle, a)) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return Optional.of(DirichletParameters.rounded(low, a));
  }

  private static boolean fits(double epsilon, double delta, PublicRows rows, double r, double a) {
    int categories = Math.max(2, rows.categories());
    double k = r * rows.largest() + categories * a;
    return new Gohari(a / k, 0, categories, 2 * r / k).holds(k, epsilon, delta);
  }
}
