// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.ValueType.Text;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.pipeline.WindowSpec.Ticks;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/** Reads {@code window:} of a pipeline file. */
public final class WindowReader {
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Instant EARLIEST_BEGIN = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LATEST_BEGIN = Instant.parse("2400-01-01T00:00:00Z");
  private static final Duration LONGEST_AHEAD = Duration.ofDays(3650);
  private static final String BEGIN_RULE =
      "a day (UTC) or a time with an offset, from 1900 on: 2026-01-05 or 2026-01-05T12:00:00Z";

  private static final FieldSpec<Duration> SIZE =
      FieldSpec.length("size", Duration.ofMillis(100))
          .means("How long a tumbling window is.")
          .example("1d");

  private static final FieldSpec<Duration> GRACE =
      FieldSpec.length("grace", Duration.ZERO)
          .byDefault(Duration.ZERO)
          .means("How long after a window's end late records still count.")
          .example("1h");

  private static final FieldSpec<Clock> CLOCK =
      FieldSpec.word(
              "clock",
              new Word<>(EnumWords.either("records", Clock.RECORDS, "ticks", Clock.TICKS))
                  .means(
                      "records", "the largest event time in the record's own partition, and ticks.")
                  .means("ticks", "ticks alone. Units user and dataset require it."))
          .byDefault(Clock.RECORDS, "records")
          .means("What advances event time, and so closes windows.")
          .example("ticks");

  private static final FieldSpec<String> ORIGIN =
      FieldSpec.typed("origin", new Text(DAY, "a day: 2026-01-05"))
          .byDefault("1970-01-05")
          .means("A day (UTC) on which some window starts.")
          .example("2026-01-01");

  private static final FieldSpec<String> BEGIN =
      FieldSpec.typed("begin", FieldTypes.text(BEGIN_RULE))
          .optional("required with clock ticks")
          .means(
              "Start of the first window that counts: a day (UTC) or a time with an offset. Public.")
          .where("with clock `ticks`")
          .example("2026-01-05");

  private static final FieldSpec<Duration> AHEAD =
      FieldSpec.length("ahead", Duration.ZERO)
          .byDefault(Duration.ofDays(1))
          .means("How far beyond the later of `begin` and the last tick a record may lie.")
          .where("with clock `ticks`")
          .example("2d");

  private static final FieldSpec<Ticks> TICKS =
      FieldSpec.word(
              "ticks",
              new Word<>(EnumWords.of(Ticks.values()))
                  .means("here", "the instances themselves, for live data.")
                  .means("external", "somebody who signs ticks with the budget's tick key.")
                  .means("trusted", "everybody who may write to the records' topic."))
          .byDefault(Ticks.EXTERNAL, "external")
          .means("Who ticks ([ticks](../concepts/windows.md#ticks)). May change at any restart.")
          .example("here");

  private static final FieldSpec<Duration> LIMIT =
      FieldSpec.length("max-ahead", Duration.ZERO)
          .byDefault(WindowSpec.MAX_AHEAD)
          .means(
              "How far the time of a record or tick may lie beyond the Kafka timestamp of its record,"
                  + " at most 3650d ([clocks that run ahead](../concepts/windows.md#clocks-that-run-ahead)).")
          .example("1h");

  private static final FieldSpec<Integer> MAX_JUMP =
      FieldSpec.count("max-jump", 1, 1_000_000)
          .byDefault(400)
          .means(
              "Over how many windows event time may jump at once. A longer jump stops the program,"
                  + " which asks. Allow for producers whose clocks run ahead.")
          .where("with subjects `roster` or a list")
          .example("1000");

  /** The fields of {@code window:}. */
  public static final Section SECTION =
      Section.of(
          "Tumbling windows of event time, and what closes them.",
          SIZE,
          GRACE,
          CLOCK,
          ORIGIN,
          BEGIN,
          AHEAD,
          TICKS,
          LIMIT,
          MAX_JUMP);

  private WindowReader() {}

  /** The file's window. */
  public static WindowSpec window(Fields fields) {
    Duration size = fields.get(SIZE);
    Duration grace = fields.get(GRACE);
    Clock clock = fields.get(CLOCK);
    String origin = fields.get(ORIGIN);
    OptionalLong begin = begin(fields, clock);
    int maxJump = fields.get(MAX_JUMP);
    Duration ahead = fields.get(AHEAD);
    if (fields.has("ahead") && clock != Clock.TICKS) {
      fields.conflict("ahead", "found with clock 'records'", "only with clock 'ticks'");
    }
    Ticks ticks = fields.get(TICKS);
    Duration maxAhead = maxAhead(fields);
    fields.refuseUnknown();
    WindowSpec window =
        new WindowSpec(
            size, grace, millisOf(fields, origin), clock, begin, maxJump, ahead, ticks, maxAhead);
    begin.ifPresent(time -> requireWindowStart(fields, window, time));
    return window;
  }

  private static Duration maxAhead(Fields fields) {
    Duration maxAhead = fields.get(LIMIT);
    if (maxAhead.compareTo(LONGEST_AHEAD) > 0) {
      fields.problem(
          "max-ahead",
          "found more than 3650d",
          "at most 3650d: it bounds what one record can do to everybody's clock");
      return WindowSpec.MAX_AHEAD;
    }
    return maxAhead;
  }

  private static OptionalLong begin(Fields fields, Clock clock) {
    Optional<String> text = fields.optional(BEGIN);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    if (clock != Clock.TICKS) {
      fields.conflict("begin", "found with clock 'records'", "only with clock 'ticks'");
    }
    OptionalLong time = timeOf(text.get());
    if (time.isEmpty() && !text.get().equals("x")) {
      fields.problem("begin", "found '" + text.get() + "'", BEGIN_RULE);
    }
    return time;
  }

  /** A day (UTC), or a time with an offset, of this or the neighbouring centuries. */
  private static OptionalLong timeOf(String text) {
    try {
      Instant time =
          OffsetDateTime.parse(DAY.matcher(text).matches() ? text + "T00:00:00Z" : text)
              .toInstant();
      return time.isBefore(EARLIEST_BEGIN) || time.isAfter(LATEST_BEGIN)
          ? OptionalLong.empty()
          : OptionalLong.of(time.toEpochMilli());
    } catch (DateTimeParseException e) {
      return OptionalLong.empty();
    }
  }

  /** Where windows begin must be a place where one does. */
  private static void requireWindowStart(Fields fields, WindowSpec window, long begin) {
    long start = window.startOf(begin);
    if (start != begin) {
      fields.conflict(
          "begin",
          "found " + WindowSpec.beginText(begin) + ", within a window",
          "a window's start, such as %s or %s"
              .formatted(WindowSpec.beginText(start), WindowSpec.beginText(window.endOf(start))));
    }
  }

  private static long millisOf(Fields fields, String day) {
    try {
      return LocalDate.parse(day).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeParseException e) {
      if (!day.equals("x")) {
        fields.problem("origin", "found '" + day + "'", "a day of the calendar: 2026-01-05");
      }
      return 0;
    }
  }
}
