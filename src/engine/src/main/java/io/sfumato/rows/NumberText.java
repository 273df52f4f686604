// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Column.Style;
import io.sfumato.text.Bars;
import java.util.Locale;

/**
 * Numbers with their errors, as people read them: as many digits as the interval leaves, and two
 * more.
 */
public final class NumberText {
  /** Instead of a number that would only look like one. */
  static final String UNKNOWN = "unknown (too much noise)";

  private static final int BAR = 8;

  private NumberText() {}

  /** What stands before half the width of an interval. */
  enum Sign {
    TERMINAL(" +-"),
    PAGE(" ± ");

    private final String text;

    Sign(String text) {
      this.text = text;
    }
  }

  /** A number without an interval, four digits of it unless it is whole. */
  public static String of(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e15
        ? String.format(Locale.ROOT, "%,.0f", number)
        : String.format(Locale.ROOT, "%.4g", number);
  }

  /**
   * A number with its error.
   *
   * @param marks what else is said of it; empty if nothing
   */
  static String of(Quantity quantity, Style style, Sign sign, String marks) {
    if (quantity.unknown()) {
      return "unknown" + marks;
    }
    return switch (style) {
      case SHARE -> share(quantity, sign) + marks;
      case AROUND -> around(quantity, sign) + marks;
      default -> interval(quantity, style, marks);
    };
  }

  /** A number whose error is said elsewhere. */
  static String alone(Quantity quantity) {
    return written(quantity.number(), quantity, quantity.high() - quantity.low());
  }

  /** Half the width of an interval. */
  static String half(Quantity quantity) {
    return written(quantity.half(), quantity, 2 * quantity.half());
  }

  /** A bar, where a terminal shows a share. */
  static String bar(Quantity share) {
    return Bars.bar(share.number(), BAR) + " ";
  }

  private static String share(Quantity share, Sign sign) {
    String percent =
        String.format(
            Locale.ROOT, sign == Sign.TERMINAL ? "%4.1f%%" : "%.1f%%", 100 * share.number());
    return share.interval().isEmpty()
        ? percent
        : percent + sign.text + String.format(Locale.ROOT, "%.1f", 100 * share.half());
  }

  private static String around(Quantity quantity, Sign sign) {
    return quantity.interval().isEmpty()
        ? alone(quantity)
        : written(quantity.number(), quantity, 2 * quantity.half()) + sign.text + half(quantity);
  }

  private static String interval(Quantity quantity, Style style, String marks) {
    double width = quantity.high() - quantity.low();
    String number = alone(quantity) + marks;
    if (width > 0) {
      number +=
          " (%s to %s)"
              .formatted(
                  written(quantity.low(), quantity, width),
                  written(quantity.high(), quantity, width));
    }
    return number + (quantity.clamped() ? style == Style.BINS ? " or beyond" : ", clamped" : "");
  }

  private static String written(double value, Quantity quantity, double width) {
    if (quantity.isWhole()) {
      return String.format(Locale.ROOT, "%,.0f", positive(value, "%,.0f"));
    }
    if (quantity.interval().isEmpty()) {
      return of(value);
    }
    String format = format(value, width);
    return String.format(Locale.ROOT, format, positive(value, format));
  }

  /** What would read as -0. */
  private static double positive(double value, String format) {
    return String.format(Locale.ROOT, format, value).matches("-[0.]+") ? 0 : value;
  }

  private static String format(double value, double width) {
    if (width == 0 && value == Math.rint(value)) {
      return "%,.0f";
    }
    double shown = Math.max(width, Math.abs(value) * 1e-9);
    int decimals =
        shown > 0 ? (int) Math.max(0, Math.min(9, 1 - Math.floor(StrictMath.log10(shown)))) : 0;
    return "%,." + decimals + "f";
  }
}
