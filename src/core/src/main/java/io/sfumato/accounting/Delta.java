// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.math.BigDecimal;

/**
 * The probability with which a loss bound may fail. At least 0, below 1.
 *
 * @param value at least 0, below 1
 */
public record Delta(BigDecimal value) implements Comparable<Delta> {
  /**
   * @throws IllegalArgumentException if it is below 0, or 1 or above
   */
  public Delta {
    if (value.signum() < 0 || value.compareTo(BigDecimal.ONE) >= 0) {
      throw new IllegalArgumentException("delta must be at least 0 and below 1: " + value);
    }
  }

  /**
   * From a decimal, kept exactly.
   *
   * @param decimal at least 0 and below 1, such as {@code 1e-6}
   * @throws IllegalArgumentException if it is no decimal number, or is out of range
   */
  public static Delta of(String decimal) {
    return new Delta(new BigDecimal(decimal));
  }

  /** The largest double not above the decimal: budgets round down. */
  public double roundedDown() {
    return DecimalRounding.roundedDown(value);
  }

  @Override
  public int compareTo(Delta other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
