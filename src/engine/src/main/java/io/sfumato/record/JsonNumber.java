// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.math.BigDecimal;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Numbers in JSON's grammar (RFC 8259, section 6), in text too. Java's extensions are no numbers:
 * {@code 30d} is a duration to its writer, and 30 to {@code Double.valueOf}.
 */
public final class JsonNumber {
  /** Longest number that is read exactly. */
  private static final int MOST_UNITS = 1_000;

  private JsonNumber() {}

  /**
   * The number in a text, with blanks around it or not.
   *
   * @return nothing if it is no number, or lies beyond the doubles
   */
  public static OptionalDouble in(String text) {
    String number = trimmed(text);
    if (!isNumber(number)) {
      return OptionalDouble.empty();
    }
    double value = Double.parseDouble(number);
    return Double.isFinite(value) ? OptionalDouble.of(value) : OptionalDouble.empty();
  }

  /**
   * The number in a text, with blanks around it or not, rounded down to a whole one. Its digits
   * decide: the nearest double of 2.9999999999999999999 is 3.
   *
   * @return nothing if it is no number, or no long can hold it
   */
  public static Optional<Long> floor(String text) {
    return decimal(trimmed(text)).flatMap(Decimals::floor);
  }

  /**
   * The exact number that a text is.
   *
   * @return nothing if it is no number and nothing else, or has too many digits
   */
  public static Optional<BigDecimal> decimal(String text) {
    // Reading digits takes time that is quadratic in their number.
    if (text.length() > MOST_UNITS || !isNumber(text)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BigDecimal(text));
    } catch (NumberFormatException e) {
      // Its power of ten is beyond what a decimal holds.
      return Optional.empty();
    }
  }

  /** Without JSON's blanks at either end. */
  static String trimmed(String text) {
    int from = 0;
    int to = text.length();
    while (from < to && isBlank(text.charAt(from))) {
      from++;
    }
    while (from < to && isBlank(text.charAt(to - 1))) {
      to--;
    }
    return text.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
  }

  /** Whether a text is a number and nothing else. */
  public static boolean isNumber(String text) {
    int at = text.startsWith("-") ? 1 : 0;
    int whole = digits(text, at);
    if (whole == at || text.charAt(at) == '0' && whole > at + 1) {
      return false;
    }
    at = whole;
    if (at < text.length() && text.charAt(at) == '.') {
      int fraction = digits(text, at + 1);
      if (fraction == at + 1) {
        return false;
      }
      at = fraction;
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      at++;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      int power = digits(text, at);
      if (power == at) {
        return false;
      }
      at = power;
    }
    return at == text.length();
  }

  /** The end of the ASCII digits that begin at a place. */
  private static int digits(String text, int from) {
    int to = from;
    while (to < text.length() && text.charAt(to) >= '0' && text.charAt(to) <= '9') {
      to++;
    }
    return to;
  }
}
