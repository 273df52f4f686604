// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import io.sfumato.audit.AuditLog.Channel;
import io.sfumato.audit.AuditLog.Entry;
import io.sfumato.audit.AuditLog.Fact;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.abc.AbcSpec;
import io.sfumato.schema.AbcCandidate;
import io.sfumato.schema.ControlCommand;
import io.sfumato.schema.ControlEntry;
import io.sfumato.serde.Outputs;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Writes a log, entry by entry; each has a Kafka timestamp of its own. */
final class LogWriter {
  private static final long BETWEEN_ENTRIES = 1000;

  private final Pipeline pipeline;
  private final RecordMaker records;
  private final MadeUpNames names;
  private final List<Entry> entries = new ArrayList<>();
  private long timestamp;

  /**
   * @param timestamp of the first entry: after all event times, so that none is too far ahead
   */
  LogWriter(Pipeline pipeline, long timestamp) {
    this(List.of(pipeline), timestamp);
  }

  /**
   * A log for several versions of a pipeline.
   *
   * @param timestamp as above
   */
  LogWriter(List<Pipeline> versions, long timestamp) {
    this.pipeline = versions.get(versions.size() - 1);
    this.records = new RecordMaker(versions);
    this.names = new MadeUpNames(pipeline);
    this.timestamp = timestamp;
  }

  AuditLog log() {
    return new AuditLog(entries);
  }

  private void add(
      Channel channel, byte[] key, byte[] value, OptionalLong tick, Optional<Fact> fact) {
    entries.add(new Entry(channel, key, value, tick, timestamp, fact));
    timestamp += BETWEEN_ENTRIES;
  }

  private Fact fact(String who, String subject, long time, int kind, boolean valid) {
    long start = pipeline.window().startOf(time);
    String doer = names.doer(pipeline.population().isPresent() ? who : subject);
    return new Fact(doer, names.subject(subject), start, time, kind, valid);
  }

  /** A record of somebody, at a time that its format can hold: at the minute before, perhaps. */
  void record(String who, String subject, long time, int kind) {
    Fact fact = fact(who, subject, records.held(time), kind, true);
    String user = names.user(who);
    add(
        Channel.RECORDS,
        records.key(user, fact.subject()),
        records.value(user, fact.subject(), fact.time(), kind),
        OptionalLong.empty(),
        Optional.of(fact));
  }

  /** A record of somebody that nobody can read. */
  void broken(String who, String subject, long time) {
    add(
        Channel.RECORDS,
        records.key(names.user(who), names.subject(subject)),
        "{\"no\": ".getBytes(StandardCharsets.UTF_8),
        OptionalLong.empty(),
        Optional.of(fact(who, subject, time, 0, false)));
  }

  void tick(long time) {
    add(Channel.RECORDS, null, null, OptionalLong.of(time), Optional.empty());
  }

  void enrol(String subject, long from) {
    command(ControlCommand.ENROL, subject, from);
  }

  void leave(String subject, long from) {
    command(ControlCommand.LEAVE, subject, from);
  }

  void forget(String subject) {
    ControlEntry entry =
        ControlEntry.newBuilder()
            .setCommand(ControlCommand.FORGET)
            .setSubject(names.doer(subject))
            .build();
    add(Channel.CONTROL, null, Outputs.encode(entry), OptionalLong.empty(), Optional.empty());
  }

  private void command(ControlCommand command, String subject, long from) {
    ControlEntry entry =
        ControlEntry.newBuilder()
            .setCommand(command)
            .setSubject(names.subject(subject))
            .setFrom(Instant.ofEpochMilli(from))
            .build();
    add(Channel.CONTROL, null, Outputs.encode(entry), OptionalLong.empty(), Optional.empty());
  }

  /** One candidate of a query; its pseudo-data is all of one category, or of one place. */
  void ask(
      AbcSpec spec, String query, int index, int candidates, String subject, long start, int like) {
    AbcCandidate.Builder candidate =
        AbcCandidate.newBuilder()
            .setOutput(spec.name())
            .setQueryId(query)
            .setCandidate(index)
            .setCandidates(candidates)
            .setSubject(names.subject(subject))
            .setWindowStart(Instant.ofEpochMilli(start))
            .setParameters(List.of((double) index));
    if (spec.measure() instanceof DistanceMeasure.Features || ofNumbers(spec)) {
      candidate.setValues(List.of(records.numbers(like), records.numbers(like + index)));
    }
    if (spec.measure() instanceof DistanceMeasure.Categories || ofCategories(spec)) {
      List<Long> counts = new ArrayList<>();
      int categories = pipeline.input().allCategories().size();
      for (int i = 0; i < categories; i++) {
        counts.add((i == like % categories ? 4L : 0L) + (i == index % categories ? 1L : 0L));
      }
      candidate.setCounts(counts);
    }
    add(
        Channel.CANDIDATES,
        null,
        Outputs.encode(candidate.build()),
        OptionalLong.empty(),
        Optional.empty());
  }

  private static boolean ofNumbers(AbcSpec spec) {
    return spec.measure() instanceof DistanceMeasure.OfSummaries of && of.summaries().needNumbers();
  }

  private static boolean ofCategories(AbcSpec spec) {
    return spec.measure() instanceof DistanceMeasure.OfSummaries of
        && of.summaries().needCategories();
  }
}
