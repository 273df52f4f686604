// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.math.BigInteger;

/** Draws without any rounding: uniform whole numbers and coins of rational bias. */
final class ExactRandom {
  private ExactRandom() {}

  /** Uniform on 0 .. bound - 1, by rejection: no modulo bias. */
  static long uniform(KeyedRandom random, long bound) {
    if (bound < 1) {
      throw new IllegalArgumentException("a bound is at least 1, was " + bound);
    }
    long most = bound - 1;
    long mask = most == 0 ? 0 : -1L >>> Long.numberOfLeadingZeros(most);
    long drawn;
    do {
      drawn = random.nextLong() & mask;
    } while (drawn > most);
    return drawn;
  }

  /** Uniform on 0 .. bound - 1 for bounds of any size. */
  static BigInteger uniform(KeyedRandom random, BigInteger bound) {
    int words = (bound.bitLength() + Long.SIZE - 1) / Long.SIZE;
    BigInteger mask = BigInteger.ONE.shiftLeft(bound.bitLength()).subtract(BigInteger.ONE);
    while (true) {
      BigInteger drawn = BigInteger.ZERO;
      for (int i = 0; i < words; i++) {
        drawn = drawn.shiftLeft(Long.SIZE).or(unsigned(random.nextLong()));
      }
      drawn = drawn.and(mask);
      if (drawn.compareTo(bound) < 0) {
        return drawn;
      }
    }
  }

  private static BigInteger unsigned(long word) {
    BigInteger value = BigInteger.valueOf(word & Long.MAX_VALUE);
    return word < 0 ? value.setBit(Long.SIZE - 1) : value;
  }

  /** Whether a coin of bias numerator/denominator, in [0, 1], shows heads. */
  static boolean coin(KeyedRandom random, long numerator, long denominator) {
    return uniform(random, denominator) < numerator;
  }

  /**
   * A coin of bias e^-(numerator/denominator) (Canonne, Kamath, Steinke 2020, Algorithm 1).
   *
   * @param numerator at least 0
   * @param denominator at least 1
   */
  static boolean expCoin(KeyedRandom random, long numerator, long denominator) {
    for (long whole = numerator / denominator; whole > 0; whole--) {
      if (!smallExpCoin(random, 1, 1)) {
        return false;
      }
    }
    return smallExpCoin(random, numerator % denominator, denominator);
  }

  /** The same for a quotient of any size; above 1 each whole is a coin of its own. */
  static boolean expCoin(KeyedRandom random, BigInteger numerator, BigInteger denominator) {
    BigInteger[] split = numerator.divideAndRemainder(denominator);
    for (BigInteger whole = split[0]; whole.signum() > 0; whole = whole.subtract(BigInteger.ONE)) {
      if (!smallExpCoin(random, 1, 1)) {
        return false;
      }
    }
    long k = 1;
    while (uniform(random, denominator.multiply(BigInteger.valueOf(k))).compareTo(split[1]) < 0) {
      k++;
    }
    return k % 2 == 1;
  }

  /**
   * For a quotient in [0, 1]: the number of heads in a row of biases q/1, q/2, q/3, ... is even.
   */
  private static boolean smallExpCoin(KeyedRandom random, long numerator, long denominator) {
    long k = 1;
    while (uniform(random, Math.multiplyExact(denominator, k)) < numerator) {
      k++;
    }
    return k % 2 == 1;
  }
}
