// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;

/** A budget in equal parts, as a file writes them: they add up to the whole. */
final class Parts {
  /** Digits of an epsilon's parts. */
  static final int EPSILON = 6;

  /** Of a delta's. */
  static final int DELTA = 3;

  /** Smaller numbers are written as 1e-6. */
  private static final BigDecimal SMALL = new BigDecimal("0.001");

  private final Deque<String> left = new ArrayDeque<>();

  /**
   * @param whole above 0
   * @param number of parts, at least 1
   * @param digits of the whole that parts are rounded to
   */
  Parts(BigDecimal whole, int number, int digits) {
    int scale = Math.max(whole.scale(), digits - whole.precision() + whole.scale());
    BigDecimal part = whole.divide(BigDecimal.valueOf(number), scale, RoundingMode.DOWN);
    left.addAll(Collections.nCopies(number - 1, text(part)));
    left.addLast(text(whole.subtract(part.multiply(BigDecimal.valueOf(number - 1L)))));
  }

  /** The next one; the last one has what rounding left. */
  String next() {
    return left.removeFirst();
  }

  /** A number as files of people have it. */
  static String text(BigDecimal number) {
    BigDecimal shown = number.stripTrailingZeros();
    if (shown.abs().compareTo(SMALL) >= 0) {
      return shown.toPlainString();
    }
    String digits = shown.unscaledValue().toString();
    String more = digits.length() > 1 ? "." + digits.substring(1) : "";
    return digits.charAt(0) + more + "e" + (digits.length() - 1 - shown.scale());
  }
}
