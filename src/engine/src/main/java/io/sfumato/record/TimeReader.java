// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import io.sfumato.record.TimeReading.Implausible;
import io.sfumato.record.TimeReading.Missing;
import io.sfumato.record.TimeReading.Time;
import io.sfumato.record.TimeReading.Unreadable;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalQueries;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads times in one format.
 *
 * @param format how they are written
 * @param zone of times without an offset; without it these are unreadable
 */
public record TimeReader(TimeFormat format, Optional<ZoneId> zone) {
  /** The longest text that is looked at. */
  private static final int MOST_UNITS = 100;

  /** Date, time of day, fraction of a second, what follows. */
  private static final Pattern MACHINE =
      Pattern.compile(
          "(\\d{4})-(\\d\\d)-(\\d\\d)[Tt ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d+))?)?(.*)");

  /** Digits and punctuation alone, which are no name. */
  private static final Pattern FORM = Pattern.compile("[0-9 .,:;/+-]*[0-9][0-9 .,:;/+-]*");

  private static final Pattern DIGIT = Pattern.compile("[0-9]");

  private static final Pattern DATE = Pattern.compile("\\d{4}-\\d\\d-\\d\\d");

  /** Sign, hours and perhaps minutes and seconds. */
  private static final Pattern OFFSET =
      Pattern.compile("([+-])(\\d\\d)(?::?(\\d\\d)(?::?(\\d\\d))?)?");

  private static final Pattern ISO_OFFSET = Pattern.compile("[+-]\\d\\d:\\d\\d(:\\d\\d)?|Z");

  /** An abbreviation such as CET, which several zones share. */
  private static final Pattern ABBREVIATION = Pattern.compile("[A-Za-z]{2,5}");

  /** Zones whose names only they have: a region and a place, UTC, or an offset. */
  private static final Pattern UNIQUE_ZONE = Pattern.compile(".*/.*|Z|(UTC|GMT|UT)?([+-][0-9:]+)?");

  private static final String SHARED =
      "ends with a zone's abbreviation, which several zones share: write an offset such as +01:00";

  private static final String NO_TIME = "is no number that a time can be";

  private static final String EXAMPLE = "2026-01-05T14:05:00+01:00";

  /** The usual format, of times with an offset. */
  public static TimeReader auto() {
    return new TimeReader(new TimeFormat.Auto(), Optional.empty());
  }

  /** Reads a text. */
  public TimeReading text(String found) {
    String text = JsonNumber.trimmed(found);
    if (text.isEmpty()) {
      return new Missing();
    }
    if (text.length() > MOST_UNITS) {
      return new Unreadable("is too long for a time");
    }
    if (format instanceof TimeFormat.Pattern pattern) {
      return byPattern(text, pattern);
    }
    if (JsonNumber.isNumber(text)) {
      return number(text);
    }
    return format instanceof TimeFormat.Epoch
        ? new Unreadable("is no number, which time-format %s needs".formatted(format.word()))
        : machine(text);
  }

  /**
   * Reads a number.
   *
   * @param number in JSON's grammar
   */
  public TimeReading number(String number) {
    if (number.length() > MOST_UNITS) {
      return new Unreadable("has too many digits for a time");
    }
    try {
      return number(new BigDecimal(number));
    } catch (NumberFormatException | ArithmeticException e) {
      // Its power of ten is beyond what a decimal holds.
      return new Unreadable(NO_TIME);
    }
  }

  /** Reads a number. */
  public TimeReading number(BigDecimal units) {
    if (format instanceof TimeFormat.Epoch epoch) {
      return time(epoch.millis(units));
    }
    if (!(format instanceof TimeFormat.Auto)) {
      return new Unreadable(
          "is a number, which time-format %s does not read%s"
              .formatted(format.word(), fitting(units)));
    }
    return TimeFormat.Epoch.MILLISECONDS.isPlausible(units)
        ? time(units)
        : new Implausible(TimeFormat.Epoch.fitting(units));
  }

  private static String fitting(BigDecimal units) {
    return TimeFormat.Epoch.fitting(units)
        .map(format -> ": %s would fit".formatted(format.word()))
        .orElse("");
  }

  private static TimeReading time(BigDecimal millis) {
    return Decimals.floor(millis)
        .map(found -> (TimeReading) new Time(found))
        .orElseGet(() -> new Unreadable(NO_TIME));
  }

  private TimeReading byPattern(String text, TimeFormat.Pattern pattern) {
    try {
      TemporalAccessor read = pattern.formatter().parse(text);
      LocalDateTime local = LocalDateTime.from(read);
      ZoneId written = read.query(TemporalQueries.zoneId());
      return read.isSupported(ChronoField.OFFSET_SECONDS)
          ? at(local, ZoneOffset.ofTotalSeconds(read.get(ChronoField.OFFSET_SECONDS)), written)
          : in(local, written);
    } catch (DateTimeException | ArithmeticException e) {
      return new Unreadable(
          form(text).equals(form(pattern.example()))
              ? "names a day or time that does not exist"
              : "does not fit time-format '%s'%s".formatted(pattern.word(), found(text)));
    }
  }

  /** A time with an offset, which the zone beside it must have then. */
  private static TimeReading at(LocalDateTime local, ZoneOffset offset, ZoneId written) {
    return written == null || written.getRules().isValidOffset(local, offset)
        ? new Time(local.toInstant(offset).toEpochMilli())
        : new Unreadable("has an offset that its zone does not have then");
  }

