// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.dirichlet;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiOrders;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.ComposedBudget;
import io.sfumato.estimate.ExpectedKl;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;

/**
 * Chooses (r, a) for a share: among all pairs that it affords, the one with the least expected KL
 * under the public planning model.
 */
public final class DirichletCalibrator {
  /**
   * The exact a lies near the Rényi one: in the table of docs/theory/dirichlet.md between 0.8 and 1
   * of it.
   */
  private static final double A_BELOW = 0.6;

  private static final double A_ABOVE = 1.2;

  /** Where searches for r start, from an r that a looser bound allows. */
  private static final double START = 0.995;

  private DirichletCalibrator() {}

  /**
   * Plans, for replacing one record. For other neighbours see {@link #renyi}.
   *
   * @param request what the share must pay for
   * @param accountant that proves that releases fit
   * @param model public guess of shares and size
   * @return nothing if the share affords no such releases
   */
  public static Optional<HistogramPlan> plan(
      CalibrationTarget request, Accountant accountant, PlanningModel model) {
    return switch (accountant) {
      case EXACT -> exact(request, new DirichletBound.ReplaceOne(), model);
      case RENYI -> renyi(request, new DirichletBound.ReplaceOne(), model);
      case PAPER -> renyi(request, new DirichletBound.Paper(), model);
    };
  }

  /**
   * Plans at the one Rényi order with the least expected KL: the choice is by value, then by order.
   *
   * @param request what the share must pay for
   * @param bound that names the neighbours and bounds the loss
   * @param model public guess of shares and size
   * @return nothing if the share affords no such releases
   */
  public static Optional<HistogramPlan> renyi(
      CalibrationTarget request, DirichletBound bound, PlanningModel model) {
    // Parallel: each order is an optimisation of its own.
    return IntStream.range(0, RenyiOrders.size())
        .parallel()
        .mapToObj(place -> at(RenyiOrders.at(place), request, bound, model))
        .flatMap(Optional::stream)
        .reduce((x, y) -> y.expectedKl() < x.expectedKl() ? y : x);
  }

  /**
   * Plans at a given order of the grid.
   *
   * @param order of the grid, above 1
   */
  public static Optional<HistogramPlan> at(
      double order, CalibrationTarget request, DirichletBound bound, PlanningModel model) {
    PrivacyFilter.RenyiFilter counting =
        PrivacyFilter.RenyiFilter.of(request.epsilon(), request.delta(), order);
    long allowed = counting.cap() / request.horizon();
    Optional<DirichletParameters> pair = pair(order, allowed, bound, model);
    return pair.map(found -> plan(request, counting, found, bound, model))
        .filter(plan -> plan.releases() >= request.horizon());
  }

  /**
   * The pair of one release that costs at most {@code budget} at one order.
   *
   * @param order of the grid, above 1
   * @param budget Rényi epsilon in nats, above 0
   * @return nothing if the budget is too small for any pair of the grid
   */
  public static Optional<DirichletParameters> pair(
      double order, double budget, DirichletBound bound, PlanningModel model) {
    long allowed = RenyiUnits.ofBudget(budget);
    return pair(order, allowed, bound, model)
        .flatMap(pair -> ParameterSearch.tested(fits(order, allowed, bound), pair));
  }

  private static ParameterSearch.Allowed fits(double order, long allowed, DirichletBound bound) {
    return (r, a) -> RenyiUnits.ofCharge(bound.divergence(order, r, a)) <= allowed;
  }

  private static Optional<DirichletParameters> pair(
      double order, long allowed, DirichletBound bound, PlanningModel model) {
    ParameterSearch.Allowed fits = fits(order, allowed, bound);
    return bound
        .prior(order)
        .map(prior -> ParameterSearch.largestR(fits, prior))
        .orElseGet(() -> ParameterSearch.best(fits, model));
  }

