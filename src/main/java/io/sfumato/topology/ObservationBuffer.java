package io.sfumato.topology;

import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Accepted records on their way to the journal, many in one entry. Nobody reads the journal before
 * its transaction commits, so waiting for the commit costs no time.
 */
final class ObservationBuffer {
  /** Keeps entries short enough to look after other work between two. */
  private static final int MOST = 500;

  private final Journal journal;
  private final List<List<Observation>> waiting = new ArrayList<>();

  /** Kafka timestamp of the last record added. */
  private long timestamp;

  /**
   * @param partitions of the journal
   */
  ObservationBuffer(Journal journal, int partitions) {
    this.journal = journal;
    for (int i = 0; i < partitions; i++) {
      waiting.add(new ArrayList<>());
    }
  }

  void add(long timestamp, Observation record) {
    this.timestamp = timestamp;
    byte[] subject = record.subject().getBytes(StandardCharsets.UTF_8);
    List<Observation> batch = waiting.get(JournalPartitioner.partitionOf(subject, waiting.size()));
    batch.add(record);
    if (batch.size() >= MOST) {
      send(batch);
    }
  }

  /** Hands everything to the journal. */
  void flush() {
    waiting.forEach(this::send);
  }

  private void send(List<Observation> batch) {
    if (!batch.isEmpty()) {
      // The subject of any of them leads to their partition.
      journal.append(timestamp, batch.get(0).subject(), new Observations(batch));
      batch.clear();
    }
  }
}
