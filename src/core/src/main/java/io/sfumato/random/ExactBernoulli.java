// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.math.BigDecimal;
import java.math.BigInteger;

/** A coin of any bias in doubles, drawn exactly: a uniform whole number of 128 bits decides. */
public final class ExactBernoulli {
  /** Biases are kept this far from 0 and 1. Clamping never increases a log-ratio. */
  private static final double SMALLEST = 0x1.0p-40;

  private static final int BITS = 128;
  private static final BigDecimal SCALE = new BigDecimal(BigInteger.ONE.shiftLeft(BITS));

  private ExactBernoulli() {}

  /**
   * The nearest bias in [2^-40, 1 - 2^-40].
   *
   * @param bias any number but NaN
   * @throws IllegalArgumentException if it is not a number
   */
  public static double clamp(double bias) {
    if (Double.isNaN(bias)) {
      throw new IllegalArgumentException("a bias is a number");
    }
    return Math.max(SMALLEST, Math.min(1 - SMALLEST, bias));
  }

  /**
   * Whether the coin shows heads.
   *
   * @param bias in [2^-40, 1 - 2^-40]: then bias times 2^128 is a whole number
   * @throws IllegalArgumentException if it is out of range
   */
  public static boolean heads(KeyedRandom random, double bias) {
    if (!(bias >= SMALLEST && bias <= 1 - SMALLEST)) {
      throw new IllegalArgumentException("a bias lies in [2^-40, 1 - 2^-40], was " + bias);
    }
    BigInteger limit = new BigDecimal(bias).multiply(SCALE).toBigIntegerExact();
    return ExactRandom.uniform(random, BigInteger.ONE.shiftLeft(BITS)).compareTo(limit) < 0;
  }
}
