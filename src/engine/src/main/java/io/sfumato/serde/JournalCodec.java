// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.gate.StateEpoch;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Skipped;
import io.sfumato.serde.JournalEntry.VersionEnd;
import io.sfumato.serde.JournalEntry.Watermark;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The compact form of journal entries: format, kind, fields. */
public final class JournalCodec {
  private static final int FORMAT = 1;

  /** Before an entry that says under which file it was written. */
  private static final int STAMPED = 2;

  /** Room for what stands before the records of a batch: format, kind, and who wrote it. */
  public static final int HEADER_BYTES = 16;

  private static final int LONG_BYTES = 10;
  private static final int INT_BYTES = 5;

  private JournalCodec() {}

  /**
   * A bound of what a record takes within {@link Observations}, without encoding it. One of several
   * questions has its number in the place of a rank.
   */
  public static int bytesAtMost(Observation record) {
    return LONG_BYTES
        + INT_BYTES
        + bytesAtMost(record.subject())
        + INT_BYTES
        + Double.BYTES * record.values().size()
        + Long.BYTES
        + bytesAtMost(record.name());
  }

  /** A bound of what a record takes within {@link Contributions}, without encoding it. */
  public static int bytesAtMost(Contribution record) {
    return LONG_BYTES
        + INT_BYTES
        + bytesAtMost(record.user())
        + bytesAtMost(record.subject())
        + Long.BYTES
        + (record.values().isEmpty() ? 0 : INT_BYTES + Double.BYTES * record.values().size())
        + (record.name().isEmpty() ? 0 : bytesAtMost(record.name()))
        + (record.place() == 0 ? 0 : Long.BYTES + 2 * INT_BYTES)
        + (record.selection() == 0 ? 0 : Long.BYTES + 3 * INT_BYTES);
  }

  /** In UTF-8 no char takes more than three bytes: pairs take four. */
  private static int bytesAtMost(String text) {
    return INT_BYTES + 3 * text.length();
  }

  /** In the compact form. */
  public static byte[] encode(JournalEntry entry) {
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    entry.accept(new EntryWriter(out));
    return out.toBytes();
  }

  /** An entry that says under which file it was written. */
  public static byte[] encode(Stamp stamp, JournalEntry entry) {
    return new ByteWriter()
        .fixed8(STAMPED)
        .unsigned(stamp.version())
        .fixed64(stamp.digest())
        .raw(encode(entry))
        .toBytes();
  }

  /**
   * Under which file an entry was written; nothing if it does not say so.
   *
   * @throws CorruptBytesException if this program did not write the bytes
   */
  public static Optional<Stamp> stamp(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    return in.fixed8() == STAMPED ? Optional.of(stamp(in)) : Optional.empty();
  }

  private static Stamp stamp(ByteReader in) {
    return new Stamp((int) in.unsigned(), in.fixed64());
  }

  /**
   * Inverse of {@link #encode}, with or without a stamp.
   *
   * @throws CorruptBytesException if this program did not write the bytes
   */
  public static JournalEntry decode(byte[] bytes) {
    ByteReader in = unstamped(bytes).format(FORMAT, "a journal entry");
    int kind = in.fixed8();
    JournalEntry entry =
        switch (kind) {
          case EntryWriter.OBSERVATION -> observation(in, false);
          case EntryWriter.RANKED_OBSERVATION -> observation(in, true);
          case EntryWriter.OBSERVATIONS -> observations(in, false);
          case EntryWriter.RANKED_OBSERVATIONS -> observations(in, true);
          case EntryWriter.NAMED_OBSERVATIONS -> namedObservations(in);
          case EntryWriter.QUESTIONED_OBSERVATIONS -> questionedObservations(in);
          case EntryWriter.CONTRIBUTIONS -> contributions(in, false);
          case EntryWriter.NUMBERED_CONTRIBUTIONS -> contributions(in, true);
          case EntryWriter.NAMED_CONTRIBUTIONS -> namedContributions(in);
          case EntryWriter.IDENTIFIED_CONTRIBUTIONS -> identifiedContributions(in);
          case EntryWriter.SELECTED_CONTRIBUTIONS -> selectedContributions(in);
          case EntryWriter.DRAINED -> new Drained((int) in.unsigned());
          case EntryWriter.CANDIDATE -> candidate(in);
          case EntryWriter.BOUNDARY -> new Watermark((int) in.unsigned(), in.signed());
          case EntryWriter.GENESIS ->
              new Genesis((int) in.unsigned(), StateEpoch.fromBytes(in.raw(StateEpoch.BYTES)));
          case EntryWriter.ENROLMENT -> enrolment(in);
          case EntryWriter.DEPARTURE -> departure(in);
          case EntryWriter.FORGETTING -> new Forgetting(in.text());
          case EntryWriter.SKIP -> new Skip(in.text());
          case EntryWriter.ACTIVATION ->
              new Activation((int) in.unsigned(), in.signed(), in.text(), in.text());
          case EntryWriter.VERSION_END -> versionEnd(in);
          case EntryWriter.SEAL -> new Seal();
          case EntryWriter.SKIPPED -> new Skipped((int) in.unsigned(), in.unsigned());
          default ->
              throw new CorruptBytesException("a journal entry has the unknown kind " + kind);
        };
    in.end();
    return entry;
  }

