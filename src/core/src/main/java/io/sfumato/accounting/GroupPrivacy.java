// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** How delta grows along a chain of neighbours, in exact decimals that are rounded upward. */
public final class GroupPrivacy {
  /** More than any account has: a delta that promises nothing. */
  public static final BigDecimal CERTAIN = new BigDecimal("1e2000");

  private static final MathContext UP = new MathContext(40, RoundingMode.CEILING);

  /** Beyond it e^x is more than {@link #CERTAIN}. */
  private static final BigDecimal LARGEST = BigDecimal.valueOf(2000);

  private static final int TERMS = 30;

  private GroupPrivacy() {}

  /**
   * 1 + e^epsilon + ... + e^((n-1) epsilon), rounded upward.
   *
   * @param epsilon at least 0
   * @param n at least 1
   * @return at most {@link #CERTAIN}, which stands for all that is larger
   */
  public static BigDecimal deltas(BigDecimal epsilon, long n) {
    if (n == 1 || epsilon.signum() == 0) {
      return BigDecimal.valueOf(n);
    }
    if (epsilon.multiply(BigDecimal.valueOf(n)).compareTo(LARGEST) > 0) {
      return CERTAIN;
    }
    // Increasing in the base: any bound of e^epsilon from above will do.
    BigDecimal base = exp(epsilon);
    return power(base, n).subtract(BigDecimal.ONE).divide(base.subtract(BigDecimal.ONE), UP);
  }

  /** e^x for 0 < x <= 2000, rounded upward: above 1. */
  static BigDecimal exp(BigDecimal x) {
    int halvings = Math.max(0, x.toBigInteger().bitLength() + 1);
    BigDecimal h = x.divide(new BigDecimal(BigInteger.TWO.pow(halvings)), UP);
    BigDecimal sum = BigDecimal.ONE;
    BigDecimal term = BigDecimal.ONE;
    for (int k = 1; k <= TERMS; k++) {
      term = term.multiply(h, UP).divide(BigDecimal.valueOf(k), UP);
      sum = sum.add(term);
    }
    // h <= 1/2: what is left out is less than the last term.
    return power(sum.add(term).round(UP), 1L << halvings);
  }

  private static BigDecimal power(BigDecimal base, long exponent) {
    BigDecimal result = BigDecimal.ONE;
    BigDecimal square = base;
    for (long left = exponent; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        result = result.multiply(square, UP);
      }
      if (left > 1) {
        square = square.multiply(square, UP);
      }
    }
    return result;
  }
}
