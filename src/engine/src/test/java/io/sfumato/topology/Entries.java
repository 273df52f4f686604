// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.gate.StateEpoch;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Watermark;
import java.util.ArrayList;
import java.util.List;

/** Entries of a journal with one source. Windows are ten seconds long; window 0 starts at NOW. */
final class Entries {
  private Entries() {}

  static long start(int window) {
    return Fixture.NOW + window * 10_000L;
  }

  /** The source starts. */
  static Genesis genesis() {
    return new Genesis(0, new StateEpoch(7, 7));
  }

  /** The source starts, and passes the beginning of window 0. */
  static List<JournalEntry> beginning() {
    return List.of(genesis(), new Watermark(0, start(0)));
  }

  /** A record of the first category. */
  static Observation record(String subject, int window) {
    return record(subject, window, 0);
  }

  static Observation record(String subject, int window, int category) {
    return new Observation(subject, start(window), category, List.of(), 0);
  }

  /** A record with the number 4. */
  static Observation number(String subject, int window) {
    return new Observation(subject, start(window), 0, List.of(4.0), 0);
  }

  /** The end of a window. */
  static Watermark end(int window) {
    return new Watermark(0, start(window + 1));
  }

  /** The only candidate of a query to the output "coin" about "ann". */
  static Candidate candidate(String query, int window) {
    return new Candidate(
        "coin", query, 0, 1, "ann", start(window), List.of(), List.of(0.4, 0.3, 0.3));
  }

  /** One record of "ann" in each window and its end, behind the source's start where it is due. */
  static List<JournalEntry> windows(int from, int to) {
    List<JournalEntry> journal = new ArrayList<>();
    if (from == 0) {
      journal.add(genesis());
    }
    for (int window = from; window < to; window++) {
      journal.add(record("ann", window));
      journal.add(end(window));
    }
    return journal;
  }
}
