package io.sfumato.mechanism.dirichlet;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.PlanningModel;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The best pair for ONE release at (epsilon, delta), unit {@code record}.
 *
 * @param parameters r and a
 * @param expectedKl under the planning model, in nats
 * @param order Rényi order of the calibration, where it has one
 */
public record SingleRelease(
    DirichletParameters parameters, double expectedKl, OptionalDouble order) {

  /** What bounds the loss. */
  public enum Accountant {
    /** Theorem B: the exact (epsilon, delta). */
    EXACT,
    /** Theorem A at its best order. */
    RENYI,
    /** Algorithm 1 of the paper at its best order. */
    PAPER;

    /** The word of the command line. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * Calibrates.
   *
   * @param order a fixed Rényi order; by default the best one. Ignored by the exact accountant
   * @return nothing if no pair of the grid is private enough
   */
  public static Optional<SingleRelease> calibrate(
      Epsilon epsilon,
      Delta delta,
      PlanningModel model,
      Accountant accountant,
      OptionalDouble order) {
    return switch (accountant) {
      case EXACT -> exact(epsilon, delta, model);
      case RENYI -> renyi(epsilon, delta, model, Calibration.EXACT, order);
      case PAPER -> renyi(epsilon, delta, model, Calibration.PAPER, order);
    };
  }

  private static Optional<SingleRelease> exact(Epsilon epsilon, Delta delta, PlanningModel model) {
    double eps = epsilon.roundedDown();
    double allowed = delta.roundedDown();
    return ParameterSearch.best((r, a) -> DominatingPair.delta(eps, r, a) <= allowed, model)
        .map(
            pair ->
                new SingleRelease(
                    pair, model.expectedKl(pair.r(), pair.a()), OptionalDouble.empty()));
  }

  private static Optional<SingleRelease> renyi(
      Epsilon epsilon,
      Delta delta,
      PlanningModel model,
      Calibration calibration,
      OptionalDouble order) {
    Optional<DirichletPlan> plan =
        order.isPresent()
            ? DirichletPlan.at(order.getAsDouble(), "single", epsilon, delta, 1, calibration, model)
            : DirichletPlan.of("single", epsilon, delta, 1, calibration, model);
    return plan.map(
        found ->
            new SingleRelease(
                found.mechanism().parameters(),
                found.expectedKl(),
                OptionalDouble.of(found.share().order())));
  }
}
