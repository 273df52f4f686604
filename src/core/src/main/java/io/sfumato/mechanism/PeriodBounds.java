// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

/**
 * What one user may contribute to a period: at most P records in all, at most C of them in a
 * window, in at most W windows. All of them are added or removed. Independent numbers move furthest
 * where the records lie as close together as C allows: in q windows with C records and one with r
 * (docs/theory/bounded-users.md, Theorem R).
 *
 * @param windows W, at least 1
 * @param records C, most records in a window, at least 1
 * @param period P, most records in the period, at least 1
 */
public record PeriodBounds(int windows, int records, int period) {
  /**
   * @throws IllegalArgumentException if a bound is below 1
   */
  public PeriodBounds {
    if (windows < 1 || records < 1 || period < 1) {
      throw new IllegalArgumentException(
          "a user contributes at least 1 record to 1 window, was %d windows of %d, %d in all"
              .formatted(windows, records, period));
    }
  }

  /** Where only records are bounded: no more windows than P records can fill. */
  public static PeriodBounds of(int records, int period) {
    return new PeriodBounds((period - 1) / records + 1, records, period);
  }

  /** P' = min(P, C W): the most records that count in the period. Numbers move by it in L1. */
  public int total() {
    return (int) Math.min(period, (long) records * windows);
  }

  /** q: windows with C records, in the worst case. */
  public int full() {
    return total() / records;
  }

  /** r: records of one window more, in the worst case; 0 to C - 1. */
  public int rest() {
    return total() % records;
  }

  /** Squared Euclidean distance that independent numbers of windows move by: q C^2 + r^2. */
  public long squaredL2() {
    return (long) full() * records * records + (long) rest() * rest();
  }

  /**
   * The same as any number n of records costs at most: n times this, wherever they lie. That is C,
   * or P' where fewer than C count.
   */
  public long squaredL2OfOneRecord() {
    return Math.min(records, total());
  }

  /**
   * Most records in one noise that serves several windows in a row, as a node of a tree does.
   *
   * @param neighbours how many windows, at least 1
   */
  public long inOne(long neighbours) {
    return Math.min(total(), records * Math.min(windows, neighbours));
  }
}
