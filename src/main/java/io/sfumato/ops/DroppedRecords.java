// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Lengths;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.serde.RejectionCode;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * Says it loudly when most records do not count, as after a wrong field name or a tick too far:
 * why, and what to do. Counts alone: it names nobody.
 */
public final class DroppedRecords {
  /** The same is said again when this many times as many records have come. */
  private static final long AGAIN = 10;

  private final Pipeline pipeline;
  private final OptionalLong sealedAt;
  private Optional<RejectionCode> said = Optional.empty();
  private long saidAt;

  /**
   * @param sealedAt where the ledger was sealed that the budget began with, milliseconds since
   *     1970: what starts earlier was counted there; nothing where none was imported
   */
  public DroppedRecords(Pipeline pipeline, OptionalLong sealedAt) {
    this.pipeline = pipeline;
    this.sealedAt = sealedAt;
  }

  /**
   * What to say now.
   *
   * @param accepted records
   * @param rejections of records and others, by reason
   * @return nothing if most records count, or this was said
   */
  public Optional<String> news(long accepted, Map<RejectionCode, Long> rejections) {
    Map<RejectionCode, Long> dropped = new TreeMap<>(rejections);
    dropped.keySet().removeIf(code -> remedy(code).isEmpty());
    long lost = dropped.values().stream().mapToLong(count -> count).sum();
    long all = accepted + lost;
    if (2 * lost <= all) {
      return Optional.empty();
    }
    RejectionCode most =
        dropped.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow().getKey();
    if (said.equals(Optional.of(most)) && all < AGAIN * saidAt) {
      return Optional.empty();
    }
    said = Optional.of(most);
    saidAt = all;
    return Optional.of(
        "WARNING: %,d of %,d records do NOT count, %,d of them as %s: %s"
            .formatted(lost, all, dropped.get(most), most, remedy(most).orElseThrow()));
  }

  /** The reason and what to do about it; nothing of what is no record. */
  private Optional<String> remedy(RejectionCode code) {
    InputSpec input = pipeline.input();
    WindowSpec window = pipeline.window();
    String words =
        switch (code) {
          case LATE -> sealedAt.isPresent() ? lateAfterImport(sealedAt.getAsLong()) : late(window);
          case EARLY ->
              "they lie further than window.ahead (%s) beyond the last tick. Tick between them: 'sfumato produce FILE.yaml --csv ...' does, and 'run --auto-tick' for live data"
                  .formatted(Lengths.word(window.ahead()));
          case TIME_OUT_OF_RANGE ->
              "their times are before 1900, or more than window.max-ahead (%s) after the moment they were sent: look at field '%s'"
                  .formatted(Lengths.word(window.maxAhead()), input.time());
          case NO_TIME ->
              "field '%s' is missing, or no ISO-8601 time with an offset and no milliseconds: look at input.time"
                  .formatted(input.time());
          case NO_SUBJECT -> missing("subject", input.subject());
          case NO_USER ->
              "their user is missing, empty or too long: look at the field that the file names for it";
          case NO_CATEGORY -> missing("category", String.join("' or '", input.categoryFields()));
          case NULL_KEY -> "the file takes the record's key as a name, and the key is missing";
          case UNLISTED_SUBJECT -> "the file lists its subjects, and theirs are not among them";
          case UNKNOWN_CATEGORY ->
              "their categories are not in input.categories: add them, or 'other: NAME' for the rest";
          case BAD_VALUE ->
              "a number is missing, is none (a decimal comma?), or lies beyond 1e12: look at input.values";
          case MALFORMED ->
              "they are no %s: look at input.format"
                  .formatted(
                      input.format() == InputSpec.Format.JSON ? "JSON objects" : "Avro records");
          case SCHEMA_MISMATCH ->
              "their schema lacks a field that the file names, or has it with another type";
          case UNKNOWN_SCHEMA ->
              "nobody knows their schema: look at input.schema and schema.registry.url";
          case TOO_LARGE -> "they are larger than input.max-bytes";
          case NULL_VALUE -> "they have no value";
          default -> "";
        };
    return words.isEmpty() ? Optional.empty() : Optional.of(words);
  }

  /** No other budget may be advised: it would release again what was released. */
  private static String late(WindowSpec window) {
    return window.begin().isPresent()
        ? "their windows closed before they came, by ticks or newer records, or end before"
            + " window.begin (%s). Closed windows stay closed: send history in event-time order"
                .formatted(WindowSpec.beginText(window.begin().getAsLong()))
            + " and tick no further than it. Another budget would read all of the topic again, and"
            + " its losses would add"
        : "their windows closed before they came, by ticks or newer records. Closed windows stay"
            + " closed: send history in event-time order and tick no further than it; a longer"
            + " window.grace waits for stragglers";
  }

  /** As above: what was counted before would be counted twice. */
  private static String lateAfterImport(long sealedAt) {
    return ("a ledger was imported, and windows that start before %s stay closed: their records were"
            + " read on the budget that it comes from. Of these it is right, and no other budget may"
            + " read them again, or they count twice. Later windows were closed by ticks or newer records:"
            + " send what is new in event-time order, and tick no further than it")
        .formatted(Instant.ofEpochMilli(sealedAt));
  }

  private static String missing(String what, String field) {
    return field.equals(InputSpec.RECORD_KEY)
        ? "the record's key, which the file takes as %s, is missing, empty or too long"
            .formatted(what)
        : "field '%s' is missing, empty or too long: is input.%s spelt as in the records?"
            .formatted(field, what);
  }
}
