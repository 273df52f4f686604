// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.topology.context.ReadAgainException;
import io.sfumato.topology.version.MetaStore;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.RecordMetadata;

/**
 * How far a keeper has read its journal: each entry is taken in once, whatever becomes of the
 * group's offsets.
 */
final class JournalPosition {
  private final MetaStore meta;
  private final ProcessorContext<?, ?> context;

  /** Offset of the last journal entry taken in. */
  private long position;

  JournalPosition(MetaStore meta, ProcessorContext<?, ?> context) {
    this.meta = meta;
    this.context = context;
    this.position = meta.position();
  }

  /** To the entry that is being processed. */
  void advance() {
    RecordMetadata entry = context.recordMetadata().orElseThrow();
    if (entry.offset() <= position) {
      throw new ReadAgainException(position, entry);
    }
    position = entry.offset();
    meta.putPosition(position);
  }
}
