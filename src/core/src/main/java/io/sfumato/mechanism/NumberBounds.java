// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/**
 * The public range of a number. What lies outside counts as its nearer end.
 *
 * @param lo from -10^150: so that squares are numbers too
 * @param hi above {@code lo}, up to 10^150
 */
public record NumberBounds(double lo, double hi) {
  private static final double LARGEST = 1e150;

  /**
   * @throws IllegalArgumentException unless both lie between -1e150 and 1e150, the lower one first
   */
  public NumberBounds {
    lo += 0.0; // -0.0 and 0.0 are one bound
    hi += 0.0;
    if (!(lo >= -LARGEST && lo < hi && hi <= LARGEST)) {
      throw new IllegalArgumentException(
          "bounds lie between -1e150 and 1e150, the lower one first; were " + lo + " and " + hi);
    }
  }

  /** hi - lo, above 0. */
  public double span() {
    return hi - lo;
  }

  /**
   * t = (clamp(x) - lo) / (hi - lo), in [0, 1]; does not fall with x.
   *
   * @param x any number, infinities too
   * @throws IllegalArgumentException if it is NaN
   */
  public double place(double x) {
    if (Double.isNaN(x)) {
      throw new IllegalArgumentException("NaN lies nowhere between bounds");
    }
    return (Math.max(lo, Math.min(hi, x)) - lo) / span();
  }

  /**
   * The number at a place, in [lo, hi].
   *
   * @param t in [0, 1]
   */
  public double at(double t) {
    return Math.max(lo, Math.min(hi, lo + t * span()));
  }
}
