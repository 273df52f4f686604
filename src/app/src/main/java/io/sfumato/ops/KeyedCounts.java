// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts by key, from many threads.
 *
 * @param <K> what is counted
 */
final class KeyedCounts<K extends Comparable<K>> {
  private final Map<K, LongAdder> counts = new ConcurrentHashMap<>();

  void add(K key, long amount) {
    counts.computeIfAbsent(key, k -> new LongAdder()).add(amount);
  }

  long sum() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** Everything counted so far, in the order of the keys. */
  Map<K, Long> counts() {
    Map<K, Long> copy = new TreeMap<>();
    counts.forEach((key, count) -> copy.put(key, count.sum()));
    return copy;
  }
}
