// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Numbers as a sheet says them: what is an upper bound is never rounded down. */
final class Figures {
  private static final int DIGITS = 3;
  private static final double ALMOST_ALL = 0.9999;

  private Figures() {}

  /** To three digits that count, rounded up. */
  static String atMost(double value) {
    if (!Double.isFinite(value)) {
      return "no bound";
    }
    BigDecimal kept = new BigDecimal(value).round(new MathContext(DIGITS, RoundingMode.CEILING));
    return kept.compareTo(BigDecimal.valueOf(1e12)) >= 0
        ? String.format(Locale.ROOT, "%.2e", kept)
        : String.format(Locale.ROOT, "%,." + Math.max(0, kept.scale()) + "f", kept);
  }

  /** A probability as a percentage, rounded up; never 100% where it is not. */
  static String percentAtMost(double probability) {
    if (probability >= 1) {
      return "100%";
    }
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
