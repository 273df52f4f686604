// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import io.sfumato.mechanism.ExactVector;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * What is kept of one number of records by {@link PowerBuckets}: in each bucket how many there are,
 * the sum of their u and that of its squares. So t and t^2, which are linear in these for any
 * {@link PowerBounds}, can be summed exactly once bounds are known. Secret. Immutable.
 */
public final class BucketSums {
  /** Sums of one bucket: count, u in steps of 2^-15, u^2 in steps of 2^-30. */
  public static final int OF_BUCKET = 3;

  /** Sums of all buckets. */
  public static final int SIZE = OF_BUCKET * PowerBuckets.NUMBER;

  private final long[] sums;

  /**
   * Some sums.
   *
   * @param sums bucket by bucket, {@value #SIZE} in all; copied
   * @throws IllegalArgumentException if there are more or fewer, or they are sums of no numbers in
   *     [0, 1]
   */
  public BucketSums(long[] sums) {
    if (sums.length != SIZE) {
      throw new IllegalArgumentException(SIZE + " sums were expected, were " + sums.length);
    }
    this.sums = sums.clone();
    for (int i = 0; i < SIZE; i += OF_BUCKET) {
      BigInteger most = BigInteger.valueOf(sums[i]).shiftLeft(PowerBuckets.DIGITS);
      if (sums[i] < 0
          || sums[i + 1] < 0
          || sums[i + 2] < 0
          || BigInteger.valueOf(sums[i + 1]).compareTo(most) > 0
          || BigInteger.valueOf(sums[i + 2])
                  .compareTo(BigInteger.valueOf(sums[i + 1]).shiftLeft(PowerBuckets.DIGITS))
              > 0) {
        throw new IllegalArgumentException("u lies in [0, 1], and its square below it");
      }
    }
  }

  /**
   * Records of one bucket.
   *
   * @param bucket from 0
   */
  public long count(int bucket) {
    return sums[bucket * OF_BUCKET];
  }

  /** Records of each bucket. */
  public ExactVector counts() {
    long[] counts = new long[PowerBuckets.NUMBER];
    Arrays.setAll(counts, this::count);
    return new ExactVector(counts);
  }

  /** N: records of all buckets. */
  public long records() {
    return counts().total();
  }

  /**
   * The sums of t and t^2 over all records, {@code t = (x - lo) / (hi - lo)}, where x beyond a
   * bound is that bound. Exact.
   */
  public BoundedSums within(PowerBounds bounds) {
    BigInteger lo = bounds.lowSteps();
    BigInteger w = bounds.highSteps().subtract(lo);
    BigInteger n = BigInteger.ZERO;
    BigInteger above = BigInteger.ZERO;
    BigInteger x = BigInteger.ZERO;
    BigInteger squares = BigInteger.ZERO;
    for (int bucket = bounds.lowest(); bucket < PowerBuckets.NUMBER; bucket++) {
      if (bucket > bounds.highest()) {
        above = above.add(BigInteger.valueOf(count(bucket)));
      } else {
        n = n.add(BigInteger.valueOf(count(bucket)));
        x = x.add(numbers(bucket));
        squares = squares.add(squares(bucket));
      }
    }
    // sum (x - lo) and sum (x - lo)^2; each record above adds w and w^2, each below nothing.
    BigInteger first = x.subtract(n.multiply(lo)).add(above.multiply(w));
    BigInteger second =
        squares
            .subtract(lo.multiply(x).shiftLeft(1))
            .add(n.multiply(lo).multiply(lo))
            .add(above.multiply(w).multiply(w));
    return new BoundedSums(BigInteger.valueOf(records()), w, first, second);
  }

  /** Sum of x = sign 2^e (1 + u), in steps of 2^-47. */
  private BigInteger numbers(int bucket) {
    int sign = PowerBuckets.sign(bucket);
    if (sign == 0) {
      return BigInteger.ZERO;
    }
    BigInteger sizes =
        BigInteger.valueOf(count(bucket))
            .shiftLeft(PowerBuckets.DIGITS)
            .add(BigInteger.valueOf(sums[bucket * OF_BUCKET + 1]))
            .shiftLeft(PowerBuckets.exponent(bucket) - PowerBuckets.LEAST);
    return sign > 0 ? sizes : sizes.negate();
  }

  /** Sum of x^2 = 2^2e (1 + 2 u + u^2), in steps of 2^-94. */
  private BigInteger squares(int bucket) {
    if (PowerBuckets.sign(bucket) == 0) {
      return BigInteger.ZERO;
    }
    return BigInteger.valueOf(count(bucket))
        .shiftLeft(2 * PowerBuckets.DIGITS)
        .add(BigInteger.valueOf(sums[bucket * OF_BUCKET + 1]).shiftLeft(PowerBuckets.DIGITS + 1))
        .add(BigInteger.valueOf(sums[bucket * OF_BUCKET + 2]))
        .shiftLeft(2 * (PowerBuckets.exponent(bucket) - PowerBuckets.LEAST));
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof BucketSums kept && Arrays.equals(sums, kept.sums);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sums);
  }

  /** Never prints the numbers: they are what must stay private. */
  @Override
  public String toString() {
    return "BucketSums[masked]";
  }
}
