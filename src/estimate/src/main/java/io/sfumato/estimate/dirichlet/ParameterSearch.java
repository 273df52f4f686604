// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import io.sfumato.accounting.Bisection;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/**
 * Finds pairs (r, a) that a privacy test allows. Deterministic to the last bit on every machine.
 */
final class ParameterSearch {
  private static final double LARGEST_A = 0x1.0p19;
  private static final int VALLEYS = 14;

  private ParameterSearch() {}

  /** Whether a pair costs no more than is allowed: true for small r, false for large ones. */
  interface Allowed {
    boolean test(double r, double a);
  }

  /** Among all allowed pairs the one with the least expected KL; nothing if there is none. */
  static Optional<DirichletParameters> best(Allowed allowed, PlanningModel model) {
    UnivariateFunction error =
        lnA ->
            largestR(allowed, r -> StrictMath.exp(lnA))
                .map(pair -> model.expectedKl(pair.r(), pair.a()))
                .orElse(Double.MAX_VALUE);
    // A coarse grid first: Brent's method finds the minimum of the valley it starts in.
    double low = StrictMath.log(DirichletParameters.SMALLEST_A);
    double step = (StrictMath.log(LARGEST_A) - low) / VALLEYS;
    double valley = low;
    for (int i = 1; i <= VALLEYS; i++) {
      double lnA = low + i * step;
      valley = error.value(lnA) < error.value(valley) ? lnA : valley;
    }
    double lnA = minimum(error, Math.max(low, valley - step), valley + step, 1e-6);
    return largestR(allowed, r -> StrictMath.exp(lnA));
  }

  /** The place of the least value in an interval with one valley, roughly. */
  static double least(double low, double high, UnivariateFunction error) {
    return minimum(error, low, high, 0.01);
  }

  private static double minimum(
      UnivariateFunction error, double low, double high, double precision) {
    return new BrentOptimizer(precision, 1e-9)
        .optimize(
            new UnivariateObjectiveFunction(error),
            GoalType.MINIMIZE,
            new MaxEval(500),
            new SearchInterval(low, high))
        .getPoint();
  }

  /**
   * A pair that has passed the test itself: the search tested r with an a that was not rounded yet,
   * and the bounds have roundings too. If the pair does not pass, r falls until it does.
   */
  static Optional<DirichletParameters> tested(Allowed allowed, DirichletParameters pair) {
    long r = pair.rSteps();
    for (long less = 1; r > 0; r -= less, less *= 2) {
      DirichletParameters lower = new DirichletParameters(r, pair.aSteps());
      if (allowed.test(lower.r(), lower.a())) {
        return Optional.of(lower);
      }
    }
    return Optional.empty();
  }

  /** Bisection on the grid of r, along a curve a(r) on which the cost grows with r. */
  static Optional<DirichletParameters> largestR(Allowed allowed, DoubleUnaryOperator aOfR) {
    long fits =
        Bisection.largest(
            0,
            1L << 49,
            steps -> {
              double r = steps / DirichletParameters.STEPS;
              double a = aOfR.applyAsDouble(r);
              return a <= LARGEST_A && allowed.test(r, a);
            });
    if (fits == 0) {
      return Optional.empty();
    }
    double r = fits / DirichletParameters.STEPS;
    return Optional.of(DirichletParameters.rounded(r, aOfR.applyAsDouble(r)));
  }
}
