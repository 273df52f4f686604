// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.RecordPart;
import io.sfumato.serde.RejectionCode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Says how many records did not count, and what to do: once a minute from 5% of the minute's
 * records on, and at once when most records since the start are lost, as after a wrong field name.
 * Counts alone: it names nobody.
 */
public final class DroppedRecords {
  private static final long MINUTE_NANOS = 60_000_000_000L;

  /** Of a minute's records, in percent. */
  private static final long WORTH_A_LINE = 5;

  private final Pipeline pipeline;
  private final OptionalLong sealedAt;

  /** What stood at the end of the last minute. */
  private Counts before = new Counts(0, Map.of());

  private OptionalLong minuteBegan = OptionalLong.empty();

  /** Whether it was said at once that most are lost. */
  private boolean said;

  private volatile Optional<String> standing = Optional.empty();

  /** Numbers of records since the start. */
  private record Counts(long accepted, Map<RejectionCode, Long> lost) {
    long all() {
      return accepted + dropped();
    }

    long dropped() {
      return lost.values().stream().mapToLong(count -> count).sum();
    }

    Counts since(Counts before) {
      Map<RejectionCode, Long> more = new TreeMap<>();
      lost.forEach(
          (code, count) -> {
            long added = count - before.lost.getOrDefault(code, 0L);
            if (added > 0) {
              more.put(code, added);
            }
          });
      return new Counts(accepted - before.accepted, more);
    }
  }

  /**
   * @param sealedAt where the ledger was sealed that the budget began with, milliseconds since
   *     1970: what starts earlier was counted there; nothing where none was imported
   */
  public DroppedRecords(Pipeline pipeline, OptionalLong sealedAt) {
    this.pipeline = pipeline;
    this.sealedAt = sealedAt;
  }

  /**
   * What to say now. To be called every second or so, since it compares with the last call.
   *
   * @param nanos of a clock that never goes back
   * @param accepted records since the start
   * @param rejections of records and others since the start, by reason
   * @return nothing if few are lost, or it was said
   */
  public Optional<String> news(long nanos, long accepted, Map<RejectionCode, Long> rejections) {
    Map<RejectionCode, Long> lost = new TreeMap<>(rejections);
    lost.keySet().removeIf(code -> remedy(code).isEmpty());
    Counts now = new Counts(accepted, lost);
    if (!said && 2 * now.dropped() > now.all()) {
      said = true;
      before = now;
      minuteBegan = OptionalLong.of(nanos);
      standing = Optional.of(told("since the start", now));
      return standing;
    }
    if (minuteBegan.isEmpty()) {
      minuteBegan = OptionalLong.of(nanos);
    }
    if (nanos - minuteBegan.getAsLong() < MINUTE_NANOS) {
      return Optional.empty();
    }
    Counts minute = now.since(before);
    minuteBegan = OptionalLong.of(nanos);
    before = now;
    standing =
        minute.dropped() > 0 && 100 * minute.dropped() >= WORTH_A_LINE * minute.all()
            ? Optional.of(told("in the last minute", minute))
            : Optional.empty();
    return standing;
  }

  /** What was said last, until a minute has passed in which few records were lost. */
  Optional<String> standing() {
    return standing;
  }

  private String told(String when, Counts counts) {
    return counts.lost().entrySet().stream()
        .sorted(Map.Entry.<RejectionCode, Long>comparingByValue().reversed())
        .map(
            cause ->
                "%,d %s: %s"
                    .formatted(
                        cause.getValue(), cause.getKey(), remedy(cause.getKey()).orElseThrow()))
        .collect(
            Collectors.joining(
                "; ",
                "WARNING: %s %,d of %,d records did NOT count: "
                    .formatted(when, counts.dropped(), counts.all()),
                ""));
  }

