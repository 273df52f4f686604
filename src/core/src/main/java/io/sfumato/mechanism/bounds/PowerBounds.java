// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import java.math.BigInteger;

/**
 * Bounds of a number that are edges of {@link PowerBuckets}: each bucket lies within them, or
 * beyond one of them. Public.
 *
 * @param lowest first bucket within
 * @param highest last bucket within, not below {@code lowest}
 */
public record PowerBounds(int lowest, int highest) {
  /** Binary digits of {@link #steps}: u's, of the smallest power. */
  static final int DIGITS = PowerBuckets.DIGITS - PowerBuckets.LEAST;

  /** Where zero alone is within: what counts as zero is smaller. */
  private static final double NEXT_TO_ZERO = 0x1.0p-32;

  /**
   * @throws IllegalArgumentException if there is no such bucket, or the lower one is not first
   */
  public PowerBounds {
    if (lowest < 0 || lowest > highest || highest >= PowerBuckets.NUMBER) {
      throw new IllegalArgumentException(
          "bounds are two buckets, the lower one first; were " + lowest + " and " + highest);
    }
  }

  private boolean isZero() {
    return lowest == PowerBuckets.ZERO && highest == PowerBuckets.ZERO;
  }

  /** Lower bound. */
  public double low() {
    return isZero() ? -NEXT_TO_ZERO : PowerBuckets.lower(lowest);
  }

  /** Upper bound, above the lower one. */
  public double high() {
    return isZero() ? NEXT_TO_ZERO : PowerBuckets.upper(highest);
  }

  /** The lower bound in steps of 2^-47, in which it is whole. */
  BigInteger lowSteps() {
    return steps(low());
  }

  /** The upper bound in steps of 2^-47, in which it is whole. */
  BigInteger highSteps() {
    return steps(high());
  }

  /** Of 0 and of powers of two from 2^-32. */
  private static BigInteger steps(double edge) {
    if (edge == 0) {
      return BigInteger.ZERO;
    }
    BigInteger size = BigInteger.ONE.shiftLeft(Math.getExponent(edge) + DIGITS);
    return edge < 0 ? size.negate() : size;
  }
}
