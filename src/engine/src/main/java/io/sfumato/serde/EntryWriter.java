// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import io.sfumato.bytes.ByteWriter;
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
import java.util.List;

/** Writes entries in the compact form: kind, fields. */
record EntryWriter(ByteWriter out) implements JournalEntry.Visitor {
  static final int OBSERVATION = 1;
  static final int BOUNDARY = 2;
  static final int GENESIS = 3;
  static final int ENROLMENT = 4;
  static final int DEPARTURE = 5;
  static final int RANKED_OBSERVATION = 6;
  static final int CANDIDATE = 7;
  static final int FORGETTING = 8;
  static final int SKIP = 9;
  static final int ACTIVATION = 10;
  static final int SEAL = 11;
  static final int OBSERVATIONS = 12;
  static final int RANKED_OBSERVATIONS = 13;
  static final int CONTRIBUTIONS = 14;
  static final int DRAINED = 15;
  static final int SKIPPED = 16;
  static final int NUMBERED_CONTRIBUTIONS = 17;
  static final int NAMED_OBSERVATIONS = 18;
  static final int NAMED_CONTRIBUTIONS = 19;
  static final int IDENTIFIED_CONTRIBUTIONS = 20;
  static final int VERSION_END = 21;
  static final int QUESTIONED_OBSERVATIONS = 22;
  static final int SELECTED_CONTRIBUTIONS = 23;

  @Override
  public void visit(Observation o) {
    if (!o.name().isEmpty() || o.question() != 0) {
      throw new IllegalArgumentException(
          "a record with a name, or of another question, is written in a batch");
    }
    boolean plain = isPlain(o);
    out.fixed8(plain ? OBSERVATION : RANKED_OBSERVATION)
        .signed(o.windowStart())
        .unsigned(o.category())
        .text(o.subject());
    if (!plain) {
      out.doubles(o.values()).fixed64(o.rank());
    }
  }

  @Override
  public void visit(Observations batch) {
    if (batch.records().stream().anyMatch(o -> o.question() != 0)) {
      questioned(batch);
      return;
    }
    if (batch.records().stream().anyMatch(o -> !o.name().isEmpty())) {
      named(batch);
      return;
    }
    boolean plain = batch.records().stream().allMatch(EntryWriter::isPlain);
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
  }

  /** Of several questions, hence of users, whose records have no sample. */
  private void questioned(Observations batch) {
    out.fixed8(QUESTIONED_OBSERVATIONS);
    long last = 0;
    for (Observation o : batch.records()) {
      if (o.rank() != 0 || !o.name().isEmpty()) {
        throw new IllegalArgumentException("a record of a question has neither rank nor name");
      }
      out.signed(o.windowStart() - last)
          .unsigned(o.question())
          .unsigned(o.category())
          .text(o.subject())
          .doubles(o.values());
      last = o.windowStart();
    }
  }

  /** Of names that nobody listed: those records have neither numbers nor a sample. */
  private void named(Observations batch) {
    out.fixed8(NAMED_OBSERVATIONS);
    long last = 0;
    for (Observation o : batch.records()) {
      requireBare(o.values(), o.rank());
      out.signed(o.windowStart() - last).unsigned(o.category()).text(o.subject()).text(o.name());
      last = o.windowStart();
    }
  }

  private void named(Contributions batch) {
    out.fixed8(NAMED_CONTRIBUTIONS);
    long last = 0;
    for (Contribution c : batch.records()) {
      requireBare(c.values(), c.category());
      out.signed(c.windowStart() - last)
          .text(c.user())
          .text(c.subject())
          .fixed64(c.rank())
          .text(c.name());
      last = c.windowStart();
    }
  }

  /** Of events that may have copies: with whatever else a record has. */
  private void identified(Contributions batch) {
    out.fixed8(IDENTIFIED_CONTRIBUTIONS);
    long last = 0;
    for (Contribution c : batch.records()) {
      out.signed(c.windowStart() - last)
          .unsigned(c.category())
          .text(c.user())
          .text(c.subject())
          .fixed64(c.rank())
          .fixed64(c.place())
          .doubles(c.values())
          .text(c.name());
      last = c.windowStart();
    }
  }

