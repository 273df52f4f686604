package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.mechanism.PlanningModel;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.math3.analysis.UnivariateFunction;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.univariate.BrentOptimizer;
import org.apache.commons.math3.optim.univariate.SearchInterval;
import org.apache.commons.math3.optim.univariate.UnivariateObjectiveFunction;

/** How (r, a) follows from what one release may cost at one order. */
public enum Calibration {
  /** Algorithm 1 of the paper: a is tied to r, and r is the largest that its bound allows. */
  PAPER("paper") {
    @Override
    double divergence(double order, double r, double a) {
      return DirichletDivergence.paper(order, r, a);
    }

    @Override
    public Optional<DirichletParameters> calibrate(
        double order, long allowedUnits, PlanningModel model) {
      return largestR(order, allowedUnits, r -> 1 + 4 * (order - 1) * r);
    }
  },

  /** Theorem A: among all pairs that it allows, the one with the least expected KL. */
  EXACT("exact") {
    @Override
    double divergence(double order, double r, double a) {
      return DirichletDivergence.replaceOne(order, r, a);
    }

    @Override
    public Optional<DirichletParameters> calibrate(
        double order, long allowedUnits, PlanningModel model) {
      UnivariateFunction error =
          lnA ->
              largestR(order, allowedUnits, r -> StrictMath.exp(lnA))
                  .map(pair -> model.expectedKl(pair.r(), pair.a()))
                  .orElse(Double.MAX_VALUE);
      // A coarse grid first: Brent's method finds the minimum of the valley it starts in.
      double low = StrictMath.log(DirichletParameters.SMALLEST_A);
      double step = (StrictMath.log(LARGEST_A) - low) / VALLEYS;
      double best = low;
      for (int i = 1; i <= VALLEYS; i++) {
        double lnA = low + i * step;
        best = error.value(lnA) < error.value(best) ? lnA : best;
      }
      double lnA =
          new BrentOptimizer(1e-6, 1e-9)
              .optimize(
                  new UnivariateObjectiveFunction(error),
                  GoalType.MINIMIZE,
                  new MaxEval(500),
                  new SearchInterval(Math.max(low, best - step), best + step))
              .getPoint();
      return largestR(order, allowedUnits, r -> StrictMath.exp(lnA));
    }
  };

  private static final double LARGEST_A = 0x1.0p19;
  private static final int VALLEYS = 14;

  private final String word;

  Calibration(String word) {
    this.word = word;
  }

  /** The word that a pipeline file uses. */
  public String word() {
    return word;
  }

  /** The bound on which this calibration, and the charge of its releases, rests. */
  abstract double divergence(double order, double r, double a);

  /**
   * Chooses the pair of one release.
   *
   * @param order Rényi order of the share
   * @param allowedUnits what the release may cost at that order, in {@link RenyiUnits}
   * @param model public guess of the dataset
   * @return nothing if the allowance is too small for any pair of the grid
   */
  public abstract Optional<DirichletParameters> calibrate(
      double order, long allowedUnits, PlanningModel model);

  /** The Rényi curve of one release with a pair. */
  public RenyiCurve curve(DirichletParameters pair) {
    return RenyiCurve.of(order -> divergence(order, pair.r(), pair.a()));
  }

  /** Bisection on the grid of r: the divergence grows with r, also along the paper's a(r). */
  Optional<DirichletParameters> largestR(
      double order, long allowedUnits, DoubleUnaryOperator aOfR) {
    long fits = 0;
    long tooMuch = 1L << 49;
    while (tooMuch - fits > 1) {
      long middle = (fits + tooMuch) >>> 1;
      double r = middle / DirichletParameters.STEPS;
      double a = aOfR.applyAsDouble(r);
      if (a <= LARGEST_A && cost(order, r, a) <= allowedUnits) {
        fits = middle;
      } else {
        tooMuch = middle;
      }
    }
    if (fits == 0) {
      return Optional.empty();
    }
    double r = fits / DirichletParameters.STEPS;
    return Optional.of(DirichletParameters.rounded(r, aOfR.applyAsDouble(r)));
  }

  private long cost(double order, double r, double a) {
    return RenyiUnits.ofCharge(divergence(order, r, a));
  }
}
