// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.Arrays;

/**
 * Chances in proportion to e^(-|x| / b).
 *
 * @param scale b, above 0
 */
record DiscreteLaplaceLaw(double scale) implements IndependentNoiseLaw {
  /**
   * Longer sums of shifts are seen by one event alone: that all noises speak as loud as they can.
   */
  private static final long MOST = 4096;

  @Override
  public double atMost(double x) {
    double q = StrictMath.exp(-1 / scale);
    double whole = Math.floor(x);
    return whole < 0
        ? StrictMath.exp(whole / scale) / (1 + q)
        : 1 - q * StrictMath.exp(-whole / scale) / (1 + q);
  }

  @Override
  public Events events(long[] shift) {
    long[] moved = Arrays.stream(shift).map(Math::abs).filter(d -> d != 0).toArray();
    double all = Arrays.stream(moved).asDoubleStream().sum();
    if (all > MOST) {
      double loudest = StrictMath.pow(1 + StrictMath.exp(-1 / scale), -moved.length);
      return new Events(
          new double[] {loudest, 1}, new double[] {loudest * StrictMath.exp(-all / scale), 1});
    }
    double[] losses = {1};
    for (long d : moved) {
      losses = convolved(losses, losses((int) d));
    }
    int reach = losses.length / 2;
    double[] p = new double[losses.length];
    double[] q = new double[losses.length];
    double sumP = 0;
    double sumQ = 0;
    for (int i = 0; i < losses.length; i++) {
      int place = losses.length - 1 - i;
      sumP += losses[place];
      sumQ += losses[place] * StrictMath.exp(-(place - reach) / scale);
      p[i] = sumP;
      q[i] = sumQ;
    }
    return new Events(p, q);
  }

  /** Chances of the losses -d/b to d/b under the first neighbour. */
  private double[] losses(int d) {
    double q = StrictMath.exp(-1 / scale);
    double[] losses = new double[2 * d + 1];
    losses[2 * d] = 1 / (1 + q);
    losses[0] = StrictMath.exp(-d / scale) / (1 + q);
    for (int x = 1; x < d; x++) {
      losses[2 * d - 2 * x] = (1 - q) / (1 + q) * StrictMath.exp(-x / scale);
    }
    return losses;
  }

  private static double[] convolved(double[] x, double[] y) {
    double[] sum = new double[x.length + y.length - 1];
    for (int i = 0; i < x.length; i++) {
      for (int j = 0; j < y.length; j++) {
        sum[i + j] += x[i] * y[j];
      }
    }
    return sum;
  }

  @Override
  public double score(long drawn, long first, long second) {
    return (Math.abs(drawn - second) - (double) Math.abs(drawn - first)) / scale;
  }
}
