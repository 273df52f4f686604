// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import java.util.Arrays;

/**
 * Chances in proportion to e^(-x^2 / (2 sigma^2)). Up to sigma 400 every sum is one over whole
 * numbers; above, an integral by midpoints, whose tails at z deviations differ from it by z^2 / (24
 * sigma^2) of their value: less than a part in 30,000.
 *
 * @param sigma above 0
 */
record DiscreteGaussianLaw(double sigma) implements IndependentNoiseLaw {
  private static final double WIDE = 400;
  private static final double REACH = 11;
  private static final long MOST_PLACES = 1L << 22;
  private static final int THRESHOLDS = 6000;

  @Override
  public double atMost(double x) {
    if (sigma > WIDE) {
      return IndependentNoiseLaw.normal((Math.floor(x) + 0.5) / sigma);
    }
    double[] distribution = distribution();
    int reach = distribution.length / 2;
    double sum = 0;
    for (int i = 0; i < distribution.length && i - reach <= x; i++) {
      sum += distribution[i];
    }
    return sum;
  }

  private double[] distribution() {
    int reach = (int) Math.ceil(REACH * sigma) + 1;
    double[] distribution = new double[2 * reach + 1];
    Arrays.setAll(distribution, i -> StrictMath.exp(-0.5 * square((i - reach) / sigma)));
    double sum = Arrays.stream(distribution).sum();
    Arrays.setAll(distribution, i -> distribution[i] / sum);
    return distribution;
  }

  private static double square(double x) {
    return x * x;
  }

  /** By T = sum of shift times noise, of which the loss is a rising function. */
  @Override
  public Events events(long[] shift) {
    long[] moved = Arrays.stream(shift).filter(d -> d != 0).toArray();
    long widest = Arrays.stream(moved).map(Math::abs).sum();
    if (sigma > WIDE || widest * REACH * sigma * 2 > MOST_PLACES) {
      return continuous(Arrays.stream(shift).mapToDouble(d -> square(d / sigma)).sum());
    }
    double[] sum = {1};
    double[] distribution = distribution();
    int reach = distribution.length / 2;
    int middle = 0;
    for (long d : moved) {
      int step = (int) Math.abs(d);
      double[] next = new double[sum.length + 2 * reach * step];
      for (int i = 0; i < sum.length; i++) {
        for (int j = 0; j < distribution.length; j++) {
          next[i + j * step] += sum[i] * distribution[j];
        }
      }
      sum = next;
      middle += reach * step;
    }
    int squares = (int) Arrays.stream(moved).map(d -> d * d).sum();
    return tails(sum, squares);
  }

  /** Of a sum's law, and the same moved up. */
  private static Events tails(double[] distribution, int moved) {
    double[] q = new double[distribution.length + moved];
    double[] p = new double[distribution.length + moved];
    double all = 0;
    double[] tail = new double[distribution.length];
    for (int i = distribution.length - 1; i >= 0; i--) {
      all += distribution[i];
      tail[i] = all;
    }
    for (int i = 0; i < q.length; i++) {
      int place = q.length - 1 - i;
      q[i] = place < distribution.length ? tail[place] : 0;
      p[i] = tail[Math.max(0, place - moved)];
    }
    return new Events(p, q);
  }

  private static Events continuous(double squaredMu) {
    double mu = Math.sqrt(squaredMu);
    double[] p = new double[THRESHOLDS];
    double[] q = new double[THRESHOLDS];
    for (int i = 0; i < THRESHOLDS; i++) {
      double t = mu + REACH - (mu + 2 * REACH) * i / (THRESHOLDS - 1);
      p[i] = IndependentNoiseLaw.normal(mu - t);
      q[i] = IndependentNoiseLaw.normal(-t);
    }
    return new Events(p, q);
  }

  @Override
  public double score(long drawn, long first, long second) {
    return (drawn - (first + second) / 2.0) * (first - second);
  }
}
