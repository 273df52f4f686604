// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.bytes.ByteReader;
import io.sfumato.bytes.ByteWriter;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.noise.Incarnation;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Boundary;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The compact form of journal entries: format, kind, fields. */
public final class JournalCodec {
  private static final int FORMAT = 1;

  /** Before an entry that says under which file it was written. */
  private static final int STAMPED = 2;

  private static final int OBSERVATION = 1;
  private static final int BOUNDARY = 2;
  private static final int GENESIS = 3;
  private static final int ENROLMENT = 4;
  private static final int DEPARTURE = 5;
  private static final int RANKED_OBSERVATION = 6;
  private static final int CANDIDATE = 7;
  private static final int FORGETTING = 8;
  private static final int SKIP = 9;
  private static final int ACTIVATION = 10;
  private static final int SEAL = 11;
  private static final int OBSERVATIONS = 12;
  private static final int RANKED_OBSERVATIONS = 13;
  private static final int CONTRIBUTIONS = 14;
  private static final int DRAINED = 15;
  private static final int SKIPPED = 16;

  /** Room for what stands before the records of a batch: format, kind, and who wrote it. */
  public static final int HEADER_BYTES = 16;

  private static final int LONG_BYTES = 10;
  private static final int INT_BYTES = 5;

  private JournalCodec() {}

  /** A bound of what a record takes within {@link Observations}, without encoding it. */
  public static int bytesAtMost(Observation record) {
    return LONG_BYTES
        + INT_BYTES
        + bytesAtMost(record.subject())
        + INT_BYTES
        + Double.BYTES * record.values().size()
        + Long.BYTES;
  }

  /** A bound of what a record takes within {@link Contributions}, without encoding it. */
  public static int bytesAtMost(Contribution record) {
    return LONG_BYTES
        + INT_BYTES
        + bytesAtMost(record.user())
        + bytesAtMost(record.subject())
        + Long.BYTES;
  }

  /** In UTF-8 no char takes more than three bytes: pairs take four. */
  private static int bytesAtMost(String text) {
    return INT_BYTES + 3 * text.length();
  }

  public static byte[] encode(JournalEntry entry) {
    ByteWriter out = new ByteWriter().fixed8(FORMAT);
    if (entry instanceof Observation o) {
      boolean plain = isPlain(o);
      out.fixed8(plain ? OBSERVATION : RANKED_OBSERVATION)
          .signed(o.windowStart())
          .unsigned(o.category())
          .text(o.subject());
      if (!plain) {
        out.doubles(o.values()).fixed64(o.rank());
      }
    } else if (entry instanceof Observations batch) {
      boolean plain = batch.records().stream().allMatch(JournalCodec::isPlain);
      out.fixed8(plain ? OBSERVATIONS : RANKED_OBSERVATIONS);
      long last = 0;
      for (Observation o : batch.records()) {
        // Neighbours lie mostly in one window.
        out.signed(o.windowStart() - last).unsigned(o.category()).text(o.subject());
        if (!plain) {
          out.doubles(o.values()).fixed64(o.rank());
        }
        last = o.windowStart();
      }
    } else if (entry instanceof Contributions batch) {
      out.fixed8(CONTRIBUTIONS);
      long last = 0;
      for (Contribution c : batch.records()) {
        out.signed(c.windowStart() - last)
            .unsigned(c.category())
            .text(c.user())
            .text(c.subject())
            .fixed64(c.rank());
        last = c.windowStart();
      }
    } else if (entry instanceof Drained d) {
      out.fixed8(DRAINED).unsigned(d.source());
    } else if (entry instanceof Candidate c) {
      out.fixed8(CANDIDATE)
          .text(c.output())
          .text(c.query())
          .unsigned(c.index())
          .unsigned(c.candidates())
          .text(c.subject())
          .signed(c.windowStart())
          .doubles(c.parameters())
          .doubles(c.mean());
    } else if (entry instanceof Boundary b) {
      out.fixed8(BOUNDARY).unsigned(b.source()).signed(b.end());
    } else if (entry instanceof Genesis g) {
      out.fixed8(GENESIS).unsigned(g.source()).raw(g.incarnation().toBytes());
    } else if (entry instanceof Enrolment e) {
      out.fixed8(ENROLMENT).signed(e.from()).text(e.subject());
    } else if (entry instanceof Departure d) {
      out.fixed8(DEPARTURE).signed(d.from()).text(d.subject());
    } else if (entry instanceof Forgetting f) {
      out.fixed8(FORGETTING).text(f.subject());
    } else if (entry instanceof Skip s) {
      out.fixed8(SKIP).text(s.release());
    } else if (entry instanceof Activation a) {
      out.fixed8(ACTIVATION)
          .unsigned(a.version())
          .signed(a.from())
          .text(a.digest())
          .text(a.noiseKey());
    } else if (entry instanceof Skipped s) {
      out.fixed8(SKIPPED).unsigned(s.source()).unsigned(s.offset());
    } else if (entry instanceof Seal) {
      out.fixed8(SEAL);
    }
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
          case OBSERVATION -> observation(in, false);
          case RANKED_OBSERVATION -> observation(in, true);
          case OBSERVATIONS -> observations(in, false);
          case RANKED_OBSERVATIONS -> observations(in, true);
          case CONTRIBUTIONS -> contributions(in);
          case DRAINED -> new Drained((int) in.unsigned());
          case CANDIDATE -> candidate(in);
          case BOUNDARY -> new Boundary((int) in.unsigned(), in.signed());
          case GENESIS ->
              new Genesis((int) in.unsigned(), Incarnation.fromBytes(in.raw(Incarnation.BYTES)));
          case ENROLMENT -> enrolment(in);
          case DEPARTURE -> departure(in);
          case FORGETTING -> new Forgetting(in.text());
          case SKIP -> new Skip(in.text());
          case ACTIVATION -> new Activation((int) in.unsigned(), in.signed(), in.text(), in.text());
          case SEAL -> new Seal();
          case SKIPPED -> new Skipped((int) in.unsigned(), in.unsigned());
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
    int category = (int) in.unsigned();
    String subject = in.text();
    return ranked
        ? new Observation(subject, windowStart, category, in.doubles(), in.fixed64())
        : new Observation(subject, windowStart, category, List.of(), 0);
  }

  private static boolean isPlain(Observation record) {
    return record.values().isEmpty() && record.rank() == 0;
  }

  private static Observations observations(ByteReader in, boolean ranked) {
    List<Observation> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      int category = (int) in.unsigned();
      String subject = in.text();
      records.add(
          ranked
              ? new Observation(subject, windowStart, category, in.doubles(), in.fixed64())
              : new Observation(subject, windowStart, category, List.of(), 0));
    }
    return new Observations(records);
  }

  private static Contributions contributions(ByteReader in) {
    List<Contribution> records = new ArrayList<>();
    long windowStart = 0;
    while (!in.atEnd()) {
      windowStart += in.signed();
      int category = (int) in.unsigned();
      records.add(new Contribution(in.text(), windowStart, in.text(), category, in.fixed64()));
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

  private static Enrolment enrolment(ByteReader in) {
    long from = in.signed();
    return new Enrolment(in.text(), from);
  }

  private static Departure departure(ByteReader in) {
    long from = in.signed();
    return new Departure(in.text(), from);
  }
}
