// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How many times each charge was made: whole numbers, never sums of doubles.
 *
 * @param counts number of charges by charge id; every count is at least 1
 */
public record Ledger(SortedMap<Integer, Long> counts) {
  /** A ledger without charges. */
  public static final Ledger EMPTY = new Ledger(new TreeMap<>());

  /**
   * @throws IllegalArgumentException if an id is below 0 or a count below 1
   */
  public Ledger {
    counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    for (Map.Entry<Integer, Long> entry : counts.entrySet()) {
      if (entry.getKey() < 0 || entry.getValue() < 1) {
        throw new IllegalArgumentException(
            "a ledger has ids from 0 and counts from 1, found " + entry);
      }
    }
  }

  /**
   * This ledger with one more charge.
   *
   * @param charge its id, at least 0
   */
  public Ledger plus(int charge) {
    TreeMap<Integer, Long> more = new TreeMap<>(counts);
    more.merge(charge, 1L, Math::addExact);
    return new Ledger(more);
  }

  /**
   * This ledger without one charge, which it must hold: a reservation that was handed back.
   *
   * @param charge its id
   * @throws IllegalStateException if it does not hold the charge
   */
  public Ledger minus(int charge) {
    TreeMap<Integer, Long> fewer = new TreeMap<>(counts);
    Long left = fewer.computeIfPresent(charge, (id, count) -> count - 1);
    if (left == null) {
      throw new IllegalStateException("the ledger does not hold charge " + charge);
    }
    fewer.values().removeIf(count -> count == 0);
    return new Ledger(fewer);
  }

  /** This ledger with all charges of another. */
  public Ledger plus(Ledger other) {
    if (other.counts.isEmpty()) {
      return this;
    }
    if (counts.isEmpty()) {
      return other;
    }
    TreeMap<Integer, Long> more = new TreeMap<>(counts);
    other.counts.forEach((charge, count) -> more.merge(charge, count, Math::addExact));
    return new Ledger(more);
  }

  /** This ledger without the charges of another, which it must hold. */
  public Ledger minus(Ledger other) {
    if (other.counts.isEmpty()) {
      return this;
    }
    TreeMap<Integer, Long> fewer = new TreeMap<>(counts);
    other.counts.forEach((charge, count) -> fewer.merge(charge, -count, Math::addExact));
    fewer.values().removeIf(count -> count == 0);
    return new Ledger(fewer);
  }

  /** Number of charges in all. */
  public long size() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }
}
