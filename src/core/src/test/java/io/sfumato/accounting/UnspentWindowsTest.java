// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarUnit.Days;
import io.sfumato.window.CalendarUnit.Months;
import io.sfumato.window.CalendarUnit.PartOfDay;
import io.sfumato.window.CalendarWindows;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** By brute force: all windows around a time, all periods and spans that hold any of them. */
class UnspentWindowsTest {
  private static final long HOUR = Duration.ofHours(1).toMillis();
  private static final long MIDDLE = Instant.parse("2026-03-29T00:00:00Z").toEpochMilli();
  private static final OptionalInt ALL = OptionalInt.empty();

  /** Windows on either side of the time: more than any period of these tests has. */
  private static final int AROUND = 110;

  private record Kind(Period period, WindowGrid grid) {
    /** Groups of windows whose losses the budget bounds together, each as the starts of windows. */
    List<List<Long>> bounded(List<Long> starts) {
      if (period instanceof Period.Span span) {
        long count =
            span instanceof Period.Any any
                ? any.length().toMillis() / grid.longest().toMillis()
                : ((Period.AnyWindows) span).count();
        List<List<Long>> spans = new ArrayList<>();
        for (int i = 0; i + count < starts.size(); i++) {
          spans.add(starts.subList(i, i + (int) count + 1));
        }
        return spans;
      }
      TreeMap<Long, List<Long>> periods = new TreeMap<>();
      starts.forEach(
          start ->
              periods
                  .computeIfAbsent(period.indexOf(start), index -> new ArrayList<>())
                  .add(start));
      return List.copyOf(periods.values());
    }

    List<Long> startsAround(long time) {
      long first = grid.plus(grid.startOf(time), -AROUND);
      return LongStream.rangeClosed(0, 2L * AROUND).mapToObj(i -> grid.plus(first, i)).toList();
    }
  }

  private static List<Kind> kinds() {
    List<Kind> kinds = new ArrayList<>();
    for (WindowGrid grid :
        List.of(
            new FixedWindows(Duration.ofHours(1), 0),
            new FixedWindows(Duration.ofHours(7), 3 * HOUR),
            new FixedWindows(Duration.ofDays(1), 5 * HOUR))) {
      kinds.add(new Kind(new Period.Window(), grid));
      long size = grid.longest().toMillis();
      for (long millis : List.of(size, 2 * size, 3 * size + size / 2, 11 * size, 24 * HOUR)) {
        kinds.add(new Kind(new Period.Fixed(Duration.ofMillis(millis)), grid));
      }
      for (int windows : List.of(1, 2, 5, 12)) {
        Duration length = Duration.ofMillis(windows * size);
        kinds.add(new Kind(new Period.Any(length, ALL), grid));
        kinds.add(new Kind(new Period.Any(length, OptionalInt.of(1)), grid));
      }
    }
    ZoneId zone = ZoneId.of("Europe/Berlin");
    LocalDate monday = LocalDate.of(1970, 1, 5);
    CalendarWindows days = new CalendarWindows(zone.getId(), zone.getRules(), new Days(1), monday);
    for (CalendarUnit unit : List.of(new Days(1), new Days(2), new PartOfDay(HOUR))) {
      CalendarWindows windows = days.cutBy(unit, monday);
      kinds.add(new Kind(new Period.Window(), windows));
      kinds.add(new Kind(new Period.AnyWindows(1, unit, windows, ALL), windows));
      kinds.add(new Kind(new Period.AnyWindows(12, unit, windows, ALL), windows));
      kinds.add(new Kind(new Period.Local(days.cutBy(new Days(2), monday)), windows));
      kinds.add(new Kind(new Period.Local(days.cutBy(new Days(4), monday)), windows));
    }
    CalendarWindows months = days.cutBy(new Months(1), LocalDate.of(1970, 1, 1));
    kinds.add(new Kind(new Period.Local(months), days));
    return kinds;
  }

