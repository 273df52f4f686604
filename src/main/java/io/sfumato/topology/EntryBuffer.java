package io.sfumato.topology;

import io.sfumato.serde.JournalEntry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * Records on their way to a journal, many in one entry. Nobody reads the journal before its
 * transaction commits, so waiting for the commit costs no time.
 *
 * @param <T> what one record becomes
 */
final class EntryBuffer<T> {
  /** Keeps entries short enough to look after other work between two. */
  private static final int MOST = 500;

  private final Journal journal;
  private final Function<T, String> keys;
  private final Function<List<T>, JournalEntry> entries;
  private final List<List<T>> waiting = new ArrayList<>();

  /** Kafka timestamp of the last record added. */
  private long timestamp;

  /**
   * @param partitions of the journal
   * @param keys by which records are led to their partition
   * @param entries of records that share one
   */
  EntryBuffer(
      Journal journal,
      int partitions,
      Function<T, String> keys,
      Function<List<T>, JournalEntry> entries) {
    this.journal = journal;
    this.keys = keys;
    this.entries = entries;
    for (int i = 0; i < partitions; i++) {
      waiting.add(new ArrayList<>());
    }
  }

  void add(long timestamp, T record) {
    this.timestamp = timestamp;
    byte[] key = keys.apply(record).getBytes(StandardCharsets.UTF_8);
    List<T> batch = waiting.get(JournalPartitioner.partitionOf(key, waiting.size()));
    batch.add(record);
    if (batch.size() >= MOST) {
      send(batch);
    }
  }

  /** Hands everything to the journal. */
  void flush() {
    waiting.forEach(this::send);
  }

  private void send(List<T> batch) {
    if (!batch.isEmpty()) {
      // The key of any of them leads to their partition.
      journal.append(timestamp, keys.apply(batch.get(0)), entries.apply(batch));
      batch.clear();
    }
  }
}
