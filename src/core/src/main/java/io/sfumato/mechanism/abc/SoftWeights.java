// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.accounting.RenyiDivergences;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.SparseVector.State;
import io.sfumato.mechanism.additive.TheoremD;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.DiscreteGaussian;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Soft ABC: the noisy distance of each candidate, in units of the threshold and in whole steps of a
 * public grid; only whole numbers leave. Weights are post-processing: {@code exp(-max(distance,
 * 0))}, normalised over the query.
 */
public final class SoftWeights implements QueryNoise {
  /** Steps in the sensitivity, of which rounding adds one: the grid then costs next to nothing. */
  private static final double STEPS_IN_SENSITIVITY = 1024;

  private static final double FEWEST_IN_SIGMA = 4096;

  /** What exact sampling takes, with room for what is added. */
  private static final double MOST_IN_SIGMA = 1 << 16;

  /** More of them in sigma cannot be sampled. */
  private static final double MOST_SAMPLED = 1 << 17;

  private final DistanceGrid grid;
  private final double threshold;
  private final long varianceSteps;
  private final double sigmaSteps;
  private final DiscreteGaussian noise;

  private SoftWeights(DistanceGrid grid, double threshold, long varianceSteps) {
    this.grid = grid;
    this.threshold = threshold;
    this.varianceSteps = varianceSteps;
    this.sigmaSteps = Math.sqrt(varianceSteps / (double) DiscreteGaussian.STEPS);
    this.noise = new DiscreteGaussian(varianceSteps);
  }

  /**
   * The least noise with which T weights are together no worse than one Gaussian release of {@code
   * mu}.
   *
   * @param mu of all T together, above 0
   * @param candidates T, at least 1
   * @param sensitivity of rho, above 0
   * @param threshold above 0, in the unit of rho
   * @throws IllegalArgumentException if the threshold is not above 0 or infinite, or the noise
   *     would exceed about 60,000 times the sensitivity
   */
  public static SoftWeights of(double mu, long candidates, double sensitivity, double threshold) {
    if (!(threshold > 0) || threshold == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("threshold must be above 0, was " + threshold);
    }
    double near = GaussianBudget.sigma(mu, candidates, sensitivity / threshold);
    double wanted = STEPS_IN_SENSITIVITY * near / (sensitivity / threshold);
    DistanceGrid grid =
        near < MOST_SAMPLED
            ? DistanceGrid.finerThan(
                near, Math.max(FEWEST_IN_SIGMA, Math.min(MOST_IN_SIGMA, wanted)))
            : DistanceGrid.coarserThan(near, MOST_SAMPLED);
    // What rounding adds to the sensitivity may ask for more steps than can be sampled.
    for (; Math.scalb(near, grid.exponent()) >= FEWEST_IN_SIGMA; grid = grid.coarser()) {
      double variance = variance(grid, mu, candidates, sensitivity / threshold);
      if (variance <= MOST_SAMPLED * MOST_SAMPLED) {
        return new SoftWeights(
            grid, threshold, (long) Math.ceil(variance * DiscreteGaussian.STEPS));
      }
    }
    throw new IllegalArgumentException(
        "the noise would be more than some 60000 times what one record moves; fewer candidates,"
            + " fewer queries, or a larger share");
  }

  /** In squared steps: {@link TheoremD} says what discrete noise costs. */
  private static double variance(
      DistanceGrid grid, double mu, long candidates, double sensitivity) {
    double sigma = GaussianBudget.sigma(mu, candidates, grid.sensitivity(sensitivity));
    return sigma * sigma * (1 + 1e-14) + TheoremD.BRIDGE;
  }

  /** Standard deviation of the noise, in the unit of rho. */
  @Override
  public double scale() {
    return sigmaSteps * grid.step() * threshold;
  }

  @Override
  public void encode(CanonicalEncoder encoder) {
    encoder
        .text("soft")
        .number(grid.exponent())
        .number(Double.doubleToLongBits(threshold))
        .number(varianceSteps);
  }

  /** The exact distance of one candidate in steps, to which noise is added: secret. */
  private long exact(double rho) {
    return grid.steps(rho / threshold);
  }

  /** The noisy distance of one candidate in steps: what is published. */
  @Override
  public OutputDistribution<NoisyAnswer> answer(double rho, Optional<State> state) {
    long exact = exact(rho);
    return distribution(random -> exact + noise.sample(random));
  }

  @Override
  public OptionalDouble divergence(double order, double rho, double other) {
    double steps = exact(rho) - exact(other);
    return OptionalDouble.of(
        RenyiDivergences.gaussian(order, steps * steps, sigmaSteps * sigmaSteps));
  }

  /**
   * A published distance in units of the threshold; noise may make it negative.
   *
   * @param steps as published
   */
  public double distance(long steps) {
    return steps * grid.step();
  }

  /**
   * The weight of a published distance, not normalised, in (0, 1].
   *
   * @param steps as published
   */
  public double weight(long steps) {
    return StrictMath.exp(-Math.max(0, distance(steps)));
  }
}
