// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.Arrays;

/**
 * Whole numbers at some of many places, to which records add: what a window's numbers come to.
 * Exact, hence secret. Immutable.
 */
public final class SparseSums implements Sized {
  private final long records;
  private final int[] places;
  private final long[] sums;

  /**
   * @param records N, at least 0
   * @param places with a sum above 0, ascending, from 0; copied
   * @param sums of these places; copied
   * @throws IllegalArgumentException if N is below 0, if places and sums differ in number, if
   *     places do not ascend, or if a sum is not above 0
   */
  public SparseSums(long records, int[] places, long[] sums) {
    if (records < 0 || places.length != sums.length) {
      throw new IllegalArgumentException("a tally has a sum for each place");
    }
    for (int i = 0; i < places.length; i++) {
      if (sums[i] <= 0 || places[i] < 0 || i > 0 && places[i] <= places[i - 1]) {
        throw new IllegalArgumentException("places ascend from 0, and their sums are above 0");
      }
    }
    this.records = records;
    this.places = places.clone();
    this.sums = sums.clone();
  }

  /** Of no records. */
  public static SparseSums empty() {
    return new SparseSums(0, new int[0], new long[0]);
  }

  /** N: records that were added, whether they had anything to add or not. */
  @Override
  public long records() {
    return records;
  }

  /** How many places have a sum. */
  public int size() {
    return places.length;
  }

  /**
   * The place of the i-th sum, from 0.
   *
   * @param i from 0
   */
  public int place(int i) {
    return places[i];
  }

  /**
   * The i-th sum, above 0.
   *
   * @param i from 0
   */
  public long sum(int i) {
    return sums[i];
  }

  /**
   * The sums of all places.
   *
   * @param count of places, more than the last one here
   */
  public long[] dense(int count) {
    long[] all = new long[count];
    for (int i = 0; i < places.length; i++) {
      all[places[i]] = sums[i];
    }
    return all;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SparseSums tally
        && records == tally.records
        && Arrays.equals(places, tally.places)
        && Arrays.equals(sums, tally.sums);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(places) + Arrays.hashCode(sums);
  }

  /** Never prints the numbers, nor how many there are: they must stay private. */
  @Override
  public String toString() {
    return "Tally[masked]";
  }
}
