// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.topology.version.ImportedLedger;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.version.StateIdentity;
import io.sfumato.topology.version.VersionHandover;
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
        MetaStore.closedThrough(store, StateIdentity.decode(identity).maker().sources());
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
            : MetaStore.closedThrough(store, StateIdentity.decode(identity).maker().sources())
                .orElse(Long.MIN_VALUE);
    byte[] handover = store.get(MetaStore.TAKEOVER);
    if (handover != null) {
      floor = Math.min(floor, VersionHandover.decode(handover).from());
    }
    byte[] imported = store.get(MetaStore.IMPORTED);
    return imported == null || ImportedLedger.begun(imported).isPresent()
        ? floor
        : Math.max(floor, ImportedLedger.decode(imported).floor());
  }
}
