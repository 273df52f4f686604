// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

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
  private static final Pattern FIELD = Pattern.compile("\\S(.{0,198}\\S)?");
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Instant EARLIEST_BEGIN = Instant.parse("1900-01-01T00:00:00Z");
  private static final Instant LATEST_BEGIN = Instant.parse("2400-01-01T00:00:00Z");
  private static final Duration LONGEST_AHEAD = Duration.ofDays(3650);
  private static final String BEGIN_RULE =
      "a day (UTC) or a time with an offset, from 1900 on: 2026-01-05 or 2026-01-05T12:00:00Z";

  private WindowReader() {}

  /** The file's window. */
  public static WindowSpec window(Fields fields) {
    Duration size = fields.duration("size", Duration.ofMillis(100), Optional.empty());
    Duration grace = fields.duration("grace", Duration.ZERO, Optional.of(Duration.ZERO));
    Clock clock =
        fields.choice(
            "clock",
            EnumWords.either("records", Clock.RECORDS, "ticks", Clock.TICKS),
            Optional.of(Clock.RECORDS));
    String origin = fields.optionalText("origin", DAY, "a day: 2026-01-05").orElse("1970-01-05");
    OptionalLong begin = begin(fields, clock);
    int maxJump = (int) fields.whole("max-jump", 1, 1_000_000, Optional.of(400L));
    Duration ahead = fields.duration("ahead", Duration.ZERO, Optional.of(Duration.ofDays(1)));
    if (fields.has("ahead") && clock != Clock.TICKS) {
      fields.conflict("ahead", "found with clock 'records'", "only with clock 'ticks'");
    }
    Ticks ticks = fields.choice("ticks", EnumWords.of(Ticks.values()), Optional.of(Ticks.EXTERNAL));
    Duration maxAhead = maxAhead(fields);
    fields.refuseUnknown();
    WindowSpec window =
        new WindowSpec(
            size, grace, millisOf(fields, origin), clock, begin, maxJump, ahead, ticks, maxAhead);
    begin.ifPresent(time -> requireWindowStart(fields, window, time));
    return window;
  }

  private static Duration maxAhead(Fields fields) {
    Duration maxAhead =
        fields.duration("max-ahead", Duration.ZERO, Optional.of(WindowSpec.MAX_AHEAD));
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
    Optional<String> text = fields.optionalText("begin", FIELD, BEGIN_RULE);
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
