// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** How numbers are written in reports. */
public final class ReportText {
  private ReportText() {}

  private static final int DIGITS = 4;

  /** What accountants add to cover roundings of their own is not told as another digit. */
  private static final double ROUNDINGS = 1e-9;

  /** An upper bound, to four digits that count, and never below what is proved. */
  public static String atMost(double bound) {
    if (!Double.isFinite(bound)) {
      return "no bound";
    }
    BigDecimal kept =
        new BigDecimal(bound * (1 - ROUNDINGS))
            .round(new MathContext(DIGITS, RoundingMode.CEILING))
            .stripTrailingZeros();
    return kept.compareTo(BigDecimal.valueOf(1e12)) >= 0
        ? String.format(Locale.ROOT, "%.2e", kept)
        : plain(kept);
  }

  /** A number as it is, without an exponent that people do not write: 1,098 and 0.0000004. */
  public static String plain(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() > 20
        ? stripped.toString()
        : String.format(Locale.ROOT, "%,." + Math.max(0, stripped.scale()) + "f", stripped);
  }

  /** To three digits that count, without an exponent where people would not write one. */
  public static String rounded(double value) {
    double size = Math.abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e12)) {
      return String.format(Locale.ROOT, "%.3g", value);
    }
    BigDecimal kept = new BigDecimal(value).round(new MathContext(3));
    return String.format(Locale.ROOT, "%,." + Math.max(0, kept.scale()) + "f", kept);
  }

  /** To four digits that count, without zeros at the end; whole numbers in full. */
  static String significant(double value) {
    double size = Math.abs(value);
    if (!Double.isFinite(value) || size != 0 && (size < 1e-4 || size >= 1e12)) {
      return String.format(Locale.ROOT, "%.4g", value);
    }
    BigDecimal exact = new BigDecimal(value);
    return plain(value == Math.rint(value) ? exact : exact.round(new MathContext(DIGITS)));
  }

  /** A number as files have it: whole ones without a point. */
  public static String number(double value) {
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : Double.toString(value);
  }

  /** A share as a percentage, to a tenth. */
  public static String percent(double share) {
    return share > 0 && share < 0.0005
        ? "below 0.1%"
        : new DecimalFormat("0.#", DecimalFormatSymbols.getInstance(Locale.ROOT))
                .format(100 * share)
            + "%";
  }
}
