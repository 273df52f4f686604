// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

/**
 * A quantity as noisy sums tell it, with an interval in which the truth lies in 95 of 100 releases.
 *
 * @param value in [low, high]
 * @param low finite or -infinity
 * @param high finite or infinity
 * @param clamped whether the noise alone would have told a value that is impossible, so that the
 *     nearest possible one stands here
 * @param unknown whether the interval leaves nearly all possible values open, so that the value
 *     tells next to nothing
 */
public record Estimate(double value, double low, double high, boolean clamped, boolean unknown) {
  /** What part of a range an interval holds where the quantity is called unknown. */
  public static final double OPEN = 0.9;

  /**
   * @throws IllegalArgumentException if the value lies outside its interval
   */
  public Estimate {
    if (!(low <= value && value <= high)) {
      throw new IllegalArgumentException("an estimate lies in its interval");
    }
  }

  /**
   * Of a quantity that may be any number.
   *
   * @param value of the estimate
   * @param low lower end of its interval
   * @param high upper end of its interval
   * @throws IllegalArgumentException if the value lies outside its interval
   */
  public Estimate(double value, double low, double high) {
    this(value, low, high, false, false);
  }

  /**
   * Known without noise.
   *
   * @param value any number
   */
  public static Estimate exact(double value) {
    return new Estimate(value, value, value);
  }

  /**
   * Without bias: a value, of any sign, with half an interval on either side.
   *
   * @param value any number
   * @param half of the interval's width, at least 0
   */
  public static Estimate around(double value, double half) {
    return new Estimate(value, value - half, value + half);
  }

  /**
   * Of a quantity that lies in a range: an impossible value is moved to the nearest possible one,
   * and its interval with it, which holds all that the interval held of the range, and never
   * shrinks to a point.
   *
   * @param value as estimated, of any sign
   * @param below how far the interval reaches below the value, at least 0
   * @param above how far above
   * @param least the range's lower end
   * @param most the range's upper end
   */
  public static Estimate within(
      double value, double below, double above, double least, double most) {
    double possible = clamp(value, least, most);
    double low = Math.max(least, possible - below);
    double high = Math.min(most, possible + above);
    return new Estimate(
        possible, low, high, possible != value, high - low >= OPEN * (most - least));
  }

  /**
   * The nearest number in [least, most].
   *
   * @param x any number
   * @param least the lower end
   * @param most the upper end
   */
  public static double clamp(double x, double least, double most) {
    return Math.max(least, Math.min(most, x));
  }
}
