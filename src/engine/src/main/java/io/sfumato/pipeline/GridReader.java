// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads how {@code window:} cuts event time. */
final class GridReader {
  /** 1970-01-05, the default. */
  private static final LocalDate MONDAY = LocalDate.ofEpochDay(4);

  private static final LocalDate FIRST_OF_MONTH = LocalDate.ofEpochDay(0);
  private static final int DAYS_OF_WEEK = 7;
  private static final int DAYS_OF_EVERY_MONTH = 28;
  private static final Duration SHORTEST_LOCAL = Duration.ofMinutes(1);

  /** The fields that say it. */
  record Cut(
      FieldSpec<CalendarLength> size,
      FieldSpec<String> zone,
      FieldSpec<DayOfWeek> weekStart,
      FieldSpec<String> origin) {}

  private final Fields fields;
  private final CalendarLength size;
  private final Optional<DayOfWeek> weekStart;
  private final Optional<String> origin;

  private GridReader(Fields fields, Cut cut) {
    this.fields = fields;
    this.size = fields.get(cut.size());
    this.weekStart = fields.optional(cut.weekStart());
    this.origin = fields.optional(cut.origin());
    checkWeekStart();
  }

  /** The grid of a file, or another one where the file is wrong. */
  static WindowGrid grid(Fields fields, Cut cut) {
    GridReader reader = new GridReader(fields, cut);
    Optional<ZoneId> zone = zone(fields, fields.optional(cut.zone()));
    return zone.isPresent() ? reader.calendar(zone.get()) : reader.fixed(fields.has("zone"));
  }

  private static Optional<ZoneId> zone(Fields fields, Optional<String> name) {
    try {
      return name.map(ZoneId::of);
    } catch (DateTimeException e) {
      fields.problem("zone", "found '" + name.orElse("") + "'", InputFields.ZONE_RULE);
      return Optional.empty();
    }
  }

  /** First instant of a day: in UTC, or in the zone of a calendar. */
  static long startOfDay(LocalDate day, WindowGrid grid) {
    return grid instanceof CalendarWindows windows
        ? windows.startOfDay(day)
        : day.atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
  }

  private void checkWeekStart() {
    if (weekStart.isEmpty()) {
      return;
    }
    boolean weeks = !size.isMonths() && size.time().toMillis() % Duration.ofDays(7).toMillis() == 0;
    if (!weeks) {
      fields.conflict(
          "week-start", "found with 'size: " + size.word() + "'", "only with whole weeks: 1w");
    }
    if (origin.isPresent()) {
      fields.conflict("week-start", "found with 'origin'", "one of the two");
    }
  }

  /** The day from which windows are counted that files without an origin mean. */
  private LocalDate usualOrigin() {
    return size.isMonths()
        ? FIRST_OF_MONTH
        : MONDAY.minusDays(
            weekStart
                .map(day -> Math.floorMod(DAYS_OF_WEEK + 1 - day.getValue(), DAYS_OF_WEEK))
                .orElse(0));
  }

  private WindowGrid fixed(boolean hasWrongZone) {
    if (size.isMonths() && !hasWrongZone) {
      fields.conflict(
          "size",
          "found '" + size.word() + "' without 'zone'",
          "with the zone whose months are meant: zone: Europe/Berlin, or zone: UTC");
    }
    Duration length = size.isMonths() ? Duration.ofDays(DAYS_OF_EVERY_MONTH) : size.time();
    long usual = usualOrigin().atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    return new FixedWindows(length, origin.map(this::timeOf).orElse(usual));
  }

  private long timeOf(String text) {
    try {
      return text.contains("T")
          ? OffsetDateTime.parse(text).toInstant().toEpochMilli()
          : LocalDate.parse(text).atStartOfDay().toInstant(ZoneOffset.UTC).toEpochMilli();
    } catch (DateTimeParseException e) {
      notRead(text);
      return 0;
    }
  }

  private void notRead(String text) {
    if (!text.equals("x")) {
      fields.problem(
          "origin",
          "found '" + text + "'",
          "a day of the calendar: 2026-01-05; or a time with an offset");
    }
  }

  private WindowGrid calendar(ZoneId zone) {
    LocalDate day = origin.map(this::dayOf).orElseGet(this::usualOrigin);
    CalendarUnit unit = unit(day);
    boolean months = unit instanceof CalendarUnit.Months;
    return new CalendarWindows(
        zone.getId(),
        zone.getRules(),
        unit,
        months && day.getDayOfMonth() > DAYS_OF_EVERY_MONTH ? FIRST_OF_MONTH : day);
  }

  private LocalDate dayOf(String text) {
    if (text.contains("T")) {
      fields.conflict("origin", "found '" + text + "' with 'zone'", "a local day: 2026-01-05");
      return MONDAY;
    }
    try {
      return LocalDate.parse(text);
    } catch (DateTimeParseException e) {
      notRead(text);
      return MONDAY;
    }
  }

  private CalendarUnit unit(LocalDate day) {
    Optional<CalendarUnit> unit = size.unit();
    boolean tooShort = !size.isMonths() && size.time().compareTo(SHORTEST_LOCAL) < 0;
    if (unit.isEmpty() || tooShort) {
      fields.conflict(
          "size",
          "found '" + size.word() + "' with 'zone'",
          "whole days, weeks or months (1d, 2w, 3mo), or from 1m to less than a day (6h)");
      return new CalendarUnit.Days(1);
    }
    if (size.isMonths() && day.getDayOfMonth() > DAYS_OF_EVERY_MONTH) {
      fields.conflict(
          "origin", "found '" + day + "' with months", "one of the first 28 days of a month");
    }
    return unit.get();
  }
}
