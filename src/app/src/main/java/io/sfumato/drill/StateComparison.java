// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import io.sfumato.runtime.RefusedException;
import java.util.Arrays;

/**
 * Two copies of one store, row by row and byte by byte.
 *
 * @param rows of the restored copy
 * @param same rows that both copies have with the same bytes
 * @param changed rows that were written while the copies were made: the two are of different
 *     moments there
 * @param onlyRestored rows that the other copy lacks
 * @param onlyOther rows that the restored copy lacks
 * @param different rows with other bytes
 */
public record StateComparison(
    long rows, long same, long changed, long onlyRestored, long onlyOther, long different) {
  /** Tells rows that two copies may have differently. */
  interface Moved {
    boolean test(byte[] key) throws RefusedException;
  }

  /** Whether deletions that the other copy has not seen may be gone from the changelog. */
  enum Deletions {
    ALL_THERE,
    MAYBE_GONE
  }

  /** Number of rows of which both copies are of one moment: the same, or not. */
  public long compared() {
    return same + differences();
  }

  /** Number of rows that contradict each other. */
  public long differences() {
    return onlyRestored + onlyOther + different;
  }

  /**
   * Compares.
   *
   * @param moved whether a row was written after either copy was made
   */
  static StateComparison of(SortedRows restored, SortedRows other, Moved moved, Deletions deletions)
      throws RefusedException {
    Counter counter = new Counter();
    while (restored.isValid() || other.isValid()) {
      int order = order(restored, other);
      byte[] key = order <= 0 ? restored.key() : other.key();
      boolean isSame = order == 0 && Arrays.equals(restored.value(), other.value());
      if (isSame) {
        counter.same++;
      } else if (moved.test(key) || order > 0 && deletions == Deletions.MAYBE_GONE) {
        counter.changed++;
      } else {
        counter.differs(order);
      }
      if (order <= 0) {
        counter.rows++;
        restored.next();
      }
      if (order >= 0) {
        other.next();
      }
    }
    return counter.sum();
  }

  /** Below 0 where the restored copy has the next row alone, above 0 where the other one has. */
  private static int order(SortedRows restored, SortedRows other) throws RefusedException {
    if (!other.isValid()) {
      return -1;
    }
    return restored.isValid() ? Arrays.compareUnsigned(restored.key(), other.key()) : 1;
  }

  private static final class Counter {
    private long rows;
    private long same;
    private long changed;
    private long onlyRestored;
    private long onlyOther;
    private long different;

    void differs(int order) {
      if (order < 0) {
        onlyRestored++;
      } else if (order > 0) {
        onlyOther++;
      } else {
        different++;
      }
    }

    StateComparison sum() {
      return new StateComparison(rows, same, changed, onlyRestored, onlyOther, different);
    }
  }
}