  /**
   * A time without an offset.
   *
   * @param written the zone beside it; null for that of the file
   */
  private TimeReading in(LocalDateTime local, ZoneId written) {
    if (written == null) {
      return local(local);
    }
    return UNIQUE_ZONE.matcher(written.getId()).matches()
        ? new TimeReader(format, Optional.of(written)).local(local)
        : new Unreadable(SHARED);
  }

  private TimeReading machine(String text) {
    Matcher parts = MACHINE.matcher(text);
    if (!parts.matches()) {
      return new Unreadable(
          DATE.matcher(text).matches()
              ? "is a date without a time of day: write one, such as " + EXAMPLE
              : "is no time such as %s%s: time-format says how times are written"
                  .formatted(EXAMPLE, found(text)));
    }
    Optional<String> refused = refused(parts);
    if (refused.isPresent()) {
      return new Unreadable(refused.get());
    }
    try {
      LocalDateTime local = local(parts);
      String rest = parts.group(8);
      return rest.isEmpty() ? local(local) : at(local, rest);
    } catch (DateTimeException e) {
      return new Unreadable("names a day or time that does not exist");
    }
  }

  /** What is ambiguous: midnight of which day, which leap second. */
  private Optional<String> refused(Matcher parts) {
    if (parts.group(4).equals("24")) {
      return Optional.of("has the hour 24: write 00:00 of the next day");
    }
    if ("60".equals(parts.group(6))) {
      return Optional.of("has a second 60, which is no time of its own here");
    }
    return Optional.empty();
  }

  private static LocalDateTime local(Matcher parts) {
    String fraction = parts.group(7) == null ? "" : parts.group(7);
    int nanos = Integer.parseInt((fraction + "000000000").substring(0, 9));
    return LocalDateTime.of(
        Integer.parseInt(parts.group(1)),
        Integer.parseInt(parts.group(2)),
        Integer.parseInt(parts.group(3)),
        Integer.parseInt(parts.group(4)),
        Integer.parseInt(parts.group(5)),
        parts.group(6) == null ? 0 : Integer.parseInt(parts.group(6)),
        nanos);
  }

  private TimeReading at(LocalDateTime local, String rest) {
    String offset = rest.strip();
    if (format instanceof TimeFormat.Iso && !ISO_OFFSET.matcher(rest).matches()) {
      return new Unreadable("has no offset such as Z or +01:00 behind it");
    }
    if (offset.equalsIgnoreCase("Z") || offset.equals("UTC")) {
      return new Time(local.toInstant(ZoneOffset.UTC).toEpochMilli());
    }
    Matcher parts = OFFSET.matcher(offset);
    if (parts.matches()) {
      return new Time(local.toInstant(offset(parts)).toEpochMilli());
    }
    return new Unreadable(
        ABBREVIATION.matcher(offset).matches()
            ? SHARED
            : "has no offset such as Z or +01:00 behind it");
  }

  private static ZoneOffset offset(Matcher parts) {
    int sign = parts.group(1).equals("-") ? -1 : 1;
    return ZoneOffset.ofHoursMinutesSeconds(
        sign * Integer.parseInt(parts.group(2)),
        sign * (parts.group(3) == null ? 0 : Integer.parseInt(parts.group(3))),
        sign * (parts.group(4) == null ? 0 : Integer.parseInt(parts.group(4))));
  }

  /** A time without an offset: of two times that a zone has, the first. */
  public TimeReading local(LocalDateTime local) {
    if (zone.isEmpty()) {
      return new Unreadable(
          "has no offset such as Z or +01:00: 'zone' says of which zone such times are");
    }
    List<ZoneOffset> offsets = zone.get().getRules().getValidOffsets(local);
    return offsets.isEmpty()
        ? new Unreadable("does not exist in zone %s: clocks were set forward".formatted(zone.get()))
        : new Time(local.toInstant(offsets.get(0)).toEpochMilli());
  }

  /** Whether a text is a time of this format, and only if somebody says in which zone. */
  public boolean lacksZone(String text) {
    return new TimeReader(format, Optional.of(ZoneOffset.UTC)).text(text) instanceof Time
        && !(new TimeReader(format, Optional.empty()).text(text) instanceof Time);
  }

  /** The first instant of a day: where clocks are set forward at midnight, that is later. */
  public TimeReading date(LocalDate date) {
    if (zone.isEmpty()) {
      return new Unreadable("is a date: 'zone' says where its day begins");
    }
    ZonedDateTime begin = date.atStartOfDay(zone.get());
    return begin.toLocalDate().equals(date)
        ? new Time(begin.toInstant().toEpochMilli())
        : new Unreadable("is a day that zone %s skipped".formatted(zone.get()));
  }

  private static String found(String text) {
    return form(text).map(form -> ", but has the form " + form).orElse("");
  }

  /**
   * The form of a text that is no time, such as {@code 9999-99-99 99:99}: digits as 9.
   *
   * @return nothing if it holds anything but digits and punctuation, which could be a name
   */
  public static Optional<String> form(String text) {
    return text.length() <= MOST_UNITS && FORM.matcher(text).matches()
        ? Optional.of(DIGIT.matcher(text).replaceAll("9"))
        : Optional.empty();
  }
}
