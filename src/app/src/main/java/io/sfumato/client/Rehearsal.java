// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.EnumWords;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SchemaSource;
import io.sfumato.serde.SourceRecord;
import io.sfumato.topology.context.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Whether a pipeline of JSON can read some records, before it is started: by their format alone,
 * whoever they are about and whenever they were.
 */
public final class Rehearsal {
  private final Pipeline pipeline;
  private final EventReader reader;
  private final Map<String, Long> reasons = new HashMap<>();
  private long readable;

  private Rehearsal(Pipeline pipeline, SchemaSource schemas) {
    this.pipeline = pipeline;
    this.reader = EventReader.of(pipeline, schemas);
  }

  /**
   * Of a file's first lines, sent as {@code sfumato produce} does.
   *
   * @throws RefusedException if the file cannot be read or lacks a column
   */
  public static Rehearsal ofCsv(Pipeline pipeline, Path csv, CellRules rules, long most)
      throws RefusedException {
    Rehearsal rehearsal = new Rehearsal(pipeline, SchemaSource.none());
    EventFields fields = EventFields.of(pipeline, EventFields.Columns.asNamed());
    CsvEvents events = CsvEvents.head(csv, fields, CsvEvents.Encoding.JSON, rules, most);
    events.rejects().forEach(reject -> rehearsal.refuse(reject.reason()));
    for (CsvEvents.Row row : events.events()) {
      if (row.time().isPresent()) {
        rehearsal.read(
            new SourceRecord(
                topic(pipeline),
                row.key().getBytes(StandardCharsets.UTF_8),
                row.value(),
                rules.times().now().toEpochMilli(),
                new RecordHeaders()));
      }
    }
    return rehearsal;
  }

  /** The topic that a file's lines stand for: the first of several. */
  private static String topic(Pipeline pipeline) {
    return pipeline.input().topics().names().stream().findFirst().orElse("");
  }

  /** Of a topic's records; ticks are none. */
  public static Rehearsal ofRecords(
      Pipeline pipeline, List<ConsumerRecord<byte[], byte[]>> records, SchemaSource schemas) {
    Rehearsal rehearsal = new Rehearsal(pipeline, schemas);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.headers().lastHeader(Names.TICK_HEADER) == null) {
        rehearsal.read(SourceRecord.of(record));
      }
    }
    return rehearsal;
  }

  private void read(SourceRecord record) {
    try {
      if (reader.read(record).isPresent()) {
        readable++;
      }
    } catch (RejectedRecordException e) {
      refuse(e.hint().isPresent() ? words(e.code(), e.hint().get()) : words(e.code()));
    }
  }

  private void refuse(String reason) {
    reasons.merge(reason, 1L, Long::sum);
  }

  /** Records that were looked at. */
  public long records() {
    return readable + reasons.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Those whose fields hold what the pipeline reads there. */
  public long readable() {
    return readable;
  }

  /** Why most of those that cannot be read cannot; nothing if all can. */
  public Optional<String> commonest() {
    return reasons.entrySet().stream()
        .max(Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey);
  }

  private String words(RejectionCode code, String hint) {
    return switch (code) {
      case NO_SUBJECT, NO_USER, NO_CATEGORY, MALFORMED -> hint;
      default -> words(code);
    };
  }

  private String words(RejectionCode code) {
    InputSpec input = pipeline.input();
    return switch (code) {
      case NO_SUBJECT -> missing(input.subject(), "--subject");
      case NO_USER -> missing(pipeline.population().orElseThrow().user(), "--user");
      case NO_CATEGORY -> missing(String.join("' or '", input.categoryFields()), "--category");
      case NO_TIME ->
          "'%s' is missing: name another field for the time with --time".formatted(input.time());
      case TIME_UNREADABLE ->
          "'%s' does not match time-format %s: give another format with --time-format, or name another field with --time"
              .formatted(input.time(), input.formats().times().format().word());
      case TIME_IMPLAUSIBLE ->
          "read as milliseconds, '%s' is before 1990 or after 2100: give its format with --time-format"
              .formatted(input.time());
      case TIME_OUT_OF_RANGE ->
          "field '%s' is before 1900, or more than window.max-ahead after the record was sent: name another field with --time"
              .formatted(input.time());
      case BAD_VALUE ->
          "a number is missing, not a number (decimal comma?) or above 1e12: correct the "
              + "records, or name other fields with --value";
      case NULL_KEY ->
          "the record has no key, but the key is to be the user or subject: name a "
              + "field instead";
      case MALFORMED ->
          "the record is not of the format %s".formatted(EnumWords.word(input.format()));
      case TOO_LARGE -> "the record is larger than input.max-bytes";
      default -> code.name();
    };
  }

  private static String missing(String field, String option) {
    return "field '%s' is missing, empty or too long: name another with %s"
        .formatted(field, option);
  }
}
