// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.drill;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.runtime.RefusedException;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class StateComparisonTest {
  /** Rows in memory, by a byte each. */
  private static final class Rows implements SortedRows {
    private final Iterator<Map.Entry<byte[], byte[]>> rest;
    private Map.Entry<byte[], byte[]> here;

    Rows(Map<Integer, Integer> rows) {
      TreeMap<byte[], byte[]> sorted = new TreeMap<>(Arrays::compareUnsigned);
      rows.forEach((key, value) -> sorted.put(bytes(key), bytes(value)));
      this.rest = sorted.entrySet().iterator();
      next();
    }

    private static byte[] bytes(int number) {
      return new byte[] {(byte) number};
    }

    @Override
    public boolean isValid() {
      return here != null;
    }

    @Override
    public byte[] key() {
      return here.getKey();
    }

    @Override
    public byte[] value() {
      return here.getValue();
    }

    @Override
    public void next() {
      here = rest.hasNext() ? rest.next() : null;
    }

    @Override
    public void close() {}
  }

  /** Every row of two random stores, classified one by one. */
  @Test
  void shouldCountAsALookAtEveryKeyDoes() throws RefusedException {
    Random random = new Random(7);
    for (int trial = 0; trial < 500; trial++) {
      Map<Integer, Integer> restored = rows(random);
      Map<Integer, Integer> other = rows(random);
      Set<Integer> moved = new HashSet<>(rows(random).keySet());
      for (StateComparison.Deletions deletions : StateComparison.Deletions.values()) {
        StateComparison found =
            StateComparison.of(
                new Rows(restored),
                new Rows(other),
                key -> moved.contains(key[0] & 0xff),
                deletions);
        assertThat(found).isEqualTo(expected(restored, other, moved, deletions));
      }
    }
  }

  private static Map<Integer, Integer> rows(Random random) {
    Map<Integer, Integer> rows = new TreeMap<>();
    for (int i = random.nextInt(12); i > 0; i--) {
      rows.put(random.nextInt(256) / 16 * 16, random.nextInt(3)); // also above 127
    }
    return rows;
  }

  private static StateComparison expected(
      Map<Integer, Integer> restored,
      Map<Integer, Integer> other,
      Set<Integer> moved,
      StateComparison.Deletions deletions) {
    long[] counts = new long[5];
    Set<Integer> all = new TreeSet<>(restored.keySet());
    all.addAll(other.keySet());
    for (int key : all) {
      Integer here = restored.get(key);
      Integer there = other.get(key);
      boolean excused =
          moved.contains(key) || here == null && deletions == StateComparison.Deletions.MAYBE_GONE;
      int kind = there == null ? 2 : here == null ? 3 : 4;
      counts[here != null && here.equals(there) ? 0 : excused ? 1 : kind]++;
    }
    return new StateComparison(
        restored.size(), counts[0], counts[1], counts[2], counts[3], counts[4]);
  }
}
