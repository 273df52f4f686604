package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.RenyiCurve;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.mechanism.PlanningModel;
import java.util.Optional;

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
      return ParameterSearch.largestR(allowed(order, allowedUnits), r -> 1 + 4 * (order - 1) * r);
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
      return ParameterSearch.best(allowed(order, allowedUnits), model);
    }
  };

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

  ParameterSearch.Allowed allowed(double order, long allowedUnits) {
    return (r, a) -> RenyiUnits.ofCharge(divergence(order, r, a)) <= allowedUnits;
  }
}