  private static ByteReader unstamped(byte[] bytes) {
    ByteReader in = new ByteReader(bytes);
    if (in.fixed8() != STAMPED) {
      return new ByteReader(bytes);
    }
    stamp(in);
    return in;
  }

  private static Observation observation(ByteReader in, boolean ranked) {
    long windowStart = in.signed();
    long category = in.unsigned();
    String subject = in.text();
    return ranked
        ? new Observation(subject, windowStart, category, in.doubles(), in.fixed64())
        : new Observation(subject, windowStart, category, List.of(), 0);
  }

  private static Observations observations(ByteReader in, boolean ranked) {
    List<Observation> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      long category = in.unsigned();
      String subject = in.text();
      records.add(
          ranked
              ? new Observation(subject, windowStart, category, in.doubles(), in.fixed64())
              : new Observation(subject, windowStart, category, List.of(), 0));
    }
    return new Observations(records);
  }

  private static Contributions contributions(ByteReader in, boolean numbered) {
    List<Contribution> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      long category = in.unsigned();
      String user = in.text();
      String subject = in.text();
      long rank = in.fixed64();
      records.add(
          new Contribution(
              user, windowStart, subject, category, rank, numbered ? in.doubles() : List.of()));
    }
    return new Contributions(records);
  }

  private static Observations namedObservations(ByteReader in) {
    List<Observation> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      long category = in.unsigned();
      String subject = in.text();
      records.add(new Observation(subject, windowStart, category, List.of(), 0, in.text()));
    }
    return new Observations(records);
  }

  private static Observations questionedObservations(ByteReader in) {
    List<Observation> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      int question = (int) in.unsigned();
      long category = in.unsigned();
      String subject = in.text();
      records.add(new Observation(subject, windowStart, category, in.doubles(), 0, "", question));
    }
    return new Observations(records);
  }

  private static Contributions namedContributions(ByteReader in) {
    List<Contribution> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      String user = in.text();
      String subject = in.text();
      long rank = in.fixed64();
      records.add(new Contribution(user, windowStart, subject, 0, rank, List.of(), in.text()));
    }
    return new Contributions(records);
  }

  private static Contributions identifiedContributions(ByteReader in) {
    List<Contribution> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      long category = in.unsigned();
      String user = in.text();
      String subject = in.text();
      long rank = in.fixed64();
      long place = in.fixed64();
      List<Double> values = in.doubles();
      records.add(
          new Contribution(user, windowStart, subject, category, rank, values, in.text(), place));
    }
    return new Contributions(records);
  }

  private static Contributions selectedContributions(ByteReader in) {
    List<Contribution> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      int selection = (int) in.unsigned();
      long category = in.unsigned();
      String user = in.text();
      String subject = in.text();
      long rank = in.fixed64();
      long place = in.fixed64();
      records.add(
          new Contribution(
              user, windowStart, subject, category, rank, in.doubles(), "", place, selection));
    }
    return new Contributions(records);
  }

  private static Candidate candidate(ByteReader in) {
    return new Candidate(
        in.text(),
        in.text(),
        (int) in.unsigned(),
        (int) in.unsigned(),
        in.text(),
        in.signed(),
        in.doubles(),
        in.doubles());
  }

  private static VersionEnd versionEnd(ByteReader in) {
    return new VersionEnd(
        (int) in.unsigned(), (int) in.unsigned(), in.signed(), in.text(), in.text());
  }

  private static Enrolment enrolment(ByteReader in) {
    long from = in.signed();
    return new Enrolment(in.text(), from);
  }

  private static Departure departure(ByteReader in) {
    long from = in.signed();
    return new Departure(in.text(), from);
  }
}
