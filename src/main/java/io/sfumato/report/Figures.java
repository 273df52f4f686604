// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as a sheet says them: what is an upper bound is never rounded down. */
final class Figures {
  private static final int DIGITS = 4;

  /** What accountants add to cover roundings of their own is not told as another digit. */
  private static final double ROUNDINGS = 1e-9;

  private static final double ALMOST_ALL = 0.9999;

  private Figures() {}

  /** To four digits that count, rounded up. */
  static String atMost(double value) {
    if (!Double.isFinite(value)) {
      return "no bound";
    }
    BigDecimal kept =
        new BigDecimal(value * (1 - ROUNDINGS))
            .round(new MathContext(DIGITS, RoundingMode.CEILING))
            .stripTrailingZeros();
    return kept.compareTo(BigDecimal.valueOf(1e12)) >= 0
        ? String.format(Locale.ROOT, "%.2e", kept)
        : String.format(Locale.ROOT, "%,." + Math.max(0, kept.scale()) + "f", kept);
  }

  /** A probability that was given, as a percentage. */
  static String percent(double probability) {
    return BigDecimal.valueOf(probability).scaleByPowerOfTen(2).stripTrailingZeros().toPlainString()
        + "%";
  }

  /** A probability as a percentage, rounded up; never 100% where it is not. */
  static String percentAtMost(double probability) {
    return probability > ALMOST_ALL ? "above 99.99%" : percent(probability, RoundingMode.CEILING);
  }

  /** The same rounded down; never 0% where it is not. */
  static String percentAtLeast(double probability) {
    return probability < 1 - ALMOST_ALL ? "below 0.01%" : percent(probability, RoundingMode.FLOOR);
  }

  private static String percent(double probability, RoundingMode mode) {
    return new BigDecimal(100 * probability).setScale(2, mode).stripTrailingZeros().toPlainString()
        + "%";
  }

  /** As files have it, without an exponent that people do not write: 0.000001. */
  static String plain(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() > 10 ? stripped.toString() : stripped.toPlainString();
  }
}
