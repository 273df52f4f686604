// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import java.math.BigInteger;

/**
 * How much of a window is in the rows of later windows: c_0, c_1, ... of
 * docs/theory/running-sums.md, Theorem K, in whole steps of 2^-20. They are not negative and do not
 * rise.
 */
public sealed interface Coefficients permits SquareRootCoefficients, DecayingCoefficients {
  /** Binary digits of the steps: 2^20 of them are 1. */
  int DIGITS = 20;

  /** c_0. */
  long ONE = 1L << DIGITS;

  /**
   * c_i in steps.
   *
   * @param lag i, at least 0
   */
  long at(long lag);

  /** b: every c_i from here on is 0. */
  long band();

  /** Names them in charges: part of their identity. */
  String word();

  /**
   * f(W): the squared norm of the sum of W columns side by side, without an end, in squared steps;
   * never below the truth.
   *
   * @param windows W, 1 to {@link #MOST_WINDOWS}
   */
  BigInteger squaredNorm(int windows);

  /**
   * The squared norm of C times the sum of q columns side by side, plus r times the column beside
   * them, in squared steps; never below the truth. It is convex in r, hence at most what lies
   * between f(q) and f(q + 1).
   *
   * @param full q, at least 0
   * @param each C, at least 1
   * @param rest r, 0 to C; above 0 where q is 0
   */
  default BigInteger squaredNorm(int full, long each, long rest) {
    BigInteger ofFull = full == 0 ? BigInteger.ZERO : squaredNorm(full);
    if (rest == 0) {
      return ofFull.multiply(square(each));
    }
    return full == 0
        ? squaredNorm(1).multiply(square(rest))
        : ofFull
            .multiply(BigInteger.valueOf(each * (each - rest)))
            .add(squaredNorm(full + 1).multiply(BigInteger.valueOf(each * rest)));
  }

  /** c_0 + c_1 + ..., in steps; never below the truth. */
  BigInteger columnSum();

  /** Most windows of a user that are summed up. */
  int MOST_WINDOWS = 1 << 16;

  /**
   * Checks W.
   *
   * @param windows W
   * @throws IllegalArgumentException unless it is 1 to {@link #MOST_WINDOWS}
   */
  static void requireWindows(int windows) {
    if (windows < 1 || windows > MOST_WINDOWS) {
      throw new IllegalArgumentException(
          "a user counts in 1 to " + MOST_WINDOWS + " windows, was " + windows);
    }
  }

  /** The square of the whole number n, as it is summed up. */
  static BigInteger square(long n) {
    return BigInteger.valueOf(n).pow(2);
  }
}
