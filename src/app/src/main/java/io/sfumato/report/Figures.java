// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.pipeline.ReportText;
import java.math.BigDecimal;
import java.math.RoundingMode;

/** Numbers as a sheet says them: what is an upper bound is never rounded down. */
final class Figures {
  private static final double ALMOST_ALL = 0.9999;

  private Figures() {}

  /** To four digits that count, rounded up. */
  static String atMost(double value) {
    return ReportText.atMost(value);
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

  /** As people write it, without an exponent: 0.000001. */
  static String plain(BigDecimal value) {
    return ReportText.plain(value);
  }
}
