// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.math.BigDecimal;
import java.util.Optional;

/**
 * A decimal of at most {@value #MOST_DIGITS} digits: sign, significant digits, power of ten.
 *
 * @param negative whether it is below 0
 * @param digits without zeros at either end; empty for 0
 * @param exponent power of ten that the digits, read as a whole number, are multiplied by
 */
record PlainDecimal(boolean negative, String digits, int exponent) {
  /** Most digits of the plain decimal. Longer ones are refused before they are written out. */
  static final int MOST_DIGITS = 40;

  /** A decimal of so many bits has far more digits than are allowed, unless most of them are 0. */
  private static final int MOST_BITS = 4_096;

  private static final PlainDecimal ZERO = new PlainDecimal(false, "", 0);

  /**
   * Of a number.
   *
   * @param number in JSON's grammar
   * @return nothing if it is none, or has too many digits
   */
  static Optional<PlainDecimal> of(String number) {
    if (!JsonNumber.isNumber(number)) {
      return Optional.empty();
    }
    int e = Math.max(number.indexOf('e'), number.indexOf('E'));
    String mantissa = e < 0 ? number : number.substring(0, e);
    boolean negative = mantissa.startsWith("-");
    String unsigned = negative ? mantissa.substring(1) : mantissa;
    int point = unsigned.indexOf('.');
    String digits =
        point < 0 ? unsigned : unsigned.substring(0, point) + unsigned.substring(point + 1);
    long scale = point < 0 ? 0 : unsigned.length() - point - 1L;
    return of(negative, digits, (e < 0 ? 0 : exponent(number.substring(e + 1))) - scale);
  }

  /** Of an exact decimal. */
  static Optional<PlainDecimal> of(BigDecimal number) {
    return number.unscaledValue().bitLength() > MOST_BITS
        ? Optional.empty()
        : of(number.signum() < 0, number.unscaledValue().abs().toString(), -(long) number.scale());
  }

  private static Optional<PlainDecimal> of(boolean negative, String digits, long exponent) {
    int from = 0;
    int to = digits.length();
    while (from < to && digits.charAt(from) == '0') {
      from++;
    }
    while (from < to && digits.charAt(to - 1) == '0') {
      to--;
    }
    String significant = digits.substring(from, to);
    if (significant.isEmpty()) {
      return Optional.of(ZERO);
    }
    long power = exponent + digits.length() - to;
    long all =
        power >= 0 ? significant.length() + power : Math.max(significant.length(), 1 - power);
    return all > MOST_DIGITS
        ? Optional.empty()
        : Optional.of(new PlainDecimal(negative, significant, (int) power));
  }

  /** Far beyond what is allowed, its exact value does not matter. */
  private static long exponent(String text) {
    boolean negative = text.startsWith("-");
    String digits = text.replaceAll("^[-+]?0*", "");
    long size =
        digits.length() > 9 ? Integer.MAX_VALUE : digits.isEmpty() ? 0 : Long.parseLong(digits);
    return negative ? -size : size;
  }

  /** In digits and at most one point, such as {@code -0.05}. */
  String text() {
    if (digits.isEmpty()) {
      return "0";
    }
    String sign = negative ? "-" : "";
    if (exponent >= 0) {
      return sign + digits + "0".repeat(exponent);
    }
    int whole = digits.length() + exponent;
    return whole > 0
        ? sign + digits.substring(0, whole) + "." + digits.substring(whole)
        : sign + "0." + "0".repeat(-whole) + digits;
  }
}
