// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.math3.special.Erf;

/**
 * The sum of independent noises: Gaussian and Laplace, each with a weight. Its distribution is an
 * inversion of its characteristic function, the product of exp(-s^2 t^2 / 2) and 1 / (1 + b^2 t^2),
 * by a Fourier series with a period of 40 standard deviations.
 */
final class CombinedNoise {
  /** Of the intervals of rows. */
  static final double LEVEL = 0.95;

  /** The 97.5% quantile of a standard Gaussian. */
  static final double NORMAL = 1.959963984540054;

  /** The 97.5% quantile of a Laplace with standard deviation 1. */
  static final double LAPLACE = Math.log(20) / Math.sqrt(2);

  private static final int TERMS = 4096;
  private static final double PERIOD = 40;

  /** Beyond so many deviations lies less than 1e-7. */
  private static final double FAR = 12;

  private static final double NEGLIGIBLE = 1e-8;

  /**
   * Noise of several rows.
   *
   * @param weight of each
   * @param deviation of each
   * @param isLaplace whether it is Laplace; else Gaussian
   * @param times how many rows have it
   */
  record Part(double weight, double deviation, boolean isLaplace, long times) {}

  private final double gaussian;
  private final double[] scales;
  private final long[] times;
  private final double deviation;

  CombinedNoise(List<Part> parts) {
    double variance = 0;
    double square = 0;
    Map<Double, Long> laplace = new LinkedHashMap<>();
    for (Part part : parts) {
      double one = part.weight() * part.deviation() * part.weight() * part.deviation();
      variance += part.times() * one;
      if (!part.isLaplace()) {
        square += part.times() * one;
      } else if (one != 0) {
        laplace.merge(one / 2, part.times(), Long::sum);
      }
    }
    gaussian = square;
    scales = laplace.keySet().stream().mapToDouble(scale -> scale).toArray();
    times = laplace.values().stream().mapToLong(count -> count).toArray();
    deviation = Math.sqrt(variance);
  }

  double deviation() {
    return deviation;
  }

  /** The 97.5% quantile. */
  double halfWidth() {
    if (scales.length == 0) {
      return NORMAL * deviation;
    }
    if (gaussian == 0 && scales.length == 1 && times[0] == 1) {
      return LAPLACE * deviation;
    }
    double[] factors = factors();
    return Root.between(half -> within(half, factors) - LEVEL, 1.9 * deviation, 2.2 * deviation);
  }

  /** Probability that the noise is at most a distance from 0, less 95%. */
  double excess(double distance) {
    if (scales.length == 0) {
      if (deviation == 0) {
        return (distance > 0 ? 1 : 0) - LEVEL;
      }
      return Erf.erf(distance / deviation / Math.sqrt(2)) - LEVEL;
    }
    return (distance < FAR * deviation ? within(distance, factors()) : 1) - LEVEL;
  }

  /** The characteristic function at the series' frequencies, divided by their numbers. */
  private double[] factors() {
    double step = 2 * Math.PI / (PERIOD * deviation);
    double[] found = new double[TERMS];
    for (int k = 1; k <= TERMS; k++) {
      double square = k * step * k * step;
      double log = -gaussian * square / 2;
      for (int i = 0; i < scales.length; i++) {
        log -= times[i] * Math.log1p(scales[i] * square);
      }
      found[k - 1] = Math.exp(log) / k;
      if (found[k - 1] < NEGLIGIBLE) {
        break;
      }
    }
    return found;
  }

  private double within(double distance, double[] factors) {
    double angle = 2 * Math.PI * distance / (PERIOD * deviation);
    double sum = 0;
    for (int k = 1; k <= factors.length && factors[k - 1] > 0; k++) {
      sum += factors[k - 1] * Math.sin(k * angle);
    }
    return angle / Math.PI + 2 / Math.PI * sum;
  }
}
