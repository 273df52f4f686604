// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.bytes.ByteWriter;
import io.sfumato.topology.store.StagedStore;
import org.apache.kafka.common.utils.Bytes;

/** Boundaries as a program wrote them that kept every one of each source. */
final class FormerBoundaries {
  private FormerBoundaries() {}

  static void put(StagedStore meta, int source, long end, long timestamp) {
    meta.put(
        Bytes.wrap(new ByteWriter().fixed8('b').sortable(source).sortable(end).toBytes()),
        new ByteWriter().fixed8(1).signed(timestamp).toBytes());
  }
}
