// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

/**
 * The public buckets that any number falls into: one for each sign and power of two of its size,
 * {@code |x| = 2^e (1 + u)} with e from -32 to 63 and u in [0, 1), and one for all that is smaller,
 * which counts as 0. What is larger counts at the far end of the last bucket of its sign. In
 * ascending order, zero in the middle. The same on every machine.
 */
public final class PowerBuckets {
  /** Least exponent e. */
  public static final int LEAST = -32;

  /** Largest exponent e. */
  public static final int LARGEST = 63;

  private static final int EXPONENTS = LARGEST - LEAST + 1;

  /** Place of the bucket of zero. */
  public static final int ZERO = EXPONENTS;

  /** How many there are. */
  public static final int NUMBER = 2 * EXPONENTS + 1;

  /** Binary digits of u: its square is whole in steps of 2^-30. */
  public static final int DIGITS = 15;

  private PowerBuckets() {}

  /**
   * The bucket of a number, from 0: it does not fall with the number.
   *
   * @param x any number, infinities too
   * @throws IllegalArgumentException if it is NaN
   */
  public static int of(double x) {
    if (Double.isNaN(x)) {
      throw new IllegalArgumentException("NaN has no power of two");
    }
    // Of infinities 1024; of what is below the smallest normal number -1023.
    int e = Math.min(LARGEST, Math.getExponent(x));
    if (e < LEAST) {
      return ZERO;
    }
    return x > 0 ? ZERO + 1 + e - LEAST : ZERO - 1 - e + LEAST;
  }

  /**
   * u of a number, rounded once.
   *
   * @param x any number but NaN
   * @return whole steps of 2^-15, from 0 to 2^15; 0 of what counts as zero
   * @throws IllegalArgumentException if x is not a number
   */
  public static long fraction(double x) {
    int bucket = of(x);
    if (bucket == ZERO) {
      return 0;
    }
    // Exact up to the rounding: powers of two, and a difference of neighbours.
    double u = Math.min(2, Math.scalb(Math.abs(x), -exponent(bucket))) - 1;
    return (long) Math.rint(Math.scalb(u, DIGITS));
  }

  /** e of a bucket other than that of zero. */
  static int exponent(int bucket) {
    return Math.abs(require(bucket) - ZERO) - 1 + LEAST;
  }

  /** -1, 0 or 1. */
  static int sign(int bucket) {
    return Integer.signum(require(bucket) - ZERO);
  }

  /**
   * Lower edge of a bucket; 0 of that of zero.
   *
   * @param bucket from 0
   * @throws IllegalArgumentException if there is no such bucket
   */
  public static double lower(int bucket) {
    return switch (sign(bucket)) {
      case 1 -> Math.scalb(1.0, exponent(bucket));
      case -1 -> -Math.scalb(1.0, exponent(bucket) + 1);
      default -> 0;
    };
  }

  /**
   * Upper edge of a bucket; 0 of that of zero.
   *
   * @param bucket from 0
   * @throws IllegalArgumentException if there is no such bucket
   */
  public static double upper(int bucket) {
    return switch (sign(bucket)) {
      case 1 -> Math.scalb(1.0, exponent(bucket) + 1);
      case -1 -> -Math.scalb(1.0, exponent(bucket));
      default -> 0;
    };
  }

  private static int require(int bucket) {
    if (bucket < 0 || bucket >= NUMBER) {
      throw new IllegalArgumentException("there is no bucket " + bucket);
    }
    return bucket;
  }
}
