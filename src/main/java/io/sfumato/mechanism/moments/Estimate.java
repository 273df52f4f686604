// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

/**
 * A quantity as noisy sums tell it, with an interval in which the truth lies in 95 of 100 releases.
 *
 * @param value in [low, high]
 * @param low finite or -infinity
 * @param high finite or infinity
 */
public record Estimate(double value, double low, double high) {
  public Estimate {
    if (!(low <= value && value <= high)) {
      throw new IllegalArgumentException("an estimate lies in its interval");
    }
  }

  /** Known without noise. */
  static Estimate exact(double value) {
    return new Estimate(value, value, value);
  }

  /** A value with half an interval on either side, within what is possible at all. */
  static Estimate around(double value, double half, double least, double most) {
    return new Estimate(
        clamp(value, least, most),
        clamp(value - half, least, most),
        clamp(value + half, least, most));
  }

  /** The nearest number in [least, most]. */
  static double clamp(double x, double least, double most) {
    return Math.max(least, Math.min(most, x));
  }
}
