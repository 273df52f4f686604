package io.sfumato.serde;

import io.sfumato.noise.Incarnation;

/**
 * One entry of the journal, the only input of everything private. What an aborted attempt wrote is
 * never read, so each journal partition has ONE order, the same at every retry.
 */
public sealed interface JournalEntry {
  /**
   * A record that intake accepted.
   *
   * @param subject of the record
   * @param windowStart of the window that its event time lies in
   * @param category its place in the category dictionary
   */
  record Observation(String subject, long windowStart, int category) implements JournalEntry {}

  /**
   * A source partition's clock has passed a window's end and grace; nothing of any window that ends
   * by then will follow from it. Broadcast to all journal partitions.
   *
   * @param source partition of the records' topic
   * @param end latest window end that is passed
   */
  record Boundary(int source, long end) implements JournalEntry {}

  /**
   * The first entry of every source partition: a random number, of which the first to arrive names
   * the life of the keeper's state. Committed with the journal, hence before any release.
   */
  record Genesis(int source, Incarnation incarnation) implements JournalEntry {}

  /** A subject joins the roster with the first open window at or after {@code from}. */
  record Enrolment(String subject, long from) implements JournalEntry {}

  /** A subject leaves the roster with the first open window at or after {@code from}. */
  record Departure(String subject, long from) implements JournalEntry {}
}
