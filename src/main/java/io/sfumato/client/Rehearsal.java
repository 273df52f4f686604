// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.runtime.RefusedException;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.RejectionCode;
import io.sfumato.serde.SchemaSource;
import io.sfumato.topology.setting.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Whether a pipeline of JSON can read some records, before it is started: by their format alone,
 * whoever they are about and whenever they were.
 */
public final class Rehearsal {
  private final Pipeline pipeline;
  private final EventReader reader;
  private final Map<String, Long> reasons = new HashMap<>();
  private long readable;

  private Rehearsal(Pipeline pipeline) {
    this.pipeline = pipeline;
    this.reader = EventReader.of(pipeline, SchemaSource.none());
  }

  /**
   * Of a file's first lines, sent as {@code sfumato produce} does.
   *
   * @throws RefusedException if the file cannot be read or lacks a column
   */
  public static Rehearsal ofCsv(Pipeline pipeline, Path csv, EventTimes times, long most)
      throws RefusedException {
    Rehearsal rehearsal = new Rehearsal(pipeline);
    EventFields fields = EventFields.of(pipeline, EventFields.Columns.asNamed());
    CsvEvents events = CsvEvents.head(csv, fields, CsvEvents.Encoding.JSON, times, most);
    events.rejects().forEach(reject -> rehearsal.refuse(reject.reason()));
    for (CsvEvents.Row row : events.events()) {
      if (row.time().isPresent()) {
        rehearsal.read(
            row.key().getBytes(StandardCharsets.UTF_8), row.value(), times.now().toEpochMilli());
      }
    }
    return rehearsal;
  }

  /** Of a topic's records; ticks are none. */
  public static Rehearsal ofRecords(
      Pipeline pipeline, List<ConsumerRecord<byte[], byte[]>> records) {
    Rehearsal rehearsal = new Rehearsal(pipeline);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      if (record.headers().lastHeader(Names.TICK_HEADER) == null) {
        rehearsal.read(record.key(), record.value(), record.timestamp());
      }
    }
    return rehearsal;
  }

  private void read(byte[] key, byte[] value, long timestamp) {
    try {
      reader.read(key, value, timestamp);
      readable++;
    } catch (RejectedRecordException e) {
      refuse(words(e.code()));
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

  private String words(RejectionCode code) {
    InputSpec input = pipeline.input();
    return switch (code) {
      case NO_SUBJECT -> missing(input.subject(), "--subject");
      case NO_USER -> missing(pipeline.population().orElseThrow().user(), "--user");
      case NO_CATEGORY -> missing(String.join("' or '", input.categoryFields()), "--category");
      case NO_TIME ->
          "field '%s' is missing, or no ISO-8601 time with an offset and no milliseconds: whoever writes the records adds the offset, or name another field with --time"
              .formatted(input.time());
      case TIME_OUT_OF_RANGE ->
          "field '%s' is before 1900, or further than window.max-ahead after the moment it was sent: name another with --time"
              .formatted(input.time());
      case BAD_VALUE ->
          "a number is missing, no number (3.50 is one, 3,50 is none) or beyond 1e12: mend the records, or name other fields with --value";
      case NULL_KEY -> "the record has no key, which is to name somebody: name a field instead";
      case NULL_VALUE -> "the record has no value";
      case MALFORMED -> "the record is no JSON object: 'format: avro' reads Avro";
      case TOO_LARGE -> "the record is larger than input.max-bytes";
      default -> code.name();
    };
  }

  private static String missing(String field, String option) {
    return "field '%s' is missing, empty or too long: name another with %s"
        .formatted(field, option);
  }
}
