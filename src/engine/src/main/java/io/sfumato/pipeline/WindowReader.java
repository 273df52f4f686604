// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.pipeline.ValueType.LengthOrMonths;
import io.sfumato.pipeline.ValueType.Text;
import io.sfumato.pipeline.ValueType.Word;
import io.sfumato.pipeline.WindowSpec.Clock;
import io.sfumato.pipeline.WindowSpec.Ticks;
import io.sfumato.window.WindowGrid;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
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
  private static final Pattern ORIGIN_TEXT = Pattern.compile("\\d{4}-\\d{2}-\\d{2}(?:T\\S+)?");
  private static final String ORIGIN_RULE = "a day: 2026-01-05, or 2026-01-05T06:00:00+01:00";

  private static final FieldSpec<CalendarLength> SIZE =
      FieldSpec.typed("size", new LengthOrMonths(Duration.ofMillis(100)))
          .means(
              "How long a tumbling window is: a length of time in UTC, or with `zone` local days,"
                  + " weeks, months, or parts of a day.")
          .example("1d");

  private static final FieldSpec<String> ZONE =
      FieldSpec.typed("zone", new Text(InputFields.ANY, InputFields.ZONE_RULE))
          .optional("UTC, in windows of one length")
          .means(
              "The time zone whose local days cut event time"
                  + " ([local days](../concepts/windows.md#local-days)). `input.zone` is another"
                  + " matter: how times without an offset are read.")
          .example("Europe/Berlin");

  private static final FieldSpec<DayOfWeek> WEEK_START =
      FieldSpec.word("week-start", new Word<>(EnumWords.of(DayOfWeek.values())))
          .optional("monday")
          .means("The day on which weeks start.")
          .where("with a `size` of whole weeks, without `origin`")
          .example("sunday");

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
      FieldSpec.typed("origin", new Text(ORIGIN_TEXT, ORIGIN_RULE))
          .optional("`1970-01-05`, a Monday; of months `1970-01-01`")
          .means(
              "A day on which some window starts: in UTC, or a local day of `zone`. Without `zone` it"
                  + " may be a time with an offset.")
          .example("2026-01-01");

  private static final FieldSpec<String> BEGIN =
      FieldSpec.typed("begin", FieldTypes.text(BEGIN_RULE))
          .optional("required with clock ticks")
          .means(
              "Start of the first window that counts: a day (UTC, or a local day of `zone`) or a time"
                  + " with an offset. Public.")
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
          ZONE,
          WEEK_START,
          ORIGIN,
          BEGIN,
          AHEAD,
          TICKS,
          LIMIT,
          MAX_JUMP);

  private WindowReader() {}

  /** The file's window. */
  public static WindowSpec window(Fields fields) {
    WindowGrid grid = GridReader.grid(fields, new GridReader.Cut(SIZE, ZONE, WEEK_START, ORIGIN));
    Duration grace = fields.get(GRACE);
    Clock clock = fields.get(CLOCK);
    OptionalLong begin = begin(fields, clock, grid);
    int maxJump = fields.get(MAX_JUMP);
    Duration ahead = fields.get(AHEAD);
    if (fields.has("ahead") && clock != Clock.TICKS) {
      fields.conflict("ahead", "found with clock 'records'", "only with clock 'ticks'");
    }
    Ticks ticks = fields.get(TICKS);
    Duration maxAhead = maxAhead(fields);
    fields.refuseUnknown();
    WindowSpec window = new WindowSpec(grid, grace, clock, begin, maxJump, ahead, ticks, maxAhead);
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

  private static OptionalLong begin(Fields fields, Clock clock, WindowGrid grid) {
    Optional<String> text = fields.optional(BEGIN);
    if (text.isEmpty()) {
      return OptionalLong.empty();
    }
    if (clock != Clock.TICKS) {
      fields.conflict("begin", "found with clock 'records'", "only with clock 'ticks'");
    }
    OptionalLong time = timeOf(text.get(), grid);
    if (time.isEmpty() && !text.get().equals("x")) {
      fields.problem("begin", "found '" + text.get() + "'", BEGIN_RULE);
    }
    return time;
  }

  /** A day, or a time with an offset, of this or the neighbouring centuries. */
  private static OptionalLong timeOf(String text, WindowGrid grid) {
    try {
      long time =
          DAY.matcher(text).matches()
              ? GridReader.startOfDay(LocalDate.parse(text), grid)
              : OffsetDateTime.parse(text).toInstant().toEpochMilli();
      return time < EARLIEST_BEGIN.toEpochMilli() || time > LATEST_BEGIN.toEpochMilli()
          ? OptionalLong.empty()
          : OptionalLong.of(time);
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
          "found " + window.startText(begin) + ", within a window",
          "a window's start, such as %s or %s"
              .formatted(window.startText(start), window.startText(window.endOf(start))));
    }
  }
}
