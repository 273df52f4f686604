// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Arrays;

/**
 * How many records of a dataset fall into each category. Immutable.
 *
 * @see #counts()
 */
public final class Histogram implements ExactData {
  private final long[] counts;
  private final long size;

  /**
   * Counts by category, each at least 0; at least one, where only the total is asked for.
   *
   * @param counts by category; copied
   * @throws IllegalArgumentException if there is no count, or one is below 0
   */
  public Histogram(long... counts) {
    if (counts.length < 1) {
      throw new IllegalArgumentException("a histogram has at least 1 category");
    }
    long sum = 0;
    for (long count : counts) {
      if (count < 0) {
        throw new IllegalArgumentException("a count is at least 0");
      }
      sum = Math.addExact(sum, count);
    }
    this.counts = counts.clone();
    this.size = sum;
  }

  /**
   * The histogram of a dataset without records.
   *
   * @param categories at least 1
   */
  public static Histogram empty(int categories) {
    return new Histogram(new long[categories]);
  }

  /** Counts by category. */
  public long[] counts() {
    return counts.clone();
  }

  /**
   * Records of one category, from 0.
   *
   * @param category from 0
   */
  public long count(int category) {
    return counts[category];
  }

  /** Number of categories, at least 2. */
  public int categories() {
    return counts.length;
  }

  /** Number of records, N. */
  public long size() {
    return size;
  }

  /**
   * This histogram with one more record.
   *
   * @param category of the record, from 0
   */
  public Histogram plus(int category) {
    long[] more = counts.clone();
    more[category] = Math.addExact(more[category], 1);
    return new Histogram(more);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Histogram histogram && Arrays.equals(counts, histogram.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  /** Never prints the counts: they are what must stay private. */
  @Override
  public String toString() {
    return "Histogram[" + counts.length + " categories]";
  }
}
