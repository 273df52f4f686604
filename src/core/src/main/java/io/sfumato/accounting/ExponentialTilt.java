// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/** Chooses a tilt: every one gives a bound, a near-best one a good bound. */
final class ExponentialTilt {
  /** The largest. */
  static final double STEEPEST = 1e7;

  private static final double FLATTEST = 1e-6;

  private ExponentialTilt() {}

  /** Where a function with one valley is least; any point will do, a near one is better. */
  static double minimum(UnivariateFunction function, double steepest) {
    double low = StrictMath.log(FLATTEST);
    double high = StrictMath.log(steepest);
    UnivariateFunction onLogarithm = ln -> function.value(StrictMath.exp(ln));
    double ln =
        new BrentOptimizer(1e-4, 1e-6)
            .optimize(
                new UnivariateObjectiveFunction(onLogarithm),
                GoalType.MINIMIZE,
                new MaxEval(200),
                new SearchInterval(low, high))
            .getPoint();
    return StrictMath.exp(ln);
  }
}
