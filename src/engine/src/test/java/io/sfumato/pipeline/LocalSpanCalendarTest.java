// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Period;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Theorem L's calendar on windows of several lengths: counted, never by their hours. */
class LocalSpanCalendarTest {
  private static final int MOST = 9;

  private static CalendarWindows windows(String zone, String unit) {
    return new CalendarWindows(
        zone,
        ZoneId.of(zone).getRules(),
        CalendarLength.parse(unit).orElseThrow().unit().orElseThrow(),
        LocalDate.of(1970, 1, unit.endsWith("mo") ? 1 : 5));
  }

  /** So many windows in a row, each found from the end of the one before. */
  private static List<Long> starts(CalendarWindows windows, LocalDate from) {
    List<Long> starts = new ArrayList<>();
    long start = windows.startOf(windows.startOfDay(from));
    for (int i = 0; i < 8 * MOST; i++) {
      starts.add(start);
      start = windows.endOf(start);
    }
    return starts;
  }

  @ParameterizedTest
  @CsvSource({
    "Europe/Berlin, 1d, 2026-03-10",
    "Europe/Berlin, 6h, 2025-10-20",
    "Europe/Berlin, 1h, 2025-10-25",
    "Europe/Berlin, 1mo, 2026-01-01",
    "Pacific/Apia, 1d, 2011-12-10",
    "America/St_Johns, 1d, 2010-11-01",
  })
  void shouldReleaseAsManyOfEverySpanAsThePaceSays(String zone, String unit, LocalDate from) {
    CalendarWindows windows = windows(zone, unit);
    List<Long> starts = starts(windows, from);
    for (int n = 1; n <= MOST; n++) {
      for (int p = 1; p <= n; p++) {
        SpanCalendar calendar = new SpanCalendar(n, p, starts.get(2 * MOST), windows);
        for (int first = 0; first + n < starts.size(); first++) {
          assertThat(due(calendar, starts.subList(first, first + n))).isEqualTo(p);
          assertThat(due(calendar, starts.subList(first, first + n + 1)))
              .isLessThanOrEqualTo(calendar.mostDue());
        }
        for (int first = 0; first < 6 * MOST; first++) {
          long next = calendar.nextDue(starts.get(first));
          assertThat(starts.indexOf(next)).isBetween(first, first + n);
          assertThat(calendar.isDue(next)).isTrue();
        }
      }
    }
  }

  private static long due(SpanCalendar calendar, List<Long> starts) {
    return starts.stream().filter(calendar::isDue).count();
  }

  /** Ledgers are numbered by windows, so that those of a span follow each other. */
  @ParameterizedTest
  @CsvSource({"Europe/Berlin, 1d, 2026-03-10", "Pacific/Apia, 1d, 2011-12-10"})
  void shouldAddUpTheLedgersOfAllWindowsOfASpan(String zone, String unit, LocalDate from) {
    CalendarWindows windows = windows(zone, unit);
    List<Long> starts = starts(windows, from);
    int n = 3;
    Period.AnyWindows span =
        new Period.AnyWindows(n, new CalendarUnit.Days(n), windows, OptionalInt.empty());
    SpanCalendar calendar = new SpanCalendar(n, n, starts.get(0), windows);
    for (int i = n; i + n < starts.size(); i++) {
      long ledger = span.indexOf(starts.get(i));
      assertThat(span.firstWith(ledger)).isEqualTo(span.indexOf(starts.get(i - n)));
      assertThat(span.lastWith(ledger)).isEqualTo(span.indexOf(starts.get(i + n)));
      assertThat(span.endOf(ledger)).isEqualTo(starts.get(i + 1));
      for (int k = -n; k <= n; k++) {
        assertThat(calendar.ledger(ledger, k)).isEqualTo(span.indexOf(starts.get(i + k)));
      }
    }
  }

  private static final List<String> ZONES = ZoneId.getAvailableZoneIds().stream().sorted().toList();
  private static final List<String> UNITS = List.of("1d", "1w", "1mo", "6h", "5h", "11h", "1h");

  /**
   * In zones of the JDK, ten a try, somewhere between 1970 and 2100: whoever is charged whenever
   * the span of the ledgers allows it is charged at most as often in any n + 1 windows in a row;
   * and n days, weeks or months by the zone's own clocks touch no more windows.
   */
  @Property
  void shouldBoundEverySpanInAnyZone(@ForAll long seed) {
    Random random = new Random(seed);
    for (int i = 0; i < 10; i++) {
      String zone = ZONES.get(random.nextInt(ZONES.size()));
      String unit = UNITS.get(random.nextInt(UNITS.size()));
      CalendarWindows windows = windows(zone, unit);
      LocalDate from = LocalDate.ofEpochDay(random.nextInt(47_000));
      int n = 1 + random.nextInt(12);
      int most = 1 + random.nextInt(n + 1);
      Period.AnyWindows span =
          new Period.AnyWindows(n, windows.unit(), windows, OptionalInt.empty());
      List<Long> starts = starts(windows, from);
      List<Boolean> charged = greedy(span, starts, n, most);
      for (int first = 0; first + n < starts.size(); first++) {
        assertThat(charged.subList(first, first + n + 1).stream().filter(c -> c).count())
            .as("%s %s from %s, window %d", zone, unit, from, first)
            .isLessThanOrEqualTo(most);
      }
      assertThat(charged).as("no less than the span allows").contains(true);
      if (!(windows.unit() instanceof CalendarUnit.PartOfDay)) {
        requireTouched(windows, ZoneId.of(zone), unit, n, starts.get(random.nextInt(40)));
      }
    }
  }

  /** Charged whenever no span of the ledgers has as many charges. */
  private static List<Boolean> greedy(Period.AnyWindows span, List<Long> starts, int n, int most) {
    Set<Long> ledgers = new HashSet<>();
    List<Boolean> charged = new ArrayList<>();
    for (long start : starts) {
      long ledger = span.indexOf(start);
      boolean fits = true;
      for (long begin = span.firstWith(ledger); begin <= ledger; begin++) {
        long first = begin;
        fits &= ledgers.stream().filter(l -> l >= first && l <= first + n).count() < most;
      }
      if (fits) {
        ledgers.add(ledger);
      }
      charged.add(fits);
    }
    return charged;
  }

  /** What n units from some instant of a window on touch, by the JDK's own arithmetic. */
  private static void requireTouched(
      CalendarWindows windows, ZoneId zone, String unit, int n, long start) {
    ZonedDateTime begin = Instant.ofEpochMilli(start).plusSeconds(1).atZone(zone);
    ZonedDateTime end =
        switch (unit) {
          case "1d" -> begin.plusDays(n);
          case "1w" -> begin.plusWeeks(n);
          default -> begin.plusMonths(n);
        };
    long last = windows.number(end.toInstant().toEpochMilli() - 1);
    assertThat(last - windows.number(begin.toInstant().toEpochMilli()) + 1)
        .as("%s %s, %d from %s", zone, unit, n, begin)
        .isLessThanOrEqualTo(n + 1);
  }
}
