// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.math.BigDecimal;

/**
 * A privacy loss bound in nats, as the decimal number that a person wrote. Above 0.
 *
 * @param value in nats, above 0, at most 1,000,000
 */
public record Epsilon(BigDecimal value) implements Comparable<Epsilon> {
  private static final BigDecimal LARGEST = new BigDecimal("1000000");

  /**
   * @throws IllegalArgumentException if it is not above 0, or above 1,000,000
   */
  public Epsilon {
    if (value.signum() <= 0 || value.compareTo(LARGEST) > 0) {
      throw new IllegalArgumentException("epsilon must be above 0 and at most 1000000: " + value);
    }
  }

  /**
   * From a decimal, kept exactly.
   *
   * @param decimal above 0 and at most 1,000,000, such as {@code 0.5}
   * @throws IllegalArgumentException if it is no decimal number, or is out of range
   */
  public static Epsilon of(String decimal) {
    return new Epsilon(new BigDecimal(decimal));
  }

  /** The largest double not above the decimal: budgets round down. */
  public double roundedDown() {
    return DecimalRounding.roundedDown(value);
  }

  @Override
  public int compareTo(Epsilon other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value.toPlainString();
  }
}
