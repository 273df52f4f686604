// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.intake;

import io.sfumato.gate.NoiseKey;
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
   * @param place keyed hash of its place in the log; 0 where none is needed
   * @param selection in which it may count, as states call it; 0 where all outputs are about one
   */
  void add(
      long timestamp, Event event, Event.Item item, long windowStart, long place, int selection);

  /** Hands everything to the journal. */
  void flush();

  /** Where records are protected one by one: they go to their subjects. */
  static AcceptedRecords ofSubjects(Journal journal, int partitions, NoiseKey noiseKey) {
    EntryBuffer<Observation> buffer = EntryBuffer.ofObservations(journal, partitions);
    return new AcceptedRecords() {
      @Override
      public void add(
          long timestamp,
          Event event,
          Event.Item item,
          long windowStart,
          long place,
          int selection) {
        long rank =
            event
                .id()
                .map(id -> noiseKey.rankOfEvent(event.subject(), windowStart, id, item.place()))
                .orElse(place);
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
  static AcceptedRecords ofUsers(Journal journal, int partitions, NoiseKey noiseKey) {
    EntryBuffer<Contribution> buffer =
        new EntryBuffer<>(
            journal, partitions, Contribution::user, Contributions::new, JournalCodec::bytesAtMost);
    return new AcceptedRecords() {
      @Override
      public void add(
          long timestamp,
          Event event,
          Event.Item item,
          long windowStart,
          long place,
          int selection) {
        String user = event.user().orElseThrow();
        boolean mayBeCopy = event.id().isPresent();
        long rank =
            mayBeCopy
                ? noiseKey.rankOfEvent(user, windowStart, event.id().get(), item.place())
                : place;
        buffer.add(
            timestamp,
            new Contribution(
                user,
                windowStart,
                event.subject(),
                item.category(),
                rank,
                event.values(),
                item.name(),
                mayBeCopy ? place : 0,
                selection));
      }

      @Override
      public void flush() {
        buffer.flush();
      }
    };
  }
}
