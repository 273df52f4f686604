package io.sfumato.mechanism.abc;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Charge;
import io.sfumato.accounting.Composition.Precision;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.ComposedBudget;
import io.sfumato.noise.DiscreteGaussian;
import io.sfumato.noise.ReplayableRandom;

/**
 * Soft ABC: the noisy distance of each candidate, in units of the threshold and in whole steps of a
 * public grid; only whole numbers leave. Weights are post-processing: {@code exp(-max(distance,
 * 0))}, normalised over the query.
 */
public final class SoftWeights {
  /** Steps in the sensitivity, of which rounding adds one: the grid then costs next to nothing. */
  private static final double STEPS_IN_SENSITIVITY = 512;

  private static final double FEWEST_IN_SIGMA = 4096;

  /** More would make the plan's tables long. */
  private static final double MOST_IN_SIGMA = 1 << 17;

  private final DistanceGrid grid;
  private final long varianceSteps;
  private final long sensitivitySteps;
  private final DiscreteGaussian noise;

  private SoftWeights(DistanceGrid grid, long varianceSteps, long sensitivitySteps) {
    this.grid = grid;
    this.varianceSteps = varianceSteps;
    this.sensitivitySteps = sensitivitySteps;
    this.noise = new DiscreteGaussian(varianceSteps);
  }

  /**
   * The least noise for T weights at (epsilon, delta), by the composed loss distribution of the
   * discrete noise itself.
   *
   * @param sensitivity of rho / threshold, above 0
   */
  public static SoftWeights plan(
      Epsilon epsilon, Delta delta, long candidates, double sensitivity) {
    double analytic = SoftPlan.sigma(epsilon, delta, candidates, sensitivity, Accountant.EXACT);
    double wanted = STEPS_IN_SENSITIVITY * analytic / sensitivity;
    DistanceGrid grid =
        DistanceGrid.finerThan(
            analytic, Math.max(FEWEST_IN_SIGMA, Math.min(MOST_IN_SIGMA / 2, wanted)));
    long moved = grid.sensitivity(sensitivity);
    ComposedBudget budget =
        new ComposedBudget(epsilon.roundedDown(), delta.roundedDown(), candidates);
    double steps = analytic / grid.step();
    // The grid's step more in the sensitivity is all that separates the two: look a little above.
    double low = steps;
    double high = steps * 1.01;
    while (!covers(budget, high, moved)) {
      low = high;
      high *= 1.01;
    }
    while (high - low > 1e-5 * high) {
      double middle = (low + high) / 2;
      if (covers(budget, middle, moved)) {
        high = middle;
      } else {
        low = middle;
      }
    }
    return new SoftWeights(grid, variance(high), moved);
  }

  private static long variance(double sigmaSteps) {
    return (long) Math.ceil(sigmaSteps * sigmaSteps * DiscreteGaussian.STEPS);
  }

  private static boolean covers(ComposedBudget budget, double sigmaSteps, long moved) {
    double variance = variance(sigmaSteps) / (double) DiscreteGaussian.STEPS;
    return budget.covers(new ShiftedDiscreteGaussian(variance, moved), Precision.FINE);
  }

  /** Standard deviation of the noise, in units of the threshold. */
  public double sigma() {
    return Math.sqrt(varianceSteps / (double) DiscreteGaussian.STEPS) * grid.step();
  }

  /** What one weight costs: {@code eps(L) = L D^2 / (2 s^2)}, D enlarged by the grid. */
  public Charge charge() {
    double variance = varianceSteps / (double) DiscreteGaussian.STEPS;
    return Charge.of(
        "soft-weight D=%d sigma^2=%d/2^10 grid=2^-%d"
            .formatted(sensitivitySteps, varianceSteps, grid.exponent()),
        PrivacyUnit.RECORD,
        RenyiCurve.gaussian(sensitivitySteps / Math.sqrt(variance) * (1 + 0x1.0p-50)),
        new ShiftedDiscreteGaussian(variance, sensitivitySteps));
  }

  /** The noisy distance of one candidate in steps: what is published. */
  public long draw(double distanceInThresholds, ReplayableRandom random) {
    return grid.steps(distanceInThresholds) + noise.sample(random);
  }

  /** The weight of a published distance, not normalised, in (0, 1]. */
  public double weight(long steps) {
    return StrictMath.exp(-Math.max(0, steps * grid.step()));
  }
}
