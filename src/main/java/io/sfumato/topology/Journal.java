package io.sfumato.topology;

import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;

/** Appends to the journal: new records with none of the foreign headers. */
final class Journal {
  private Journal() {}

  /** An entry about one subject goes to that subject's partition. */
  static void append(
      ProcessorContext<byte[], byte[]> context,
      long timestamp,
      String subject,
      JournalEntry entry) {
    forward(context, timestamp, subject.getBytes(StandardCharsets.UTF_8), entry);
  }

  /** An entry that concerns every subject goes to all partitions. */
  static void broadcast(
      ProcessorContext<byte[], byte[]> context, long timestamp, JournalEntry entry) {
    forward(context, timestamp, JournalPartitioner.BROADCAST, entry);
  }

  private static void forward(
      ProcessorContext<byte[], byte[]> context, long timestamp, byte[] key, JournalEntry entry) {
    context.forward(
        new Record<>(key, JournalCodec.encode(entry), timestamp, new RecordHeaders()),
        Names.ENTRIES);
  }
}
