// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Period;
import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
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
}
