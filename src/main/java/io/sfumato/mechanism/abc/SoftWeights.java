// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.noise.DiscreteGaussian;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;

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

  /**
   * Theorem D of docs/privacy.md: discrete noise of this variance, in steps, is all that separates
   * discrete Gaussian answers from post-processed continuous ones (to within e^-300).
   */
  private static final double BRIDGE = 16;

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
   * @param sensitivity of rho, above 0
   * @param threshold above 0, in the unit of rho
   */
  public static SoftWeights of(double mu, long candidates, double sensitivity, double threshold) {
    if (!(threshold > 0) || threshold == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("threshold must be above 0, was " + threshold);
    }
    double near = GaussianBudget.sigma(mu, candidates, sensitivity / threshold);
    double wanted = STEPS_IN_SENSITIVITY * near / (sensitivity / threshold);
    DistanceGrid grid =
        DistanceGrid.finerThan(near, Math.max(FEWEST_IN_SIGMA, Math.min(MOST_IN_SIGMA, wanted)));
    double moved = grid.sensitivity(sensitivity / threshold);
    double sigma = GaussianBudget.sigma(mu, candidates, moved);
    double variance = (sigma * sigma * (1 + 1e-14) + BRIDGE) * DiscreteGaussian.STEPS;
    return new SoftWeights(grid, threshold, (long) Math.ceil(variance));
  }

  /** Standard deviation of the noise, in the unit of rho. */
  @Override
  public double scale() {
    return sigmaSteps * grid.step() * threshold;
  }

  @Override
  public void frame(Framing framing) {
    framing
        .text("soft")
        .number(grid.exponent())
        .number(Double.doubleToLongBits(threshold))
        .number(varianceSteps);
  }

  /** The exact distance of one candidate in steps, to which noise is added: secret. */
  public long exact(double rho) {
    return grid.steps(rho / threshold);
  }

  /** Variance of the noise, in squared steps. */
  public double variance() {
    return sigmaSteps * sigmaSteps;
  }

  /** The noisy distance of one candidate in steps: what is published. */
  public long draw(double rho, ReplayableRandom random) {
    return exact(rho) + noise.sample(random);
  }

  /** A published distance in units of the threshold; noise may make it negative. */
  public double distance(long steps) {
    return steps * grid.step();
  }

  /** The weight of a published distance, not normalised, in (0, 1]. */
  public double weight(long steps) {
    return StrictMath.exp(-Math.max(0, distance(steps)));
  }
}
