// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.client.ReplayTicks;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ticks of windows of several lengths, across both clock changes of a year. */
class LocalTicksTest {
  private static final long HOUR = 3_600_000;
  private static final long GRACE = Duration.ofMinutes(30).toMillis();
  private static final int MAX_JUMP = 5;

  private static WindowSpec window(CalendarUnit unit) {
    CalendarWindows windows =
        new CalendarWindows(
            "Europe/Berlin", ZoneId.of("Europe/Berlin").getRules(), unit, LocalDate.of(1970, 1, 1));
    return new WindowSpec(
        windows,
        Duration.ofMillis(GRACE),
        WindowSpec.Clock.TICKS,
        OptionalLong.of(windows.startOfDay(LocalDate.of(2026, 3, 1))),
        MAX_JUMP,
        Duration.ofDays(2),
        WindowSpec.Ticks.HERE,
        WindowSpec.MAX_AHEAD);
  }

  private static List<WindowSpec> windows() {
    return List.of(
        window(new CalendarUnit.Days(1)),
        window(new CalendarUnit.Days(7)),
        window(new CalendarUnit.Months(1)),
        window(new CalendarUnit.PartOfDay(6 * HOUR)),
        window(new CalendarUnit.PartOfDay(HOUR)));
  }

  @Test
  void shouldTickAtEveryWindowsEndWithItsGrace() {
    for (WindowSpec window : windows()) {
      TickGrid grid = new TickGrid(window);
      long end = Instant.parse("2026-11-10T00:00:00Z").toEpochMilli();
      for (long start = window.first(); start < end; start = window.endOf(start)) {
        long closes = window.endOf(start) + GRACE;
        assertThat(grid.atOrBefore(closes)).isEqualTo(closes);
        assertThat(grid.after(closes - 1)).isEqualTo(closes);
      }
      for (long at = window.first(); at < end; at += 7 * HOUR + 1) {
        long before = grid.atOrBefore(at);
        long after = grid.after(at);
        assertThat(before).isLessThanOrEqualTo(at);
        assertThat(after).isGreaterThan(at);
        assertThat(grid.after(before)).isEqualTo(after);
        assertThat(after - before).isLessThanOrEqualTo(HOUR);
      }
    }
  }

  @Test
  void shouldGoOverNoMoreWindowsAtOnceThanTheFileAllows() {
    for (WindowSpec window : windows()) {
      TickSteps steps = new TickSteps(window);
      long from = window.first();
      long to = window.plus(from, 40) + GRACE;
      List<Long> all = steps.all(from, to);
      assertThat(all).isSorted().endsWith(to);
      long last = from;
      for (long tick : all) {
        long jump =
            window.between(Math.max(from, window.boundaryOf(last)), window.boundaryOf(tick));
        assertThat(jump).isLessThanOrEqualTo(MAX_JUMP);
        assertThat(steps.isTooFar(last, tick)).isFalse();
        last = tick;
      }
      assertThat(steps.isTooFar(from, to)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {HOUR, 25 * HOUR, 200 * HOUR})
  void shouldReplayAHistoryWithoutLateOrEarlyEvents(long step) {
    for (WindowSpec window : windows()) {
      long limit = Instant.parse("2026-11-10T00:00:00Z").toEpochMilli();
      ReplayTicks ticks = new ReplayTicks(window, window.first(), limit);
      long last = window.first();
      for (long event = window.first(); event < limit; event += step) {
        for (long tick : ticks.before(event)) {
          assertThat(tick).isGreaterThan(last).isLessThanOrEqualTo(event);
          assertThat(window.between(window.boundaryOf(last), window.boundaryOf(tick)))
              .isLessThanOrEqualTo(MAX_JUMP);
          last = tick;
        }
      }
      assertThat(ticks.late()).isZero();
      assertThat(ticks.early()).isZero();
    }
  }
}