  /** The reason and what to do about it; nothing of what is no record. */
  private Optional<String> remedy(RejectionCode code) {
    InputSpec input = pipeline.input();
    WindowSpec window = pipeline.window();
    String words =
        switch (code) {
          case LATE -> sealedAt.isPresent() ? lateAfterImport(sealedAt.getAsLong()) : late(window);
          case EARLY ->
              "their times are more than window.ahead (%s) after the last tick. They are lost for this budget. Live data need regular ticks: write 'ticks: here' into the file, or run a ticker. To read a topic's past, stop now, give the pipeline and its budget new names, and start with 'run --catch-up'"
                  .formatted(Durations.word(window.ahead()));
          case TIME_OUT_OF_RANGE ->
              "their times are before 1900, or more than window.max-ahead (%s) after they were sent: check field '%s'"
                  .formatted(Durations.word(window.maxAhead()), input.time());
          case NO_TIME -> "field '%s' is missing: check input.time".formatted(input.time());
          case TIME_UNREADABLE ->
              "field '%s' does not match input.time-format (%s): dead letters name a format that fits"
                  .formatted(input.time(), input.formats().times().format().word());
          case TIME_IMPLAUSIBLE ->
              "read as milliseconds, '%s' is before 1990 or after 2100: dead letters name the input.time-format that fits"
                  .formatted(input.time());
          case NO_SUBJECT -> missing("subject", List.of(input.subject()));
          case NO_USER -> "their user is missing, empty or too long: check input.user";
          case NO_ID -> missing("id", input.id().stream().toList());
          case NO_CATEGORY -> missing("category", input.categoryFields());
          case NULL_KEY -> "they have no key, but the file names $key as a field";
          case UNLISTED_SUBJECT -> "their subjects are not in the file's list 'subjects'";
          case UNKNOWN_CATEGORY ->
              "their categories are not in input.categories: add them, or 'other: NAME' for the"
                  + " rest";
          case BAD_VALUE ->
              "a number is missing, not a number (decimal comma?) or above 1e12: check "
                  + "input.values";
          case MALFORMED ->
              "they are not %s, or have two fields or headers with the same name: check input.format and the producer"
                  .formatted(records(input.format()));
          case SCHEMA_MISMATCH ->
              "their schema lacks a field that the file names, or gives it another type";
          case UNKNOWN_SCHEMA -> "their schema is unknown: check schema.registry.url";
          case TOO_LARGE -> "they are larger than input.max-bytes";
          default -> "";
        };
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }

  private static String records(InputSpec.Format format) {
    return switch (format) {
      case JSON, JSON_SCHEMA -> "JSON objects";
      case AVRO -> "Avro records";
      case PROTOBUF -> "Protobuf messages";
    };
  }

  /** No other budget may be advised: it would release again what was released. */
  private static String late(WindowSpec window) {
    return window.begin().isPresent()
        ? "their windows were closed before they arrived, by ticks or newer records, or end before window.begin (%s). Closed windows stay closed: send history in event-time order"
                .formatted(window.startText(window.begin().getAsLong()))
            + " and do not tick ahead of it. A new budget would read the whole topic again, and "
            + "its loss would add to this one"
        : "their windows were closed before they arrived, by ticks or newer records. Closed "
            + "windows stay closed: send history in event-time order and do not tick ahead of "
            + "it; a longer window.grace waits for late records";
  }

  /** As above: what was counted before would be counted twice. */
  private static String lateAfterImport(long sealedAt) {
    return ("windows that start before %s stay closed, because the former budget counted their "
            + "records before its ledger was imported. Dropping these is correct: no budget may "
            + "count them again. Later windows were closed by ticks or newer records: send new "
            + "records in event-time order, and do not tick ahead of them")
        .formatted(Instant.ofEpochMilli(sealedAt));
  }

  private static String missing(String what, List<String> fields) {
    boolean isOtherPart = fields.size() == 1 && !RecordPart.isField(fields.get(0));
    return isOtherPart
        ? "%s, which the file takes as %s, is missing, empty or too long"
            .formatted(InputSpec.words(fields.get(0)), what)
        : "field '%s' is missing, empty or too long: is input.%s spelt as in the records?"
            .formatted(String.join("' or '", fields), what);
  }
}
