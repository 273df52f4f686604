// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Arrays;

/**
 * Exact whole numbers in a fixed order, which a query says: counts by group, by bin or by cell, or
 * sums in steps of a grid. Secret. Immutable.
 */
public final class ExactVector implements ExactData {
  private final long[] values;

  /**
   * @param values at least one; copied
   * @throws IllegalArgumentException if there is none
   */
  public ExactVector(long... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("a vector has at least one number");
    }
    this.values = values.clone();
  }

  /**
   * Zeros: a dataset without records.
   *
   * @param size at least 1
   */
  public static ExactVector none(int size) {
    return new ExactVector(new long[size]);
  }

  /** Counts by category. */
  public static ExactVector byCategory(Histogram histogram) {
    return new ExactVector(histogram.counts());
  }

  /** One count: all records together. */
  public static ExactVector total(Histogram histogram) {
    return new ExactVector(histogram.size());
  }

  /** How many numbers there are, at least 1. */
  public int size() {
    return values.length;
  }

  /**
   * One number, by its place from 0.
   *
   * @param place from 0
   */
  public long of(int place) {
    return values[place];
  }

  /** All numbers, in their order. */
  public long[] values() {
    return values.clone();
  }

  /**
   * The numbers of some places, from the first one up to, but without, the last one.
   *
   * @param from the first place, from 0
   * @param to the place after the last one
   */
  public ExactVector between(int from, int to) {
    return new ExactVector(Arrays.copyOfRange(values, from, to));
  }

  /**
   * Place by place.
   *
   * @throws ArithmeticException beyond 2^63
   * @throws IllegalArgumentException if the other has another size
   */
  public ExactVector plus(ExactVector other) {
    if (other.size() != size()) {
      throw new IllegalArgumentException(
          size() + " and " + other.size() + " numbers do not add up");
    }
    long[] sum = new long[values.length];
    Arrays.setAll(sum, i -> Math.addExact(values[i], other.values[i]));
    return new ExactVector(sum);
  }

  /**
   * The sum of counts, as below.
   *
   * @throws IllegalArgumentException if a number is below 0, or they add up to more
   */
  public long total() {
    return total(Long.MAX_VALUE);
  }

  /**
   * The sum of counts.
   *
   * @param most the largest sum that is allowed, at least 0
   * @throws IllegalArgumentException if a number is below 0, or the sum is larger; says nothing of
   *     the numbers
   */
  public long total(long most) {
    long left = most;
    for (long value : values) {
      if (value < 0 || value > left) {
        throw new IllegalArgumentException(
            "counts are at least 0, and at most " + most + " in all");
      }
      left -= value;
    }
    return most - left;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ExactVector vector && Arrays.equals(values, vector.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** Never prints the numbers: exact ones must stay private. */
  @Override
  public String toString() {
    return "ExactVector[" + values.length + " numbers]";
  }
}
