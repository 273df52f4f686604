// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.Histogram;
import java.util.Arrays;

/** Exact counts, one a group. Immutable. */
public final class Counts implements ExactData {
  private final long[] values;

  /**
   * @param values at least one; copied
   */
  public Counts(long... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("there is at least one count");
    }
    this.values = values.clone();
  }

  /** No records in any of {@code groups} groups. */
  public static Counts none(int groups) {
    return new Counts(new long[groups]);
  }

  /** By category. */
  public static Counts byCategory(Histogram histogram) {
    return new Counts(histogram.counts());
  }

  /** All records together. */
  public static Counts total(Histogram histogram) {
    return new Counts(histogram.size());
  }

  /** How many counts there are, at least 1. */
  public int groups() {
    return values.length;
  }

  /** The count of one group, from 0. */
  public long of(int group) {
    return values[group];
  }

  /** All counts, in the order of their groups. */
  public long[] values() {
    return values.clone();
  }

  /**
   * Group by group.
   *
   * @throws ArithmeticException beyond 2^63
   */
  public Counts plus(Counts other) {
    if (other.groups() != groups()) {
      throw new IllegalArgumentException(
          groups() + " groups and " + other.groups() + " cannot be added");
    }
    long[] sum = new long[values.length];
    Arrays.setAll(sum, i -> Math.addExact(values[i], other.values[i]));
    return new Counts(sum);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Counts counts && Arrays.equals(values, counts.values);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(values);
  }

  /** Never prints the numbers: exact ones must stay private. */
  @Override
  public String toString() {
    return "Counts[" + values.length + " groups]";
  }
}
