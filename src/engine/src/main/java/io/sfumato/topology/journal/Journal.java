// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.Stamp;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/**
 * Appends to the journal: new records with none of the foreign headers.
 *
 * @param context of the processor that appends
 * @param child of that processor, which leads to the journal
 * @param stamp of the file that this program runs
 */
public record Journal(ProcessorContext<byte[], byte[]> context, String child, Stamp stamp) {
  /** An entry about one subject goes to that subject's partition. */
  public void append(long timestamp, String subject, JournalEntry entry) {
    forward(timestamp, subject.getBytes(StandardCharsets.UTF_8), entry);
  }

  /** An entry that concerns every subject goes to all partitions. */
  public void broadcast(long timestamp, JournalEntry entry) {
    forward(timestamp, JournalPartitioner.BROADCAST, entry);
  }

  private void forward(long timestamp, byte[] key, JournalEntry entry) {
    context.forward(
        new Record<>(key, JournalCodec.encode(stamp, entry), timestamp, new RecordHeaders()),
        child);
  }
}
