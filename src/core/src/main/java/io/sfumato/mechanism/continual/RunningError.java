// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Standard deviations of what rows tell, where that of a row's noise is 1. Found at some numbers of
 * windows, 16 of every octave up to 4,096 and 4 of every later one up to 65,536, and interpolated
 * in the variance; beyond, it goes on as it must by then.
 */
public final class RunningError {
  private static final int ALL = 64;
  private static final int FINE = 4096;
  private static final int FURTHEST = 1 << 16;

  /** How much faster than the coefficients say a variance may rise, since bins are rounded down. */
  private static final double BINS = 1.1;

  /** What a variance may rise by beyond a line just behind the band. */
  private static final double BEND = 0.25;

  private record Sum(int windows, int last) {}

  private final Coefficients coefficients;
  private final RunningVariance variance;
  private final Map<Sum, Double> found = new ConcurrentHashMap<>();

  /** The error of sums with these coefficients, where a row's noise has deviation 1. */
  public RunningError(Coefficients coefficients) {
    this.coefficients = coefficients;
    this.variance = new RunningVariance(coefficients);
  }

  /**
   * Of the sum of all windows.
   *
   * @param windows n that there are so far, at least 1
   */
  public double ofAll(long windows) {
    return Math.sqrt(variance(windows, Long.MAX_VALUE));
  }

  /**
   * Of the sum of the last windows.
   *
   * @param windows n that there are so far, at least 1
   * @param last how many are summed up, at least 1; all if there are fewer
   */
  public double ofLast(long windows, int last) {
    return Math.sqrt(variance(windows, last));
  }

  /**
   * How much of each row's noise is in the sum of all windows, the first row's first; off by
   * roundings of doubles alone.
   *
   * @param windows n that there are so far, at least 1
   */
  public double[] parts(int windows) {
    return variance.noiseParts(windows, windows);
  }

  /**
   * Root mean square over the sums of all windows, up to the T-th.
   *
   * @param windows T, at least 1
   */
  public double rootMeanSquare(int windows) {
    double sum = 0;
    long from = 0;
    double before = 0;
    for (long at = 1; from < windows; at = next(at + 1)) {
      long to = Math.min(at, windows);
      double here = variance(to, Long.MAX_VALUE);
      // A trapezoid, its first end left to the one before.
      long steps = to - from;
      sum += steps == 1 ? here : steps * (before + here) / 2 + (here - before) / 2;
      from = to;
      before = here;
    }
    return Math.sqrt(sum / windows);
  }

  private double variance(long windows, long last) {
    if (last < windows) {
      // Does not depend on the beginning for long.
      long n = next(Math.min(FURTHEST, windows));
      return found((int) n, (int) last);
    }
    if (windows > FURTHEST) {
      return found(FURTHEST, FURTHEST) + beyond(windows);
    }
    long high = next(windows);
    if (high == windows) {
      return found((int) windows, (int) windows);
    }
    long low = high - step(windows);
    double lower = found((int) low, (int) low);
    double upper = found((int) high, (int) high);
    return lower + (upper - lower) * (windows - low) / (high - low);
  }

  private double found(int windows, int last) {
    return found.computeIfAbsent(new Sum(windows, last), sum -> variance.of(windows, last));
  }

  private static long step(long windows) {
    long octave = Long.highestOneBit(windows);
    return windows <= ALL ? 1 : octave / (windows < FINE ? 16 : 4);
  }

  /** The first number of windows from here on at which it is found. */
  private static long next(long windows) {
    long step = step(windows);
    return (windows + step - 1) / step * step;
  }

  /** What is added after the last number of windows at which it is found. */
  private double beyond(long windows) {
    // Beyond its band every window adds the same.
    double sum =
        coefficients instanceof DecayingCoefficients
            ? 2
                * Math.sqrt(coefficients.band() / StrictMath.PI)
                / square(1 + StrictMath.log(coefficients.band()) / 20)
            : coefficients.columnSum().doubleValue() / Coefficients.ONE;
    double each = 1 / square(sum);
    if (coefficients.band() > windows) {
      return BINS * (fading(windows) - fading(FURTHEST));
    }
    if (coefficients.band() > FURTHEST) {
      return BINS
              * (fading(coefficients.band())
                  - fading(FURTHEST)
                  + (windows - coefficients.band()) * each)
          + BEND;
    }
    double slope = (found(FURTHEST, FURTHEST) - found(FURTHEST / 2, FURTHEST / 2)) * 2 / FURTHEST;
    return coefficients.band() <= FURTHEST / 2
        ? (windows - FURTHEST) * slope
        : (windows - FURTHEST) * Math.max(slope, BINS * each) + BEND;
  }

  private static double square(double x) {
    return x * x;
  }

  /** The integral of (1 + ln(k) / 20)^4 / (pi k), by which the squares of B's rows rise. */
  private static double fading(long windows) {
    return 4 / StrictMath.PI * StrictMath.pow(1 + StrictMath.log(windows) / 20, 5);
  }
}
