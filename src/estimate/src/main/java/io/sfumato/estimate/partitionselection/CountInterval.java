// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.partitionselection.NoisyName;
import io.sfumato.mechanism.partitionselection.Threshold;

/**
 * Between which whole numbers the count of a name lies, with probability 95% at least unless
 * another one is asked for.
 *
 * @param low of a name that was public at any rate maybe below 0: what noise tells, not cut off
 * @param high at least low
 */
public record CountInterval(long low, long high) {
  private static final double CONFIDENCE = 0.95;

  /** On either side. */
  private static final double SIDE = (1 - CONFIDENCE) / 2;

  /** Of a name that is published whatever its noisy count is. */
  public static CountInterval of(GridNoise noise, NoisyName noisy) {
    double half = halfWidth(noise);
    // Where there is hardly noise no whole number may lie within: it holds those next to the count.
    return new CountInterval(
        (long) Math.min(Math.floor(noisy.count()), Math.ceil(noisy.count() - half)),
        (long) Math.max(Math.ceil(noisy.count()), Math.floor(noisy.count() + half)));
  }

  /** Half its width, in records. */
  public static double halfWidth(GridNoise noise) {
    return Math.scalb(noise.halfWidth(CONFIDENCE, 1), -noise.digits());
  }

  /**
   * Of a name that was published because it passed: the counts n, at least 1, at which neither so
   * large a noisy count Y nor so small a one is rarer than 2.5%, given {@code Y >= tau}. Without
   * that condition most of those who barely pass would be overestimated.
   */
  public static CountInterval ofPassed(GridNoise noise, Threshold threshold, NoisyName noisy) {
    return ofPassed(noise, threshold, noisy, SIDE);
  }

  /**
   * The same with another probability, for several names at once.
   *
   * @param side how often the count may lie below the interval, and how often above it: above 0,
   *     below 1/2
   */
  public static CountInterval ofPassed(
      GridNoise noise, Threshold threshold, NoisyName noisy, double side) {
    long tau = Math.multiplyExact(threshold.least(), 1L << noise.digits());
    Passed passed = new Passed(noise, tau, noisy.steps());
    long near = Math.max(1, (long) Math.ceil(noisy.count()));
    long low = 1;
    if (passed.atLeast(1) < side) {
      // At n = Y half of all noises are large enough.
      long below = 1;
      long above = near;
      while (above - below > 1) {
        long middle = (below + above) >>> 1;
        if (passed.atLeast(middle) < side) {
          below = middle;
        } else {
          above = middle;
        }
      }
      low = above;
    }
    long in = low;
    long out = Math.max(near, low) + 1;
    while (passed.atMost(out) >= side) {
      in = out;
      out *= 2;
    }
    while (out - in > 1) {
      long middle = (in + out) >>> 1;
      if (passed.atMost(middle) >= side) {
        in = middle;
      } else {
        out = middle;
      }
    }
    return new CountInterval(low, in);
  }

  /** Of a noisy count y that passed; both rise or fall with n. */
  private record Passed(GridNoise noise, long tau, long y) {
    /** P[n + Z >= y | n + Z >= tau]. */
    double atLeast(long n) {
      return tail(y - onGrid(n)) / tail(tau - onGrid(n));
    }

    /** P[n + Z <= y | n + Z >= tau]. */
    double atMost(long n) {
      double all = tail(tau - onGrid(n));
      return (all - tail(y + 1 - onGrid(n))) / all;
    }

    private long onGrid(long n) {
      return Math.multiplyExact(n, 1L << noise.digits());
    }

    /** P[Z >= x], Z symmetric. */
    private double tail(long x) {
      return x > 0 ? noise.tail(x - 1.0, 1) / 2 : 1 - noise.tail(-x, 1) / 2;
    }
  }
}
