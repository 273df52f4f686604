// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import io.sfumato.combine.StatedNoise.Law;

/**
 * Noise of several rows.
 *
 * @param deviation of each, times its weight
 * @param law of each
 * @param step of each, times its weight; 0 for a fine grid
 * @param times how many rows have it
 */
record NoisePart(double deviation, Law law, double step, long times) {
  /** Deviations, in steps, from which the sum over images converges faster than that of values. */
  private static final double WIDE = 0.6;

  boolean isRounded() {
    return law == Law.ROUNDED_LAPLACE || law == Law.ROUNDED_GAUSSIAN;
  }

  boolean isLaplace() {
    return law == Law.LAPLACE;
  }

  /** Of all its rows together. */
  double variance() {
    return times * deviation * deviation;
  }

  /** The scale b of the tails exp(-x / b) of Laplace noise. */
  double scale() {
    return step > 0
        ? step / (2 * asinh(step / (Math.sqrt(2) * deviation)))
        : deviation / Math.sqrt(2);
  }

  /** The characteristic function of the sum of its rows. */
  double characteristic(double t) {
    if (isLaplace()) {
      double half = step > 0 ? 2 / step * Math.sin(step * t / 2) : t;
      return Math.pow(1 + deviation * half * deviation * half / 2, -times);
    }
    if (law == Law.GAUSSIAN && step > 0) {
      return Math.pow(discreteGaussian(deviation / step, step * t), times);
    }
    return Math.exp(-variance() * t * t / 2);
  }

  /** With step 1: a sum over its values or, for wide noise, over its images (Poisson). */
  private static double discreteGaussian(double deviation, double angle) {
    double turned = Math.IEEEremainder(angle, 2 * Math.PI);
    return deviation < WIDE ? overValues(deviation, turned) : overImages(deviation, turned);
  }

  private static double overValues(double deviation, double angle) {
    double above = 1;
    double below = 1;
    for (int z = 1; z < 8; z++) {
      double weight = Math.exp(-(z / deviation) * (z / deviation) / 2);
      above += 2 * weight * Math.cos(z * angle);
      below += 2 * weight;
    }
    return above / below;
  }

  private static double overImages(double deviation, double angle) {
    double above = 0;
    double below = 0;
    for (int k = -3; k <= 3; k++) {
      double image = 2 * Math.PI * k;
      above += Math.exp(-Math.pow(deviation * (angle - image), 2) / 2);
      below += Math.exp(-Math.pow(deviation * image, 2) / 2);
    }
    return above / below;
  }

  private static double asinh(double x) {
    return Math.log1p(x + x * x / (1 + Math.hypot(x, 1)));
  }
}
