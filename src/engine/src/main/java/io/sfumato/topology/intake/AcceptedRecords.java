// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.serde.Event;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.journal.EntryBuffer;
import io.sfumato.topology.journal.Journal;

/** Accepted records on their way to the first journal: the subjects', or the users'. */
interface AcceptedRecords {
  /**
   * Adds what counts as one of a record.
   *
   * @param item of the event
   * @param rank keyed hash of its place in the log; 0 where none is needed
   */
  void add(long timestamp, Event event, Event.Item item, long windowStart, long rank);

  /** Hands everything to the journal. */
  void flush();

  /** Where records are protected one by one: they go to their subjects. */
  static AcceptedRecords ofSubjects(Journal journal, int partitions) {
    EntryBuffer<Observation> buffer = EntryBuffer.ofObservations(journal, partitions);
    return new AcceptedRecords() {
      @Override
      public void add(long timestamp, Event event, Event.Item item, long windowStart, long rank) {
        // Of a record with more items this throws: they are bounded where users are known alone.
        buffer.add(
            timestamp,
            new Observation(event.subject(), windowStart, event.category(), event.values(), rank));
      }

      @Override
      public void flush() {
        buffer.flush();
      }
    };
  }

  /** Where users are protected: records go to their users first. */
  static AcceptedRecords ofUsers(Journal journal, int partitions) {
    EntryBuffer<Contribution> buffer =
        new EntryBuffer<>(
            journal, partitions, Contribution::user, Contributions::new, JournalCodec::bytesAtMost);
    return new AcceptedRecords() {
      @Override
      public void add(long timestamp, Event event, Event.Item item, long windowStart, long rank) {
        buffer.add(
            timestamp,
            new Contribution(
                event.user().orElseThrow(),
                windowStart,
                event.subject(),
                item.category(),
                rank,
                event.values(),
                item.name()));
      }

      @Override
      public void flush() {
        buffer.flush();
      }
    };
  }
}
