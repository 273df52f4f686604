// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.dataset;

import io.sfumato.topology.dataset.DatasetStore.Key;
import java.util.HashSet;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which open windows the store may have datasets of that memory has not: a record of any other
 * dataset needs no read. Takes a mebibyte a window; windows without are always looked for.
 */
final class EvictedDatasets {
  /** Windows whose datasets are always looked for: the store had some at the start, or too many. */
  private final Set<Long> always = new HashSet<>();

  /** Of all other windows: whose datasets are no longer in memory. */
  private final NavigableMap<Long, SubjectFilter> filters = new TreeMap<>();

  /** Memory that it takes. */
  long heldBytes() {
    return filters.size() * SubjectFilter.BYTES;
  }

  void alwaysLookFor(long window) {
    always.add(window);
  }

  /**
   * A dataset leaves memory.
   *
   * @param most bytes that it may take then
   */
  void add(Key key, long most) {
    long window = key.windowStart();
    if (always.contains(window)) {
      return;
    }
    if (!filters.containsKey(window) && heldBytes() + SubjectFilter.BYTES > most) {
      always.add(window);
      return;
    }
    filters.computeIfAbsent(window, w -> new SubjectFilter()).add(key.subject());
  }

  boolean mayContain(Key key) {
    SubjectFilter filter = filters.get(key.windowStart());
    return filter == null ? always.contains(key.windowStart()) : filter.mayContain(key.subject());
  }

  /** Gives memory back, of those windows first that close first. */
  void shrinkTo(long most) {
    while (!filters.isEmpty() && heldBytes() > most) {
      always.add(filters.pollFirstEntry().getKey());
    }
  }

  /** Windows that start before {@code limit} take no more records. */
  void closeBefore(long limit) {
    filters.headMap(limit, false).clear();
    always.removeIf(window -> window < limit);
  }
}
