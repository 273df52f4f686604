// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.topology.lineage.Identity;
import io.sfumato.topology.lineage.ImportedLedger;
import io.sfumato.topology.lineage.MetaStore;
import io.sfumato.topology.lineage.Takeover;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.kafka.common.utils.Bytes;

/** Which windows one partition has decided, read off the rows of its meta store. */
final class DecidedWindows {
  private DecidedWindows() {}

  /** Every window that starts earlier is decided; nothing if the partition has seen no tick. */
  static OptionalLong undecidedFrom(Map<Bytes, byte[]> store) {
    byte[] identity = store.get(MetaStore.IDENTITY);
    if (identity == null) {
      return OptionalLong.empty();
    }
    OptionalLong closed =
        MetaStore.closedThrough(store, Identity.decode(identity).maker().sourcePartitions());
    byte[] cursor = store.get(MetaStore.CURSOR);
    return closed.isEmpty() || cursor == null
        ? closed
        : OptionalLong.of(Math.min(closed.getAsLong(), MetaStore.cursorOf(cursor).windowStart()));
  }

  /** Windows that end by it may have been released; the next version's have not. */
  static long floor(Map<Bytes, byte[]> store) {
    byte[] identity = store.get(MetaStore.IDENTITY);
    long floor =
        identity == null
            ? Long.MIN_VALUE
            : MetaStore.closedThrough(store, Identity.decode(identity).maker().sourcePartitions())
                .orElse(Long.MIN_VALUE);
    byte[] takeover = store.get(MetaStore.TAKEOVER);
    if (takeover != null) {
      floor = Math.min(floor, Takeover.decode(takeover).from());
    }
    byte[] imported = store.get(MetaStore.IMPORTED);
    return imported == null || ImportedLedger.begun(imported).isPresent()
        ? floor
        : Math.max(floor, ImportedLedger.decode(imported).floor());
  }
}
