// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.journal;

import io.sfumato.pipeline.MessageLimit;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Records on their way to a journal, many in one entry, as far as {@link MessageLimit#ENTRY_BYTES}
 * go: a cluster takes no larger ones, and one it does not take stops the pipeline. Nobody reads the
 * journal before its transaction commits, so waiting for the commit costs no time.
 *
 * @param <T> what one record becomes
 */
public final class EntryBuffer<T> {
  private final Journal journal;
  private final Function<T, String> keys;
  private final Function<List<T>, JournalEntry> entries;
  private final ToIntFunction<T> bounds;
  private final List<Batch<T>> waiting = new ArrayList<>();

  /** Kafka timestamp of the last record added. */
  private long timestamp;

  /** What waits for one partition, and a bound of its bytes. */
  private static final class Batch<T> {
    private final List<T> records = new ArrayList<>();
    private int bytes;

    boolean hasRoomFor(int more) {
      return records.size() < MessageLimit.ENTRY_RECORDS
          && bytes + more <= MessageLimit.ENTRY_BYTES - JournalCodec.HEADER_BYTES;
    }

    void add(T record, int bound) {
      records.add(record);
      bytes += bound;
    }

    void clear() {
      records.clear();
      bytes = 0;
    }
  }

  /**
   * @param partitions of the journal
   * @param keys by which records are led to their partition
   * @param entries of records that share one
   * @param bounds of a record's bytes in an entry: at least what its encoding takes
   */
  public EntryBuffer(
      Journal journal,
      int partitions,
      Function<T, String> keys,
      Function<List<T>, JournalEntry> entries,
      ToIntFunction<T> bounds) {
    this.journal = journal;
    this.keys = keys;
    this.entries = entries;
    this.bounds = bounds;
    for (int i = 0; i < partitions; i++) {
      waiting.add(new Batch<>());
    }
  }

  /** Records of subjects on their way to the subjects' journal. */
  public static EntryBuffer<Observation> ofObservations(Journal journal, int partitions) {
    return new EntryBuffer<>(
        journal, partitions, Observation::subject, Observations::new, JournalCodec::bytesAtMost);
  }

  /** Puts a record off until the next flush, or until its partition's batch is full. */
  public void add(long timestamp, T record) {
    this.timestamp = timestamp;
    byte[] key = keys.apply(record).getBytes(StandardCharsets.UTF_8);
    Batch<T> batch = waiting.get(JournalPartitioner.partitionOf(key, waiting.size()));
    int bound = bounds.applyAsInt(record);
    if (!batch.hasRoomFor(bound)) {
      send(batch);
    }
    // One that is too large for any batch goes alone.
    batch.add(record, bound);
  }

  /** Hands everything to the journal. */
  public void flush() {
    waiting.forEach(this::send);
  }

  private void send(Batch<T> batch) {
    if (!batch.records.isEmpty()) {
      // The key of any of them leads to their partition.
      journal.append(timestamp, keys.apply(batch.records.get(0)), entries.apply(batch.records));
      batch.clear();
    }
  }
}