  /**
   * Plans by the exact profile of one release, composed.
   *
   * @param bound one that has a profile: for replacing one record, with a weight or a least count
   * @throws IllegalArgumentException if it has none
   */
  public static Optional<HistogramPlan> exact(
      CalibrationTarget request, DirichletBound bound, PlanningModel model) {
    if (bound.profile(1, 1).isEmpty()) {
      throw new IllegalArgumentException(
          "no exact profile is proved for " + bound.word() + "; plan by the best Rényi order");
    }
    ComposedBudget budget = ComposedBudget.of(request);
    Optional<DirichletParameters> pair;
    if (request.horizon() == 1) {
      ParameterSearch.Allowed fits = allowed(budget, bound, Precision.FINE);
      pair = ParameterSearch.best(fits, model).flatMap(best -> ParameterSearch.tested(fits, best));
    } else {
      pair = renyi(request, bound, model).map(near -> composed(near, budget, bound, model));
    }
    return pair.map(
        found -> {
          PrivacyCost charge = DirichletMechanism.charge(found, bound);
          PrivacyFilter counting =
              new PrivacyFilter.FixedCountFilter(charge.mechanism(), request.horizon());
          return plan(request, counting, found, bound, model);
        });
  }

  /**
   * Near the Rényi plan, which the composed distribution affords too: a by coarse grids, then r.
   */
  private static DirichletParameters composed(
      HistogramPlan renyi, ComposedBudget budget, DirichletBound bound, PlanningModel model) {
    DirichletParameters near = ((DirichletMechanism) renyi.mechanism()).pair();
    PrivacyFilter.RenyiFilter at = (PrivacyFilter.RenyiFilter) renyi.share().filter();
    ParameterSearch.Allowed affordable =
        (r, a) ->
            RenyiUnits.ofCharge(bound.divergence(at.order(), r, a)) <= at.cap() / budget.releases();
    DoubleUnaryOperator coarseR =
        a -> {
          double start =
              ParameterSearch.largestR(affordable, r -> a)
                  .map(DirichletParameters::r)
                  .orElse(near.r() / 2);
          // The coarse grid may refuse what the Rényi bound allows: it is coarse.
          return RaisedR.of(excess(budget, bound, a, Precision.COARSE), start * START, 1e-3);
        };
    double lnA =
        ParameterSearch.least(
            StrictMath.log(Math.max(DirichletParameters.SMALLEST_A, near.a() * A_BELOW)),
            StrictMath.log(near.a() * A_ABOVE),
            x -> {
              double a = StrictMath.exp(x);
              return model.expectedKl(coarseR.applyAsDouble(a), a);
            });
    double a = DirichletParameters.rounded(near.r(), StrictMath.exp(lnA)).a();
    ParameterSearch.Allowed fine = allowed(budget, bound, Precision.FINE);
    DoubleUnaryOperator excess = excess(budget, bound, a, Precision.FINE);
    double r = RaisedR.of(excess, coarseR.applyAsDouble(a) * START, 1e-6);
    DirichletParameters found = DirichletParameters.rounded(r, a);
    boolean better =
        fine.test(found.r(), found.a())
            && model.expectedKl(found.r(), found.a()) <= model.expectedKl(near.r(), near.a());
    return better ? found : near;
  }

  private static ParameterSearch.Allowed allowed(
      ComposedBudget budget, DirichletBound bound, Precision precision) {
    return (r, a) -> budget.covers(bound.profile(r, a).orElseThrow(), precision);
  }

  private static DoubleUnaryOperator excess(
      ComposedBudget budget, DirichletBound bound, double a, Precision precision) {
    return r -> budget.excess(bound.profile(r, a).orElseThrow(), precision);
  }

  private static HistogramPlan plan(
      CalibrationTarget request,
      PrivacyFilter counting,
      DirichletParameters pair,
      DirichletBound bound,
      PlanningModel model) {
    HistogramMechanism mechanism = new DirichletMechanism(pair, bound, model.shares().size());
    return HistogramPlan.of(
        Calibrated.of(request, counting, mechanism),
        ExpectedKl.of(model.expectedKl(pair.r(), pair.a())));
  }
}
