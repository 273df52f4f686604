// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.Arrays;

/** The distribution of a smoothed sum of noise, by a Fourier series on a long period. */
final class SmoothedNoise {
  /** Deviations of a period: beyond half of them lies less than 1e-6. */
  static final double PERIOD = 20;

  /** Beyond this part of a period all chance counts as within. */
  private static final double FAR = 0.45;

  private static final int MOST_TERMS = 4096;
  private static final double NEGLIGIBLE = 1e-8;

  private final double period;

  /** The characteristic function at the series' frequencies, divided by their numbers. */
  private final double[] factors;

  private SmoothedNoise(double period, double[] factors) {
    this.period = period;
    this.factors = factors;
  }

  /** Of fine noise, which is taken for continuous. */
  static SmoothedNoise fine(NoiseParts noise, double unit) {
    double period = 2 * PERIOD * unit;
    double variance = noise.smoothedGaussianVariance();
    double[] found = new double[MOST_TERMS];
    for (int k = 1; k <= MOST_TERMS; k++) {
      double t = 2 * Math.PI * k / period;
      double log = -variance * t * t / 2;
      for (NoisePart part : noise.laplace()) {
        log -= part.times() * Math.log1p(part.scale() * part.scale() * t * t);
      }
      found[k - 1] = Math.exp(log) / k;
      if (found[k - 1] < NEGLIGIBLE) {
        return new SmoothedNoise(period, Arrays.copyOf(found, k));
      }
    }
    return new SmoothedNoise(period, found);
  }

  /**
   * Of noise with wide steps and the sum of four uniform draws.
   *
   * @param smoothing how far the four reach together, in units
   */
  static SmoothedNoise coarse(NoiseParts noise, double unit, double smoothing) {
    double period = PERIOD * unit;
    double reach = smoothing * unit / 4;
    double[] found = new double[(int) Math.ceil(4 * PERIOD / smoothing)];
    for (int k = 1; k <= found.length; k++) {
      double t = 2 * Math.PI * k / period;
      double uniform = Math.sin(reach * t) / (reach * t);
      found[k - 1] = noise.characteristic(t) * uniform * uniform * uniform * uniform / k;
    }
    return new SmoothedNoise(period, found);
  }

  /** The probability of at most a distance from 0. */
  double within(double distance) {
    if (distance > FAR * period) {
      return 1;
    }
    double angle = 2 * Math.PI * distance / period;
    double sum = 0;
    for (int k = 1; k <= factors.length; k++) {
      sum += factors[k - 1] * Math.sin(k * angle);
    }
    return angle / Math.PI + 2 / Math.PI * sum;
  }
}
