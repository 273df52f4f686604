// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.gate.StateEpoch;
import java.util.List;

/**
 * One entry of the journal, the only input of everything private. What an aborted attempt wrote is
 * never read, so each journal partition has ONE order, the same at every retry.
 */
public sealed interface JournalEntry {
  /** Hands itself to whoever does something with it. */
  void accept(Visitor visitor);

  /** What somebody does with entries: the compiler says where a new kind is to be considered. */
  interface Visitor {
    /** A record of a subject. */
    void visit(Observation entry);

    /** Records of subjects. */
    void visit(Observations entry);

    /** Records of users. */
    void visit(Contributions entry);

    /** Nothing follows from a partition of the users' journal. */
    void visit(Drained entry);

    /** A modeller's question. */
    void visit(Candidate entry);

    /** A source partition has passed a window's end. */
    void visit(Watermark entry);

    /** A source partition begins. */
    void visit(Genesis entry);

    /** A record that does not count. */
    void visit(Skipped entry);

    /** A subject joins the roster. */
    void visit(Enrolment entry);

    /** A subject leaves the roster. */
    void visit(Departure entry);

    /** Open data of a subject, or a user, goes. */
    void visit(Forgetting entry);

    /** A release that failed is not to be drawn. */
    void visit(Skip entry);

    /** The next version is announced. */
    void visit(Activation entry);

    /** A partition of the users' journal leaves windows to the next version. */
    void visit(VersionEnd entry);

    /** The ledger moves elsewhere. */
    void visit(Seal entry);
  }

  /** What a source partition writes only after its genesis. */
  sealed interface BehindGenesis extends JournalEntry {}

  /**
   * A record that intake accepted.
   *
   * @param subject of the record
   * @param windowStart of the window that its event time lies in
   * @param category its place in the category dictionary; 0 where records have none
   * @param values its numbers; none where records have none
   * @param rank of its place in the log, where a sample of records is kept; else 0
   * @param name of its category where nobody listed any; else empty
   * @param question in which it counts: its number, 0 for that of the file
   */
  record Observation(
      String subject,
      long windowStart,
      long category,
      List<Double> values,
      long rank,
      String name,
      int question)
      implements BehindGenesis {
    /** Of the file's own question. */
    public Observation(
        String subject,
        long windowStart,
        long category,
        List<Double> values,
        long rank,
        String name) {
      this(subject, windowStart, category, values, rank, name, 0);
    }

    /** Of a category that is listed, or none. */
    public Observation(
        String subject, long windowStart, long category, List<Double> values, long rank) {
      this(subject, windowStart, category, values, rank, "");
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * Accepted records in the order of their log, all of one journal partition.
   *
   * @param records at least one
   */
  record Observations(List<Observation> records) implements BehindGenesis {
    public Observations {
      records = List.copyOf(records);
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A user's record that intake accepted; whether it counts is decided when its window closes.
   *
   * @param user whose record it is
   * @param windowStart of the window that its event time lies in
   * @param subject that it would count to
   * @param category its place in the category dictionary; 0 where records have none
   * @param rank of its place in the log
   * @param values its numbers; none where records have none
   * @param name of its category where nobody listed any; else empty
   * @param place rank of its place in the log where {@code rank} is that of an event's id; else 0
   * @param selection in which it may count, as states call it; 0 where all outputs are about one
   */
  record Contribution(
      String user,
      long windowStart,
      String subject,
      long category,
      long rank,
      List<Double> values,
      String name,
      long place,
      int selection) {
    public Contribution {
      values = List.copyOf(values);
    }

    /** Where all outputs are about one selection of records. */
    public Contribution(
        String user,
        long windowStart,
        String subject,
        long category,
        long rank,
        List<Double> values,
        String name,
        long place) {
      this(user, windowStart, subject, category, rank, values, name, place, 0);
    }

    /** Of a record that is an event of its own. */
    public Contribution(
        String user,
        long windowStart,
        String subject,
        long category,
        long rank,
        List<Double> values,
        String name) {
      this(user, windowStart, subject, category, rank, values, name, 0);
    }

    /** Of a category that is listed, or none. */
    public Contribution(
        String user,
        long windowStart,
        String subject,
        long category,
        long rank,
        List<Double> values) {
      this(user, windowStart, subject, category, rank, values, "");
    }

    /** Of a record without numbers. */
    public Contribution(String user, long windowStart, String subject, long category, long rank) {
      this(user, windowStart, subject, category, rank, List.of());
    }
  }

  /**
   * Accepted records of users in the order of their log, all of one journal partition.
   *
   * @param records at least one
   */
  record Contributions(List<Contribution> records) implements BehindGenesis {
    public Contributions {
      records = List.copyOf(records);
    }

    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A partition of the users' journal is drained, before a ledger is exported: nothing follows.
   *
   * @param source that partition
   */
  record Drained(int source) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A modeller's candidate, valid in itself.
   *
   * @param output that answers it
   * @param query its id
   * @param index of the candidate in the query, from 0; its keeper knows whether it is below T
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
      implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A source partition's clock has passed a window's end and grace; nothing of any window that ends
   * by then will follow from it. Broadcast to all journal partitions.
   *
   * @param source partition of the records' topic
   * @param end latest window end that is passed
   */
  record Watermark(int source, long end) implements BehindGenesis {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * The first entry of every source partition: a random number, of which the first to arrive names
   * the life of the keeper's state. Committed with the journal, hence before any release.
   */
  record Genesis(int source, StateEpoch epoch) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A record that an operator said does not count; nothing of it went anywhere.
   *
   * @param source partition of the records' topic
   * @param offset of the record
   */
  record Skipped(int source, long offset) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** A subject joins the roster with the first open window at or after {@code from}. */
  record Enrolment(String subject, long from) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** A subject leaves the roster with the first open window at or after {@code from}. */
  record Departure(String subject, long from) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** What is open of a subject's data is deleted; its ledger stays. */
  record Forgetting(String subject) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A release that fails is charged and refused instead.
   *
   * @param release keyed tag of its id
   */
  record Skip(String release) implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A new version of the pipeline takes over with the first open window at or after {@code from}.
   *
   * @param version of the file
   * @param from event time
   * @param digest of what the file plans
   * @param noiseKey tag of the key that the version draws with
   */
  record Activation(int version, long from, String digest, String noiseKey)
      implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /**
   * A partition of the users' journal passes on no window that starts at a time or later: these are
   * another version's. It has passed on none of them before.
   *
   * @param source number of the partition
   * @param version of the file that takes over
   * @param from start of the first window that is left to it, milliseconds since 1970
   * @param digest of what that file plans, hexadecimal
   * @param noiseKey tag of the key that it draws with
   */
  record VersionEnd(int source, int version, long from, String digest, String noiseKey)
      implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }

  /** The ledger is exported: nothing is ever released again. */
  record Seal() implements JournalEntry {
    @Override
    public void accept(Visitor visitor) {
      visitor.visit(this);
    }
  }
}
