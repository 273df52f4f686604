// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.mechanism.SparseSums;
import io.sfumato.pipeline.RecordAggregation;
import java.util.Arrays;

/**
 * A tally that records are still added to. While few of its places have a sum it keeps these alone,
 * in order; then all.
 */
final class OpenTally implements RecordAggregation.Sums {
  /** Places with a sum take half as much again as places of an array. */
  private static final int SPARSE = 3;

  /** So few that an array of all is smaller than anything else. */
  private static final int FEW = 16;

  private static final int LEAST = 8;
  private static final int OBJECT_BYTES = 88;

  private final RecordAggregation rule;
  private long records;
  private int size;

  /** Empty where all sums are kept. */
  private int[] places;

  private long[] sums;

  OpenTally(RecordAggregation rule, SparseSums tally) {
    this.rule = rule;
    this.records = tally.records();
    this.size = tally.size();
    this.places = new int[Math.max(LEAST, size)];
    this.sums = new long[places.length];
    for (int i = 0; i < size; i++) {
      places[i] = tally.place(i);
      sums[i] = tally.sum(i);
    }
    if (rule.places() <= FEW || size > rule.places() / SPARSE) {
      keepAll();
    }
  }

  /** Adds a record. */
  void add(long category, double[] numbers) {
    records = Math.addExact(records, 1);
    rule.add(category, numbers, this);
  }

  @Override
  public void add(int place, long amount) {
    if (amount < 0 || place < 0 || place >= rule.places()) {
      throw new IllegalArgumentException("a record adds at least 0 to a place that there is");
    }
    if (amount == 0) {
      return;
    }
    if (places.length == 0) {
      sums[place] = Math.addExact(sums[place], amount);
      return;
    }
    int at = Arrays.binarySearch(places, 0, size, place);
    if (at >= 0) {
      sums[at] = Math.addExact(sums[at], amount);
      return;
    }
    insert(-at - 1, place, amount);
    if (size > rule.places() / SPARSE) {
      keepAll();
    }
  }

  private void insert(int at, int place, long amount) {
    if (size == places.length) {
      places = Arrays.copyOf(places, 2 * size);
      sums = Arrays.copyOf(sums, 2 * size);
    }
    System.arraycopy(places, at, places, at + 1, size - at);
    System.arraycopy(sums, at, sums, at + 1, size - at);
    places[at] = place;
    sums[at] = amount;
    size++;
  }

  private void keepAll() {
    long[] all = new long[rule.places()];
    for (int i = 0; i < size; i++) {
      all[places[i]] = sums[i];
    }
    places = new int[0];
    sums = all;
  }

  /** As it is now. */
  SparseSums tally() {
    if (places.length > 0) {
      return new SparseSums(records, Arrays.copyOf(places, size), Arrays.copyOf(sums, size));
    }
    int[] found = new int[sums.length];
    long[] there = new long[sums.length];
    int count = 0;
    for (int i = 0; i < sums.length; i++) {
      if (sums[i] > 0) {
        found[count] = i;
        there[count++] = sums[i];
      }
    }
    return new SparseSums(records, Arrays.copyOf(found, count), Arrays.copyOf(there, count));
  }

  /** Memory that it takes, about. */
  long heldBytes() {
    return OBJECT_BYTES + (long) Integer.BYTES * places.length + (long) Long.BYTES * sums.length;
  }
}
