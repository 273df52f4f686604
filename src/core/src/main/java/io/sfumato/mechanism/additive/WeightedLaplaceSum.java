// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import java.util.Arrays;

/**
 * The law of a weighted sum of independent standard Laplace variables, in closed form. Its
 * characteristic function is the product of 1 / (1 + s_i u^2), s_i = w_i^2; by partial fractions
 *
 * <pre>  P[|X| > x] = sum_i s_i^(k-1) e^(-x / sqrt(s_i)) / product_(j != i) (s_i - s_j),</pre>
 *
 * the divided difference of g(s) = s^(k-1) e^(-x / sqrt(s)) at s_1 ... s_k, which has a limit where
 * some of them are equal. Where they are near, it is an integral of g's derivatives (Hermite,
 * Genocchi): so nothing cancels.
 */
final class WeightedLaplaceSum {
  /** From here on up to 1 a quotient of squares is near: elsewhere less than 10 ulps are lost. */
  private static final double NEAR = 0.9;

  /** Gauss and Legendre's rule on [0, 1]. */
  private static final double[] NODES = {
    0.019855071751231884,
    0.10166676129318664,
    0.2372337950418355,
    0.4082826787521751,
    0.5917173212478249,
    0.7627662049581645,
    0.8983332387068134,
    0.9801449282487681
  };

  private static final double[] SHARES = {
    0.05061426814518813,
    0.11119051722668724,
    0.15685332293894363,
    0.18134189168918100,
    0.18134189168918100,
    0.15685332293894363,
    0.11119051722668724,
    0.05061426814518813
  };

  /** x over the largest weight. */
  private final double x;

  /** k - 1. */
  private final int power;

  private WeightedLaplaceSum(double x, int power) {
    this.x = x;
    this.power = power;
  }

  /**
   * P[|X| > x], to 1e-13.
   *
   * @param x at least 0
   * @param weights finite; at most three that are not 0, or any number of equal ones
   */
  static double tail(double x, double... weights) {
    double[] sizes = new double[weights.length];
    int k = 0;
    for (double weight : weights) {
      double size = Math.abs(weight);
      if (size > 0) {
        sizes[k++] = size;
      }
    }
    if (k == 0) {
      return 0;
    }
    Arrays.sort(sizes, 0, k);
    double largest = sizes[k - 1];
    if (sizes[0] == largest) {
      return LaplaceNoise.tail(x / largest, k);
    }
    if (k > 3) {
      throw new IllegalArgumentException("up to 3 weights may differ, were " + k);
    }
    WeightedLaplaceSum sum = new WeightedLaplaceSum(x / largest, k - 1);
    double second = square(sizes[k - 2] / largest);
    double tail = k == 2 ? sum.slope(1, second) : sum.bend(1, second, square(sizes[0] / largest));
    return Math.max(0, Math.min(1, tail));
  }

  private static double square(double x) {
    return x * x;
  }

  /** The divided difference at two places, s >= t. */
  private double slope(double s, double t) {
    if (t <= NEAR * s) {
      return (g(s) - g(t)) / (s - t);
    }
    double sum = 0;
    for (int i = 0; i < NODES.length; i++) {
      sum += SHARES[i] * first(t + NODES[i] * (s - t));
    }
    return sum;
  }

  /** The divided difference at three places, s >= t >= u. */
  private double bend(double s, double t, double u) {
    if (u <= NEAR * s) {
      return (slope(s, t) - slope(t, u)) / (s - u);
    }
    double sum = 0;
    for (int i = 0; i < NODES.length; i++) {
      for (int j = 0; j < NODES.length; j++) {
        double down = NODES[i] * NODES[j];
        double place = s + NODES[i] * (t - s) + down * (u - t);
        sum += SHARES[i] * NODES[i] * SHARES[j] * second(place);
      }
    }
    return sum;
  }

  private double g(double s) {
    return s == 0 ? 0 : power(s, power) * StrictMath.exp(-x / Math.sqrt(s));
  }

  /** g'. */
  private double first(double s) {
    double root = Math.sqrt(s);
    return power(s, power - 1) * (power + x / (2 * root)) * StrictMath.exp(-x / root);
  }

  /** g'' for k = 3. */
  private double second(double s) {
    double y = x / Math.sqrt(s);
    return (2 + 1.25 * y + y * y / 4) * StrictMath.exp(-y);
  }

  private static double power(double s, int power) {
    return power == 0 ? 1 : power == 1 ? s : s * s;
  }
}