  private static List<Long> times(Random random) {
    List<Long> times = new ArrayList<>(List.of(MIDDLE - 1, MIDDLE, MIDDLE + 1, MIDDLE + 5 * HOUR));
    for (int i = 0; i < 6; i++) {
      times.add(MIDDLE + (long) (random.nextDouble() * 80 * HOUR));
    }
    return times;
  }

  /**
   * The former budget has spent all it may on windows before the time, in whatever way; the new one
   * spends all it may from the floor on. No period then loses more than the budget, 1.
   */
  @Test
  void shouldKeepEveryPeriodWithinTheBudgetWhenAllBeforeWasSpent() {
    Random random = new Random(7);
    for (Kind kind : kinds()) {
      for (long time : times(random)) {
        long floor = UnspentWindows.first(time, kind.period(), kind.grid()).orElseThrow();
        assertThat(floor).as("%s at %d", kind, time).isGreaterThanOrEqualTo(time);
        List<Long> starts = kind.startsAround(time);
        List<List<Long>> bounded = kind.bounded(starts);
        List<Long> before = starts.stream().filter(start -> start < time).toList();
        List<Long> after = starts.stream().filter(start -> start >= floor).toList();
        for (int first = -1; first <= 0; first++) {
          Map<Long, Double> losses = spent(before, bounded, first, random);
          losses.putAll(spent(after, bounded, -1 - first, random));
          for (List<Long> together : bounded) {
            assertThat(sum(losses, together))
                .as("%s, spent until %d, from %d on", kind, time, floor)
                .isLessThanOrEqualTo(1 + 1e-9);
          }
        }
      }
    }
  }

  /** No later window than needed: the one before the floor shares a period with a spent one. */
  @Test
  void shouldNotWaitLongerThanNeeded() {
    Random random = new Random(8);
    for (Kind kind : kinds()) {
      for (long time : times(random)) {
        long floor = UnspentWindows.first(time, kind.period(), kind.grid()).orElseThrow();
        long previous = kind.grid().plus(floor, -1);
        boolean shared =
            previous < time
                || kind.bounded(kind.startsAround(time)).stream()
                    .anyMatch(
                        together ->
                            together.contains(previous)
                                && together.stream().anyMatch(start -> start < time));
        assertThat(shared).as("%s at %d: window %d", kind, time, previous).isTrue();
      }
    }
  }

  @Test
  void shouldLeaveNothingOfALifetime() {
    assertThat(
            UnspentWindows.first(
                MIDDLE, new Period.Lifetime(), new FixedWindows(Duration.ofDays(1), 0)))
        .isEqualTo(OptionalLong.empty());
  }

  /**
   * Spends all that fits, one window after the other in a random order.
   *
   * @param most window that takes all it can before others do, by its place; from the end if below
   *     0
   */
  private static Map<Long, Double> spent(
      List<Long> windows, List<List<Long>> bounded, int most, Random random) {
    Map<Long, Double> losses = new HashMap<>();
    List<Long> order = new ArrayList<>(windows);
    Collections.shuffle(order, random);
    if (!windows.isEmpty()) {
      order.add(0, windows.get(Math.floorMod(most, windows.size())));
    }
    for (int i = 0; i < order.size(); i++) {
      long window = order.get(i);
      double rest =
          bounded.stream()
              .filter(together -> together.get(0) <= window)
              .filter(together -> window <= together.get(together.size() - 1))
              .mapToDouble(together -> 1 - sum(losses, together))
              .min()
              .orElse(0);
      losses.merge(window, Math.max(0, rest) * (i == 0 ? 1 : random.nextDouble()), Double::sum);
    }
    return losses;
  }

  private static double sum(Map<Long, Double> losses, List<Long> windows) {
    return windows.stream().mapToDouble(window -> losses.getOrDefault(window, 0.0)).sum();
  }
}
