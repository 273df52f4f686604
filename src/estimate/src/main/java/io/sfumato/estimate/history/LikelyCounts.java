// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import io.sfumato.estimate.additive.NoiseLaw;
import java.util.Arrays;
import org.apache.commons.math3.special.Gamma;

/**
 * What a count may have been, given the noisy one: whole numbers within nine deviations of it, with
 * the noise's own law. All of them where they are few; else sums go by trapezoids over some of
 * them, which lie closer together than the noise and the priors bend.
 */
final class LikelyCounts {
  private static final double REACH = 9;

  /** Of a deviation of the noise. */
  private static final double FINE = 0.25;

  /** Of a count: the priors' shapes are at most some hundred, so that they are wider than this. */
  private static final double FINE_SHARE = 0.05;

  /** Logarithms of f!, for the counts that most windows have. */
  private static final double[] LOG_FACTORIALS = new double[1 << 11];

  static {
    Arrays.setAll(LOG_FACTORIALS, f -> Gamma.logGamma(f + 1.0));
  }

  private final long[] counts;
  private final double[] logFactorials;
  private final double[] logLikelihoods;

  /**
   * @param deviation of the noise, above 0
   * @param seen with noise
   * @param most that the count can be, at least 0
   */
  LikelyCounts(NoiseLaw distribution, double deviation, long seen, long most) {
    this.counts = counts(deviation, Math.max(0, Math.min(most, seen)), most);
    this.logFactorials = new double[counts.length];
    this.logLikelihoods = new double[counts.length];
    for (int k = 0; k < counts.length; k++) {
      logFactorials[k] = logFactorial(counts[k]);
      logLikelihoods[k] = distribution.log(seen - counts[k]) + StrictMath.log(width(k));
    }
  }

  private static double logFactorial(long count) {
    return count < LOG_FACTORIALS.length
        ? LOG_FACTORIALS[(int) count]
        : Gamma.logGamma(count + 1.0);
  }

  /** Rising; the middle, where the law may have a kink, is one of them. */
  private static long[] counts(double deviation, long middle, long most) {
    long reach = (long) Math.ceil(REACH * deviation);
    long low = middle > reach ? middle - reach : 0;
    long high = most - middle > reach ? middle + reach : most;
    long[] down = new long[0];
    int below = 0;
    for (long count = middle; count > low; below++) {
      count = Math.max(low, count - step(count, deviation));
      down = below < down.length ? down : Arrays.copyOf(down, 2 * below + 64);
      down[below] = count;
    }
    long[] all = new long[below + 64];
    for (int i = 0; i < below; i++) {
      all[i] = down[below - 1 - i];
    }
    int size = below;
    all[size++] = middle;
    for (long count = middle; count < high; size++) {
      count = Math.min(high, count + step(count, deviation));
      all = size < all.length ? all : Arrays.copyOf(all, 2 * size);
      all[size] = count;
    }
    return Arrays.copyOf(all, size);
  }

  private static long step(long count, double deviation) {
    return Math.max(1, (long) Math.min(FINE * deviation, FINE_SHARE * count));
  }

  /** How many whole numbers one stands for: half of those on both sides, and itself at an end. */
  private double width(int k) {
    double below = k == 0 ? 1 : counts[k] - counts[k - 1];
    double above = k == counts.length - 1 ? 1 : counts[k + 1] - counts[k];
    return (below + above) / 2;
  }

  CountPosterior under(CountPrior prior) {
    double[] log = new double[counts.length];
    double top = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < log.length; k++) {
      log[k] = logLikelihoods[k] + prior.log(counts[k], logFactorials[k]);
      top = Math.max(top, log[k]);
    }
    double sum = 0;
    double moment = 0;
    double[] likelihoods = new double[log.length];
    for (int k = 0; k < log.length; k++) {
      likelihoods[k] = StrictMath.exp(log[k] - top);
      sum += likelihoods[k];
      moment += likelihoods[k] * counts[k];
    }
    double mean = moment / sum;
    double spread = 0;
    for (int k = 0; k < log.length; k++) {
      double away = counts[k] - mean;
      spread += likelihoods[k] * away * away;
    }
    return new CountPosterior(mean, spread / sum, top + StrictMath.log(sum));
  }
}
