// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.bytes.ByteReader;
import io.sfumato.topology.store.Scan;
import io.sfumato.topology.store.StagedWrites;
import java.util.Set;

/**
 * Deletes what is kept of users for counts of the last windows that this version does not have: no
 * version can bring such a count back.
 */
final class DroppedCells {
  private final StagedWrites store;
  private final Set<Integer> counted;
  private final long since;
  private final Scan scan;
  private boolean clean;

  /**
   * @param counted what states call the cells that this version counts
   * @param since start of the first window of this version
   */
  DroppedCells(StagedWrites store, Set<Integer> counted, long since) {
    this.store = store;
    this.counted = Set.copyOf(counted);
    this.since = since;
    scan = new Scan(store, CellStore.BEGIN);
  }

  /**
   * Deletes some of them, once this version has decided a window.
   *
   * @param windowStart of the first window that is not decided
   * @param most rows to look at
   */
  void delete(long windowStart, int most) {
    if (clean || windowStart <= since || since == Long.MIN_VALUE) {
      return;
    }
    int looked =
        scan.take(
            CellStore.END,
            most,
            row -> {
              if (!counted.contains(CellStore.id(new ByteReader(row.key.get())))) {
                store.delete(row.key);
              }
            });
    clean = looked < most;
  }
}
