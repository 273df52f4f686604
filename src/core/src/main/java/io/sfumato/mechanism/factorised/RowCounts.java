// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import io.sfumato.mechanism.ExactData;
import java.util.Arrays;

/**
 * How many records each row has: a window of running sums, or a bin of values. Exact, hence secret.
 * Immutable.
 *
 * @param counts at least one, each at least 0, at most 2^40 in all
 */
public record RowCounts(long... counts) implements ExactData {
  /** Most records: with it rows stay below 2^61 steps, and noise has room beside them. */
  public static final long MOST = 1L << 40;

  public RowCounts {
    counts = counts.clone();
    if (counts.length == 0) {
      throw new IllegalArgumentException("there is at least one row");
    }
    long left = MOST;
    for (long count : counts) {
      if (count < 0 || count > left) {
        throw new IllegalArgumentException("rows have 0 to 2^40 records, and no more in all");
      }
      left -= count;
    }
  }

  /** No records in any row. */
  public static RowCounts none(int rows) {
    return new RowCounts(new long[rows]);
  }

  @Override
  public long[] counts() {
    return counts.clone();
  }

  /** Number of rows. */
  public int rows() {
    return counts.length;
  }

  /** All records together. */
  public long total() {
    return Arrays.stream(counts).sum();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RowCounts rows && Arrays.equals(counts, rows.counts);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(counts);
  }

  /** Never prints the counts: they are what must stay private. */
  @Override
  public String toString() {
    return "RowCounts[" + counts.length + " rows]";
  }
}
