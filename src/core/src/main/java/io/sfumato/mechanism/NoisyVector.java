// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Arrays;
import java.util.OptionalLong;

/** Whole numbers with noise, in the order of their query; they may be negative. Immutable. */
public final class NoisyVector implements ReleasedData {
  private final OptionalLong records;
  private final long[] values;

  /**
   * @param records N, exact, where it is public; else nothing
   * @param values copied
   * @throws IllegalArgumentException if the number of records is below 0
   */
  public NoisyVector(OptionalLong records, long... values) {
    if (records.isPresent() && records.getAsLong() < 0) {
      throw new IllegalArgumentException("a number of records is at least 0");
    }
    this.records = records;
    this.values = values.clone();
  }

  /**
   * Without a public number of records.
   *
   * @param values copied
   */
  public NoisyVector(long... values) {
    this(OptionalLong.empty(), values);
  }

  /** N, exact, where it is public. */
  public OptionalLong records() {
    return records;
  }

  /** How many numbers there are. */
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
   * Place by place, of numbers alone.
   *
   * @throws ArithmeticException beyond 2^63
   * @throws IllegalArgumentException if the other has another size
   */
  public NoisyVector plus(NoisyVector other) {
    if (other.size() != size()) {
      throw new IllegalArgumentException(
          size() + " and " + other.size() + " numbers do not add up");
    }
    long[] sum = new long[values.length];
    Arrays.setAll(sum, i -> Math.addExact(values[i], other.values[i]));
    return new NoisyVector(sum);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoisyVector vector
        && records.equals(vector.records)
        && Arrays.equals(values, vector.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** Most are published; those of values that are discovered privately are not. */
  @Override
  public String toString() {
    return "NoisyVector[" + values.length + " numbers]";
  }
}
