// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.Bisection;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.Distribution;
import java.util.Arrays;

/** From noisy counts to strictly positive shares. Free: it reads the noisy counts and N only. */
public enum PostProcessing {
  /**
   * {@code q_i} in proportion to {@code E[f_i | z_i - c, f_i >= 0] = (z_i - c) + s phi(t)/Phi(t)},
   * {@code t = (z_i - c)/s}, with c such that they add up to N. For Gaussian noise.
   */
  POSTERIOR_MEAN("posterior-mean", 0.9) {
    @Override
    public Distribution apply(double[] noisy, long size, double deviation) {
      double[] weights = new double[noisy.length];
      if (size == 0) {
        Arrays.fill(weights, 1);
        return Distribution.normalised(weights);
      }
      // The sum falls in c; each mean is above max(0, z - c), and below z - c + s from z = c on.
      double high = Arrays.stream(noisy).max().orElseThrow() + 40 * deviation;
      double low = Arrays.stream(noisy).min().orElseThrow() - size - deviation;
      while (sum(noisy, high, deviation) > size) {
        high += high - low;
      }
      double c = PosteriorShift.of(noisy, size, deviation, new Bisection(low, high));
      Arrays.setAll(weights, i -> mean(noisy[i] - c, deviation));
      return Distribution.normalised(weights);
    }
  },

  /** What is below half a standard deviation becomes that, then all is normalised. */
  FLOOR("floor", 0.7) {
    @Override
    public Distribution apply(double[] noisy, long size, double deviation) {
      return Distribution.normalised(
          Arrays.stream(noisy).map(z -> Math.max(z, deviation / 2)).toArray());
    }
  };

  private static final int NEWTON = 100;

  /** In deviations: below it, the mean is a series. */
  static final double FAR = -30;

  private final String word;

  /** By how many deviations the count of an empty category is raised, on average. */
  private final double raised;

  PostProcessing(String word, double raised) {
    this.word = word;
    this.raised = raised;
  }

  /**
   * By how much a share is off, about, because counts are made positive: one that is nothing is
   * raised, and all that are raised take their part from those that are large.
   *
   * @param share in [0, 1]
   * @param deviation of a count's noise
   * @param records at least 1
   * @param categories at least 2
   */
  public double pull(double share, double deviation, long records, int categories) {
    return raised * deviation / records * Math.max(1, share * (categories - 1));
  }

  /** The word of pipeline files. */
  public String word() {
    return word;
  }

  /**
   * Shares.
   *
   * @param noisy counts with noise, one a category
   * @param size N where it is public, else what the noisy counts add up to
   * @param deviation standard deviation of the noise, above 0
   */
  public abstract Distribution apply(double[] noisy, long size, double deviation);

  /** Of all posterior means, when c is taken off each count. */
  static double sum(double[] noisy, double c, double deviation) {
    double sum = 0;
    for (double z : noisy) {
      sum += mean(z - c, deviation);
    }
    return sum;
  }

  /**
   * What a count was seen as, of its posterior mean: the inverse of {@link #mean}, by Newton's
   * method from above zero, where the mean is convex in what was seen.
   *
   * @param mean above 0
   * @param deviation of a count's noise, above 0
   */
  public static double seen(double mean, double deviation) {
    // The mean lies above max(0, x), and far below zero it is s^2 / |x|.
    double x = mean > deviation ? mean : mean - deviation * deviation / mean;
    for (int i = 0; i < NEWTON; i++) {
      double t = x / deviation;
      double hazard = StrictMath.exp(StandardNormal.lnDensity(t) - StandardNormal.lnPhi(t));
      double step = (mean(x, deviation) - mean) / slope(t, hazard);
      x -= step;
      if (Math.abs(step) <= 1e-13 * (deviation + Math.abs(x))) {
        break;
      }
    }
    return x;
  }

  /**
   * By how much that mean rises with x.
   *
   * @param t x, in deviations
   * @param hazard of the normal distribution at -t
   */
  static double slope(double t, double hazard) {
    return t < FAR ? 1 / (t * t) : 1 - hazard * (t + hazard);
  }

  /** Mean of a count f >= 0 that was seen as x with Gaussian noise, under a flat prior. */
  static double mean(double x, double deviation) {
    double t = x / deviation;
    if (t < FAR) { // the two terms cancel: s (1/|t| - 2/|t|^3 + 10/|t|^5)
      double u = 1 / (t * t);
      return deviation / -t * (1 - 2 * u + 10 * u * u);
    }
    return x + deviation * StrictMath.exp(StandardNormal.lnDensity(t) - StandardNormal.lnPhi(t));
  }
}
