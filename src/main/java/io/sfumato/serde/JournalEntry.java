// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.noise.Incarnation;
import java.util.List;

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
   * @param category its place in the category dictionary; 0 where records have none
   * @param values its numbers; none where records have none
   * @param rank of its place in the log, where a sample of records is kept; else 0
   */
  record Observation(String subject, long windowStart, int category, List<Double> values, long rank)
      implements JournalEntry {}

  /**
   * Accepted records in the order of their log, all of one journal partition.
   *
   * @param records at least one
   */
  record Observations(List<Observation> records) implements JournalEntry {
    public Observations {
      records = List.copyOf(records);
    }
  }

  /**
   * A user's record that intake accepted; whether it counts is decided when its window closes.
   *
   * @param user whose record it is
   * @param windowStart of the window that its event time lies in
   * @param subject that it would count to
   * @param category its place in the category dictionary
   * @param rank of its place in the log
   */
  record Contribution(String user, long windowStart, String subject, int category, long rank) {}

  /**
   * Accepted records of users in the order of their log, all of one journal partition.
   *
   * @param records at least one
   */
  record Contributions(List<Contribution> records) implements JournalEntry {
    public Contributions {
      records = List.copyOf(records);
    }
  }

  /**
   * A partition of the users' journal is drained, before a ledger is exported: nothing follows.
   *
   * @param source that partition
   */
  record Drained(int source) implements JournalEntry {}

  /**
   * A modeller's candidate, valid in itself.
   *
   * @param output that answers it
   * @param query its id
   * @param index of the candidate in the query, from 0; whether it is below T is the keeper's
   *     affair
   * @param candidates T, 1 to the pipeline's limit
   * @param subject whose dataset is asked
   * @param windowStart of the window that is asked
   * @param parameters of the model, finite
   * @param mean features of the pseudo-data, or shares of the categories
   */
  record Candidate(
      String output,
      String query,
      int index,
      int candidates,
      String subject,
      long windowStart,
      List<Double> parameters,
      List<Double> mean)
      implements JournalEntry {}

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

  /**
   * A record that an operator said does not count; nothing of it went anywhere.
   *
   * @param source partition of the records' topic
   * @param offset of the record
   */
  record Skipped(int source, long offset) implements JournalEntry {}

  /** A subject joins the roster with the first open window at or after {@code from}. */
  record Enrolment(String subject, long from) implements JournalEntry {}

  /** A subject leaves the roster with the first open window at or after {@code from}. */
  record Departure(String subject, long from) implements JournalEntry {}

  /** What is open of a subject's data is deleted; its ledger stays. */
  record Forgetting(String subject) implements JournalEntry {}

  /**
   * A release that fails is charged and refused instead.
   *
   * @param release keyed tag of its id
   */
  record Skip(String release) implements JournalEntry {}

  /**
   * A new version of the pipeline takes over with the first open window at or after {@code from}.
   *
   * @param version of the file
   * @param from event time
   * @param digest of what the file plans
   * @param noiseKey tag of the key that the version draws with
   */
  record Activation(int version, long from, String digest, String noiseKey)
      implements JournalEntry {}

  /** The ledger is exported: nothing is ever released again. */
  record Seal() implements JournalEntry {}
}
