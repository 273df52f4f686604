// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.List;
import java.util.OptionalDouble;
import org.apache.commons.math3.special.Erf;

/**
 * The sum of independent noises, each with a weight, and an interval around 0 that holds at least
 * 95% of it.
 *
 * <p>Noise of a step has its values at multiples of the step. Its tails reach further than those of
 * the continuous Laplace distribution with the same deviation, and single values have much of the
 * chance. So the interval is that of the exact distribution, from its characteristic function. A
 * discrete Laplace noise with deviation s and step 1 has 1 / (1 + 2 s^2 sin^2(t / 2)).
 *
 * <ul>
 *   <li>If all steps, times weights, are multiples of one of them, g, the sum S is a multiple of g.
 *       The half width is the least multiple that holds 95%, by inversion on this grid: no
 *       symmetric interval is shorter.
 *   <li>Otherwise an independent V within [-d, d] smooths the sum. Since |S| is at most |S + V| +
 *       d, P(|S| at most q) is at least P(|S + V| at most q - d). V is the sum of four uniform
 *       draws, whose characteristic function falls fast enough for a Fourier series. The half width
 *       is at most 2 d above the least that holds 95%; d is a small part of the deviation.
 *   <li>Where half of the largest step is below d, a uniform draw of that step is V, and S + V is
 *       taken for continuous. Laplace noise then has its exact tails, exp(-x / b) with b = 1 / (2
 *       asinh(1 / (s sqrt 2))) steps, which is above s / sqrt 2; the least q grows by half a step.
 * </ul>
 *
 * <p>Of noise that is known by its rounded half width alone, half a step is added too, and a whole
 * step beside other noise. That is no proof: {@code CombinedCoverageTest} computes the coverage.
 */
final class CombinedNoise {
  /** Of the intervals of rows. */
  static final double LEVEL = 0.95;

  /** The 97.5% quantile of a standard Gaussian. */
  static final double NORMAL = 1.959963984540054;

  /** Part of the deviation by which sums are smoothed. */
  static final double SUM = 0.01;

  /** Part of the deviation by which ratios are smoothed: their noise is computed many times. */
  static final double RATIO = 0.05;

  /** Most values of a grid. */
  private static final int MOST_POINTS = 8192;

  /** Steps that count as a deviation where noise is far below one step. */
  private static final double LEAST_STEPS = 0.35;

  private final NoiseParts noise;
  private final double smoothing;
  private final double deviation;
  private final double largest;
  private final boolean isCoarse;

  private SmoothedNoise smoothed;

  /**
   * @param smoothing d, in parts of the deviation
   */
  CombinedNoise(List<NoisePart> parts, double smoothing) {
    this(NoiseParts.of(parts), smoothing);
  }

  private CombinedNoise(NoiseParts noise, double smoothing) {
    this(noise, smoothing, noise.largestStep() > 2 * smoothing * noise.deviation());
  }

  private CombinedNoise(NoiseParts noise, double smoothing, boolean isCoarse) {
    this.noise = noise;
    this.smoothing = smoothing;
    this.isCoarse = isCoarse;
    deviation = noise.deviation();
    largest = noise.largestStep();
  }

  /** Other parts that are smoothed in the same way: then bounds change steadily with weights. */
  CombinedNoise of(List<NoisePart> others) {
    return new CombinedNoise(NoiseParts.of(others), smoothing, isCoarse);
  }

  double deviation() {
    return deviation;
  }

  /** Half the width of an interval around 0 that holds 95%. */
  double halfWidth() {
    if (noise.isEmpty()) {
      return 0;
    }
    OptionalDouble step = noise.commonStep();
    if (step.isPresent() && points(step.getAsDouble()) <= MOST_POINTS) {
      int points = (int) points(step.getAsDouble());
      return new GridQuantile(noise, step.getAsDouble(), points).distance(LEVEL);
    }
    if (isOneLaplace()) {
      return Math.log(20) * noise.parts().get(0).scale() + margin();
    }
    if (isNormal()) {
      return NORMAL * Math.sqrt(noise.smoothedGaussianVariance()) + margin();
    }
    return Root.between(this::excess, 0, 4 * deviation + 2 * largest + noise.unstated());
  }

  /** At most the probability that the noise is within a distance from 0, less 95%. */
  double excess(double distance) {
    if (noise.isEmpty()) {
      return (distance > 0 ? 1 : 0) - LEVEL;
    }
    double inner = distance - margin();
    if (inner <= 0) {
      return inner / deviation - LEVEL;
    }
    if (isNormal()) {
      return Erf.erf(inner / Math.sqrt(2 * noise.smoothedGaussianVariance())) - LEVEL;
    }
    if (smoothed == null) {
      smoothed =
          isCoarse
              ? SmoothedNoise.coarse(noise, unit(), smoothing)
              : SmoothedNoise.fine(noise, unit());
    }
    return smoothed.within(inner) - LEVEL;
  }

  private boolean isOneLaplace() {
    return !isCoarse
        && noise.parts().size() == 1
        && noise.parts().get(0).isLaplace()
        && noise.parts().get(0).times() == 1;
  }

  /** Whether the sum is taken for a Gaussian. */
  private boolean isNormal() {
    return !isCoarse && noise.isGaussian();
  }

  /** The deviation, or where noise is below a step, a part of it. */
  private double unit() {
    return Math.max(deviation, LEAST_STEPS * largest);
  }

  /** What is added to the quantile of the smoothed noise. */
  private double margin() {
    return noise.unstated() + (isCoarse ? smoothing * unit() : largest / 2);
  }

  private double points(double step) {
    return 2 * Math.ceil(SmoothedNoise.PERIOD * Math.max(deviation, largest) / step / 2) + 1;
  }
}
