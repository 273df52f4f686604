// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

/**
 * The noise of a row, as far as the file states it.
 *
 * @param deviation standard deviation; 0 of a public fact
 * @param law of its distribution
 * @param step 1 for whole-number noise; 0 for noise of a fine grid
 */
record StatedNoise(double deviation, Law law, double step) {
  /** Of nothing but this: beside Laplace noise of another output a sum has Laplace's tails. */
  private static final String GAUSSIAN = "discrete-gaussian";

  /** What the distribution is. */
  enum Law {
    LAPLACE,
    GAUSSIAN,
    /** Known by the half width alone. */
    ROUNDED_LAPLACE,
    /** Known by the half width alone. */
    ROUNDED_GAUSSIAN
  }

  /**
   * That of a row.
   *
   * <p>Without a stated deviation it follows from the half width m. A whole m holds 95% of the
   * noise, so the noise, smoothed by a step, holds as much within m + 1/2. No discrete Gaussian of
   * this half width has a larger deviation than the root of ((m + 1/2) / 1.96)^2 + 1/12, and no sum
   * of Laplace noises of this half width is wider at 95%. Beside noise of other laws it has Laplace
   * tails.
   */
  static StatedNoise of(FileRow row) {
    if (row.isExact()) {
      return new StatedNoise(0, Law.GAUSSIAN, 0);
    }
    double step = row.hasWholeNoise() ? 1 : 0;
    if (row.deviation().isPresent()) {
      return new StatedNoise(
          row.deviation().getAsDouble(),
          row.noise().equals(GAUSSIAN) ? Law.GAUSSIAN : Law.LAPLACE,
          step);
    }
    double half = Math.max(row.high() - row.number(), row.number() - row.low());
    return new StatedNoise(
        Math.hypot((half + step / 2) / CombinedNoise.NORMAL, step / Math.sqrt(12)),
        row.noise().equals(GAUSSIAN) ? Law.ROUNDED_GAUSSIAN : Law.ROUNDED_LAPLACE,
        step);
  }

  /** With a weight, in so many rows. */
  NoisePart times(double weight, long rows) {
    return new NoisePart(Math.abs(weight) * deviation, law, Math.abs(weight) * step, rows);
  }
}