  /** Of several selections, whose categories are listed. */
  private void selected(Contributions batch) {
    out.fixed8(SELECTED_CONTRIBUTIONS);
    long last = 0;
    for (Contribution c : batch.records()) {
      if (!c.name().isEmpty() || c.selection() == 0) {
        throw new IllegalArgumentException("each record is of a selection, and none has a name");
      }
      out.signed(c.windowStart() - last)
          .unsigned(c.selection())
          .unsigned(c.category())
          .text(c.user())
          .text(c.subject())
          .fixed64(c.rank())
          .fixed64(c.place())
          .doubles(c.values());
      last = c.windowStart();
    }
  }

  private static void requireBare(List<Double> values, long other) {
    if (!values.isEmpty() || other != 0) {
      throw new IllegalArgumentException("a record with a name has nothing else");
    }
  }

  @Override
  public void visit(Contributions batch) {
    if (batch.records().stream().anyMatch(c -> c.selection() != 0)) {
      selected(batch);
      return;
    }
    if (batch.records().stream().anyMatch(c -> c.place() != 0)) {
      identified(batch);
      return;
    }
    if (batch.records().stream().anyMatch(c -> !c.name().isEmpty())) {
      named(batch);
      return;
    }
    boolean plain = batch.records().stream().allMatch(c -> c.values().isEmpty());
    out.fixed8(plain ? CONTRIBUTIONS : NUMBERED_CONTRIBUTIONS);
    long last = 0;
    for (Contribution c : batch.records()) {
      out.signed(c.windowStart() - last)
          .unsigned(c.category())
          .text(c.user())
          .text(c.subject())
          .fixed64(c.rank());
      if (!plain) {
        out.doubles(c.values());
      }
      last = c.windowStart();
    }
  }

  @Override
  public void visit(Drained d) {
    out.fixed8(DRAINED).unsigned(d.source());
  }

  @Override
  public void visit(Candidate c) {
    out.fixed8(CANDIDATE)
        .text(c.output())
        .text(c.query())
        .unsigned(c.index())
        .unsigned(c.candidates())
        .text(c.subject())
        .signed(c.windowStart())
        .doubles(c.parameters())
        .doubles(c.mean());
  }

  @Override
  public void visit(Watermark b) {
    out.fixed8(BOUNDARY).unsigned(b.source()).signed(b.end());
  }

  @Override
  public void visit(Genesis g) {
    out.fixed8(GENESIS).unsigned(g.source()).raw(g.epoch().toBytes());
  }

  @Override
  public void visit(Enrolment e) {
    out.fixed8(ENROLMENT).signed(e.from()).text(e.subject());
  }

  @Override
  public void visit(Departure d) {
    out.fixed8(DEPARTURE).signed(d.from()).text(d.subject());
  }

  @Override
  public void visit(Forgetting f) {
    out.fixed8(FORGETTING).text(f.subject());
  }

  @Override
  public void visit(Skip s) {
    out.fixed8(SKIP).text(s.release());
  }

  @Override
  public void visit(Activation a) {
    out.fixed8(ACTIVATION)
        .unsigned(a.version())
        .signed(a.from())
        .text(a.digest())
        .text(a.noiseKey());
  }

  @Override
  public void visit(VersionEnd e) {
    out.fixed8(VERSION_END)
        .unsigned(e.source())
        .unsigned(e.version())
        .signed(e.from())
        .text(e.digest())
        .text(e.noiseKey());
  }

  @Override
  public void visit(Skipped s) {
    out.fixed8(SKIPPED).unsigned(s.source()).unsigned(s.offset());
  }

  @Override
  public void visit(Seal seal) {
    out.fixed8(SEAL);
  }

  private static boolean isPlain(Observation record) {
    return record.values().isEmpty() && record.rank() == 0;
  }
}
