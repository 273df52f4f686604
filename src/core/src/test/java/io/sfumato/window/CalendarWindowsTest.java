// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.window.CalendarUnit.Days;
import io.sfumato.window.CalendarUnit.Months;
import io.sfumato.window.CalendarUnit.PartOfDay;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows of calendars, in every time zone of the JDK. */
class CalendarWindowsTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static final List<CalendarUnit> UNITS =
      List.of(
          new Days(2),
          new Days(7),
          new Months(1),
          new Months(3),
          new PartOfDay(HOUR),
          new PartOfDay(5 * HOUR),
          new PartOfDay(6 * HOUR),
          new PartOfDay(90 * 60_000));

  /** Clock changes, a millisecond beside them, and any other times. */
  private static List<Long> times(ZoneId zone, Random random) {
    List<Long> times = new ArrayList<>();
    for (ZoneOffsetTransition change : Zones.changes(zone)) {
      long at = change.getInstant().toEpochMilli();
      times.addAll(List.of(at - 1, at, at + 1, at + (random.nextInt(49) - 24) * HOUR));
    }
    for (int i = 0; i < 40; i++) {
      times.add((long) (random.nextDouble() * Zones.LAST.toEpochMilli()));
    }
    return times;
  }

  @Test
  void shouldTileTimeAndNumberWindowsInEveryZone() {
    for (ZoneId zone : Zones.all()) {
      CalendarWindows days = Zones.windows(zone, new Days(1));
      Random random = new Random(zone.getId().hashCode());
      List<Long> times = times(zone, random);
      times.forEach(time -> requireTiles(days, time));
      for (CalendarUnit unit : UNITS) {
        LocalDate origin = LocalDate.of(1970, 1, unit instanceof Months ? 1 : 5);
        CalendarWindows windows = days.cutBy(unit, origin);
        for (int i = random.nextInt(7); i < times.size(); i += 7) {
          requireTiles(windows, times.get(i));
        }
      }
    }
  }

  private static void requireTiles(CalendarWindows windows, long time) {
    long start = windows.startOf(time);
    long end = windows.endOf(start);
    long number = windows.number(time);
    boolean tiles =
        start <= time
            && time < end
            && windows.startOf(start) == start
            && windows.startOf(end - 1) == start
            && windows.startOf(end) == end
            && windows.number(start) == number
            && windows.number(start - 1) == number - 1
            && windows.number(end) == number + 1
            && windows.start(number) == start
            && windows.start(number + 1) == end
            && windows.plus(start, 100) == windows.start(number + 100)
            && windows.between(windows.plus(start, -7), end) == 8
            && windows.firstStartFrom(start) == start
            && windows.firstStartFrom(start + 1) == end;
    assertThat(tiles).as("%s at %d", windows, time).isTrue();
  }

  /** By the JDK's own idea of a day's start, which takes no part in ours. */
  @Test
  void shouldStartDaysAtTheFirstInstantOfTheirLocalDate() {
    for (ZoneId zone : Zones.all()) {
      CalendarWindows days = Zones.windows(zone, new Days(1));
      for (ZoneOffsetTransition change : Zones.changes(zone)) {
        LocalDate date = change.getDateTimeBefore().toLocalDate();
        for (int beside = -2; beside <= 2; beside++) {
          requireDay(days, zone, date.plusDays(beside));
        }
      }
      for (int day = 0; day < 47_000; day += 397) {
        requireDay(days, zone, LocalDate.ofEpochDay(day));
      }
    }
  }

  private static void requireDay(CalendarWindows days, ZoneId zone, LocalDate date) {
    long start = date.atStartOfDay(zone).toInstant().toEpochMilli();
    long end = date.plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli();
    assertThat(days.startOfDay(date)).as("%s in %s", date, zone).isEqualTo(start);
    assertThat(days.startOf(start)).as("%s in %s", date, zone).isEqualTo(start);
    if (start < end) {
      assertThat(days.endOf(start)).as("%s in %s", date, zone).isEqualTo(end);
      assertThat(days.dayOf(start)).isEqualTo(date);
      assertThat(days.isStartOfDay(start)).isTrue();
    }
  }

  /**
   * One after the other, with nothing between them and no number left out. Where no clock changes
   * for days, a day has 24 hours.
   */
  @Test
  @Tag("deep")
  void shouldMeetEveryDayOfEveryZoneOnce() {
    for (ZoneId zone : Zones.all()) {
      CalendarWindows days = Zones.windows(zone, new Days(1));
      long start = days.startOf(0);
      long number = days.number(0);
      List<ZoneOffsetTransition> changes = Zones.changes(zone);
      int change = 0;
      for (LocalDate date = days.dayOf(0); date.getYear() < 2100; date = date.plusDays(1)) {
        while (change < changes.size() && millis(changes.get(change)) < start - 48 * HOUR) {
          change++;
        }
        boolean isNear = change < changes.size() && millis(changes.get(change)) < start + 48 * HOUR;
        long next =
            isNear
                ? date.plusDays(1).atStartOfDay(zone).toInstant().toEpochMilli()
                : start + 24 * HOUR;
        if (next > start) {
          boolean met =
              days.number(start) == number
                  && days.start(number) == start
                  && days.endOf(start) == next;
          assertThat(met).as("%s in %s", date, zone).isTrue();
          start = next;
          number++;
        }
      }
    }
  }

  private static long millis(ZoneOffsetTransition change) {
    return change.getInstant().toEpochMilli();
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 2026-03-28T23:00:00Z, 23",
    "Europe/Berlin, 2026-10-24T22:00:00Z, 25",
    "Europe/Berlin, 2026-10-25T23:00:00Z, 24",
    // Set back at 00:01, to 23:01 of the day before.
    "America/St_Johns, 2010-11-07T02:30:00Z, 25",
    // From the day before the date line to the one behind it.
    "Pacific/Kwajalein, 1993-08-20T12:00:00Z, 24",
    "Antarctica/Casey, 2009-10-17T16:00:00Z, 21",
    "Asia/Aqtau, 1981-09-30T19:00:00Z, 23",
    "Antarctica/Vostok, 1994-01-30T17:00:00Z, 31",
    "Antarctica/Vostok, 1994-11-01T00:00:00Z, 17",
  })
  void shouldGiveDaysTheirHours(String zone, String start, long hours) {
    CalendarWindows days = Zones.days(zone);
    long at = Zones.millis(start);
    assertThat(days.startOf(at)).isEqualTo(at);
    assertThat(days.endOf(at) - at).isEqualTo(hours * HOUR);
  }

  @Test
  void shouldCountMinutesThatAClockShowsTwiceToTheDayThatHadBegun() {
    CalendarWindows days = Zones.days("America/St_Johns");
    long seventh = Zones.millis("2010-11-07T02:30:00Z");
    long setBack = Zones.millis("2010-11-07T02:31:00Z");
    // The clock shows 6 November, 23:01 again.
    assertThat(
            ZoneId.of("America/St_Johns")
                .getRules()
                .getOffset(Instant.ofEpochMilli(setBack))
                .getTotalSeconds())
        .isEqualTo(-12_600);
    assertThat(days.startOf(setBack)).isEqualTo(seventh);
    assertThat(days.startOf(seventh - 1)).isLessThan(seventh);
    assertThat(days.dayOf(setBack)).isEqualTo(LocalDate.of(2010, 11, 7));
  }

  @Test
  void shouldHaveNoWindowOfADayThatAZoneSkips() {
    CalendarWindows days = Zones.days("Pacific/Apia");
    long before = days.startOfDay(LocalDate.of(2011, 12, 29));
    long after = days.startOfDay(LocalDate.of(2011, 12, 31));
    assertThat(days.endOf(before)).isEqualTo(after).isEqualTo(Zones.millis("2011-12-30T10:00:00Z"));
    assertThat(days.number(after)).isEqualTo(days.number(before) + 1);
    assertThat(days.startOfDay(LocalDate.of(2011, 12, 30))).isEqualTo(after);

    // A week that holds it is a day shorter, and two days of which it is the first are one.
    CalendarWindows weeks = days.cutBy(new Days(7), LocalDate.of(1970, 1, 5));
    long week = weeks.startOf(after);
    assertThat(weeks.endOf(week) - week).isEqualTo(6 * 24 * HOUR);
    CalendarWindows pairs = days.cutBy(new Days(2), LocalDate.of(2011, 12, 30));
    assertThat(pairs.startOf(after)).isEqualTo(after);
    assertThat(pairs.endOf(after) - after).isEqualTo(24 * HOUR);
  }

  @Test
  void shouldCutOrStretchTheLastPartOfADay() {
    CalendarWindows parts = Zones.windows(ZoneId.of("Europe/Berlin"), new PartOfDay(6 * HOUR));
    assertThat(lengths(parts, "2026-03-28T23:00:00Z")).containsExactly(6L, 6L, 6L, 5L);
    assertThat(lengths(parts, "2026-10-24T22:00:00Z")).containsExactly(6L, 6L, 6L, 7L);
    assertThat(lengths(parts, "2026-10-25T23:00:00Z")).containsExactly(6L, 6L, 6L, 6L);
    CalendarWindows fives = Zones.windows(ZoneId.of("Europe/Berlin"), new PartOfDay(5 * HOUR));
    assertThat(lengths(fives, "2026-03-28T23:00:00Z")).containsExactly(5L, 5L, 5L, 5L, 3L);
    assertThat(lengths(fives, "2026-10-24T22:00:00Z")).containsExactly(5L, 5L, 5L, 5L, 5L);
    CalendarWindows hours = Zones.windows(ZoneId.of("Europe/Berlin"), new PartOfDay(HOUR));
    assertThat(lengths(hours, "2026-10-24T22:00:00Z")).hasSize(25).containsOnly(1L);
  }

  private static List<Long> lengths(CalendarWindows parts, String day) {
    long start = Zones.millis(day);
    CalendarWindows days = parts.cutBy(new Days(1), LocalDate.EPOCH);
    assertThat(days.startOf(start)).isEqualTo(start);
    List<Long> lengths = new ArrayList<>();
    for (long at = start; at < days.endOf(start); at = parts.endOf(at)) {
      lengths.add((parts.endOf(at) - at) / HOUR);
    }
    return lengths;
  }

  /** Of all stretches of so many local days, looked at hour by hour. */
  @ParameterizedTest
  @CsvSource({
    "1d, 30, 31",
    "1d, 365, 366",
    "7d, 365, 54",
    "1mo, 365, 13",
    "3mo, 365, 5",
    "6h, 1, 5",
    "1h, 1, 26"
  })
  void shouldKnowHowManyWindowsAStretchTouches(String unit, int days, long most) {
    CalendarUnit cut =
        unit.endsWith("mo")
            ? new Months(Integer.parseInt(unit.substring(0, unit.length() - 2)))
            : unit.endsWith("d")
                ? new Days(Integer.parseInt(unit.substring(0, unit.length() - 1)))
                : new PartOfDay(Integer.parseInt(unit.substring(0, unit.length() - 1)) * HOUR);
    CalendarWindows windows = Zones.windows(ZoneId.of("Europe/Berlin"), cut);
    assertThat(windows.mostTouched(Duration.ofDays(days))).isEqualTo(most);
    ZoneId zone = ZoneId.of("Europe/Berlin");
    long seen = 0;
    for (long time = Zones.millis("2019-01-01T00:00:00Z");
        time < Zones.millis("2031-01-01T00:00:00Z");
        time += 7 * HOUR) {
      long end = Instant.ofEpochMilli(time).atZone(zone).plusDays(days).toInstant().toEpochMilli();
      seen = Math.max(seen, windows.between(time, end - 1) + 1);
    }
    assertThat(seen).isLessThanOrEqualTo(most);
  }

  @Test
  void shouldKnowTheLongestWindow() {
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    assertThat(Zones.windows(berlin, new Days(1)).longest()).isEqualTo(Duration.ofHours(25));
    assertThat(Zones.windows(berlin, new Days(7)).longest()).isEqualTo(Duration.ofHours(169));
    assertThat(Zones.windows(berlin, new Months(1)).longest()).isEqualTo(Duration.ofHours(745));
    assertThat(Zones.windows(berlin, new PartOfDay(6 * HOUR)).longest())
        .isEqualTo(Duration.ofHours(7));
    assertThat(Zones.windows(berlin, new PartOfDay(HOUR)).longest()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void shouldCountWindowsOfPeriods() {
    CalendarWindows days = Zones.days("Europe/Berlin");
    LocalDate first = LocalDate.of(1970, 1, 1);
    assertThat(days.mostIn(days.cutBy(new Months(1), first))).isEqualTo(31);
    assertThat(days.mostIn(days.cutBy(new Days(30), first))).isEqualTo(30);
    CalendarWindows hours = days.cutBy(new PartOfDay(HOUR), first);
    assertThat(hours.mostIn(days)).isEqualTo(25);
  }

  @Test
  void shouldTellZoneDataApartByTheStartsThatDiffer() {
    CalendarWindows berlin = Zones.days("Europe/Berlin");
    CalendarWindows paris = Zones.days("Europe/Paris");
    CalendarWindows london = Zones.days("Europe/London");
    long from = Zones.millis("2025-12-31T23:00:00Z");
    long until = Zones.millis("2036-01-01T00:00:00Z");
    assertThat(berlin.digest(from, until)).isEqualTo(paris.digest(from, until));
    assertThat(berlin.digest(from, until)).isNotEqualTo(london.digest(from, until));
    assertThat(berlin.digest(from, until)).isNotEqualTo(berlin.digest(from, until + 24 * HOUR));
    // Parts of a day follow from the days.
    LocalDate first = LocalDate.of(1970, 1, 1);
    assertThat(berlin.cutBy(new PartOfDay(HOUR), first).digest(from, until))
        .isEqualTo(paris.cutBy(new PartOfDay(HOUR), first).digest(from, until))
        .isNotEqualTo(london.cutBy(new PartOfDay(HOUR), first).digest(from, until));
  }

  @Test
  void shouldRefuseMonthsFromADayThatNotEveryMonthHas() {
    assertThatThrownBy(
            () ->
                new CalendarWindows(
                    "Europe/Berlin",
                    ZoneId.of("Europe/Berlin").getRules(),
                    new Months(1),
                    LocalDate.of(2026, 1, 31)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldSayHowManyWindowsASpanHas() {
    assertThat(new Days(1).in(new Days(30))).hasValue(30);
    assertThat(new Days(7).in(new Days(30))).isEmpty();
    assertThat(new Days(1).in(new Months(1))).isEmpty();
    assertThat(new Months(1).in(new Days(30))).isEmpty();
    assertThat(new Months(1).in(new Months(3))).hasValue(3);
    assertThat(new PartOfDay(6 * HOUR).in(new Days(2))).hasValue(8);
    assertThat(new PartOfDay(5 * HOUR).in(new Days(1))).hasValue(5);
    assertThat(new PartOfDay(HOUR).in(new PartOfDay(6 * HOUR))).hasValue(6);
    assertThat(new Days(1).tiles(new Months(1))).isTrue();
    assertThat(new Days(7).tiles(new Months(1))).isFalse();
    assertThat(new PartOfDay(HOUR).tiles(new Months(1))).isTrue();
    assertThat(CalendarUnit.of(Duration.ofHours(36))).isEmpty();
    assertThat(CalendarUnit.of(Duration.ofHours(24))).contains(new Days(1));
  }
}
