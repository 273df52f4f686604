// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import java.math.BigInteger;

/**
 * What is kept of one field of a dataset's numbers for summaries: sums of whole steps and of their
 * squares, which are exact, and the smallest and the largest. Any order of records gives the same.
 * Immutable.
 *
 * @param exponent a step is 2^exponent; numbers are rounded to the nearest one, and what lies
 *     beyond 2^62 steps counts as that
 * @param sum of the steps
 * @param squares sum of their squares
 * @param smallest of the numbers; infinity without any
 * @param largest of the numbers; minus infinity without any
 */
public record NumberSum(
    int exponent, BigInteger sum, BigInteger squares, double smallest, double largest) {
  private static final double MOST_STEPS = 0x1.0p62;

  /** Bits of a scale: a number of this size is kept to 2^-32 of it, and counts up to 2^30 times. */
  private static final int BITS = 32;

  /** Of no records. */
  public static NumberSum empty(int exponent) {
    return new NumberSum(
        exponent,
        BigInteger.ZERO,
        BigInteger.ZERO,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY);
  }

  /**
   * The exponent of steps for differences of a public scale, above 0.
   *
   * @param scale public, above 0
   */
  public static int exponent(double scale) {
    return Math.getExponent(scale) - BITS;
  }

  /**
   * With one more record's number.
   *
   * @param x finite
   * @throws IllegalArgumentException if it is not finite
   */
  public NumberSum plus(double x) {
    if (!Double.isFinite(x)) {
      throw new IllegalArgumentException("a record's numbers are finite");
    }
    double steps = Math.rint(Math.scalb(x, -exponent));
    BigInteger whole =
        BigInteger.valueOf((long) Math.max(-MOST_STEPS, Math.min(MOST_STEPS, steps)));
    return new NumberSum(
        exponent,
        sum.add(whole),
        squares.add(whole.multiply(whole)),
        Math.min(smallest, x),
        Math.max(largest, x));
  }

  /**
   * The mean.
   *
   * @param size N, at least 1
   */
  double mean(long size) {
    return Math.scalb(sum.doubleValue() / size, exponent);
  }

  /**
   * The standard deviation over N: sqrt(N sum x^2 - (sum x)^2) / N, whose difference is exact.
   *
   * @param size N, at least 1
   */
  double deviation(long size) {
    BigInteger variance = squares.multiply(BigInteger.valueOf(size)).subtract(sum.multiply(sum));
    return Math.scalb(Math.sqrt(variance.doubleValue()) / size, exponent);
  }

  /** Never prints the sums: they are what must stay private. */
  @Override
  public String toString() {
    return "NumberSum[masked]";
  }
}
