// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.AccountSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Theorem P's numbers of changes against an independent count: every millisecond of a stretch is
 * looked at, and windows are put into periods by where they start.
 */
class AccountPeriodsTest {
  /** A whole number of all small windows and periods, and far enough from 0 for those before. */
  private static final long FROM = 5040;

  /** Of which the stretches that begin there meet every relative position. */
  private static final long CYCLE = 2520;

  private static final List<Long> SIZES = List.of(1L, 2L, 3L, 4L, 6L);

  private static final Period WINDOW = new Period.Window();

  @Test
  void shouldCountTheWindowsOfAUserThatAWindowTouchesWhereSizesAndOriginsDiffer() {
    for (AccountPeriods mine : windowed(PrivacyUnit.USER)) {
      for (AccountPeriods others : windowed(PrivacyUnit.USER)) {
        assertThat(largest(mine, others))
            .as("%s for %s", mine, others)
            .isEqualTo(count(mine, others));
      }
    }
  }

  @Test
  void shouldCountDatasetsOnceForEachPeriodThatIsTouchedWhereWindowsDiffer() {
    for (AccountPeriods mine : windowed(PrivacyUnit.DATASET)) {
      for (AccountPeriods others : windowed(PrivacyUnit.DATASET)) {
        assertThat(largest(mine, others))
            .as("%s for %s", mine, others)
            .isEqualTo(count(mine, others));
      }
    }
  }

  @Test
  void shouldCountPeriodsOfSeveralWindowsExactlyWherePeriodsHoldWholeNumbersOfThem() {
    for (PrivacyUnit unit : List.of(PrivacyUnit.USER, PrivacyUnit.DATASET)) {
      List<AccountPeriods> all = periodic(unit, true);
      for (AccountPeriods mine : all) {
        for (AccountPeriods others : all) {
          assertThat(largest(mine, others))
              .as("%s for %s", mine, others)
              .isEqualTo(count(mine, others));
        }
      }
    }
  }

  @Test
  void shouldNeverCountTooFewWherePeriodsHoldNoWholeNumberOfWindows() {
    for (PrivacyUnit unit : List.of(PrivacyUnit.USER, PrivacyUnit.DATASET)) {
      List<AccountPeriods> all = periodic(unit, false);
      all.addAll(windowed(unit).subList(3, 8));
      for (AccountPeriods mine : all) {
        for (AccountPeriods others : all) {
          assertThat(largest(mine, others))
              .as("%s for %s", mine, others)
              .isBetween(count(mine, others), count(mine, others) + 3);
        }
      }
    }
  }

  @Test
  void shouldCountSpansOfOneLengthOnceEachWhereDatasetsAreProtectedWhateverTheWindows() {
    for (long mySize : List.of(1L, 2L, 3L, 6L)) {
      for (long size : List.of(1L, 2L, 3L, 6L)) {
        for (long origin = 0; origin < size; origin++) {
          AccountPeriods mine = any(PrivacyUnit.DATASET, 12, mySize, 0);
          AccountPeriods others = any(PrivacyUnit.DATASET, 12, size, origin);
          assertThat(largest(mine, others)).as("%s for %s", mine, others).isEqualTo(1);
          assertThat(count(mine, others)).as("%s for %s", mine, others).isEqualTo(1);
        }
      }
    }
  }

  @Test
  void shouldCountSpansOfUsersByTheWindowsThatTheOthersFillWhereWindowsDiffer() {
    for (long mySize : List.of(1L, 2L, 3L, 6L)) {
      for (long size : List.of(1L, 2L, 3L, 6L)) {
        for (long origin = 0; origin < size; origin++) {
          AccountPeriods mine = any(PrivacyUnit.USER, 12, mySize, 0);
          AccountPeriods others = any(PrivacyUnit.USER, 12, size, origin);
          assertThat(largest(mine, others))
              .as("%s for %s", mine, others)
              .isEqualTo(count(mine, others));
        }
      }
    }
    AccountPeriods once = any(PrivacyUnit.USER, 12, 3, 1);
    assertThat(once.stepsFor(once)).containsExactly(Steps.ONE);
  }

  @Test
  void shouldCountARecordOnceInTheWindowsOfEveryPipeline() {
    for (AccountPeriods mine : windowed(PrivacyUnit.RECORD)) {
      for (AccountPeriods others : windowed(PrivacyUnit.RECORD)) {
        assertThat(largest(mine, others)).isEqualTo(1);
      }
    }
  }

  @Test
  void shouldNeverCountTooFewChangedRecordsWhereSeveralMeetInOneWindow() {
    List<AccountPeriods> all = new ArrayList<>();
    for (long[] of :
        new long[][] {{1, 0, 3}, {1, 0, 4}, {2, 1, 4}, {3, 0, 6}, {3, 2, 3}, {2, 0, 6}}) {
      all.add(fixed(PrivacyUnit.RECORD, of[0], of[1], of[2], false));
    }
    for (AccountPeriods mine : all) {
      for (AccountPeriods others : all) {
        long most = mostRecords(mine, others);
        assertThat(largest(mine, others)).as("%s for %s", mine, others).isBetween(most, 2 * most);
      }
    }
    assertThat(
            fixed(PrivacyUnit.RECORD, 3, 0, 6, false)
                .stepsFor(fixed(PrivacyUnit.RECORD, 1, 0, 6, false)))
        .as("six changed records, three of them in each of two windows of one period")
        .contains(Steps.chain(3));
  }

  @Test
  void shouldChainChangesWherePeriodsShareNoise() {
    AccountPeriods days =
        new AccountPeriods(PrivacyUnit.USER, WINDOW, new ClaimedWindows(1, 0, true, false));
    AccountPeriods weeks = windows(PrivacyUnit.USER, 7, 0);
    assertThat(days.stepsFor(weeks)).containsOnly(Steps.chain(7));
    assertThat(windows(PrivacyUnit.USER, 1, 0).stepsFor(weeks)).containsOnly(new Steps(7, 1, 0, 1));
  }

  @Test
  void shouldSayNothingWhereLengthsCannotBeReckonedWith() {
    for (String period : List.of("9999999999d", "any 5d", "x", "", "PT-1S", "any ", "999999999d")) {
      AccountClaim claim =
          new AccountClaim(
              new AccountSpec("people", Epsilon.of("1"), Delta.of("0")),
              "a",
              "user",
              period,
              Epsilon.of("1"),
              Delta.of("0"),
              Optional.of(new ClaimedWindows(Duration.ofDays(7).toMillis(), 0, true, true)),
              "");
      assertThat(AccountPeriods.of(claim)).as(period).isEmpty();
    }
  }

  private static List<AccountPeriods> windowed(PrivacyUnit unit) {
    List<AccountPeriods> all = new ArrayList<>();
    for (long size : SIZES) {
      for (long origin = 0; origin < size; origin++) {
        all.add(windows(unit, size, origin));
      }
    }
    return all;
  }

  /**
   * @param regular whether periods hold whole numbers of windows
   */
  private static List<AccountPeriods> periodic(PrivacyUnit unit, boolean regular) {
    List<AccountPeriods> all = new ArrayList<>();
    long[][] shapes =
        regular
            ? new long[][] {
              {1, 0, 3},
              {1, 0, 5},
              {2, 0, 4},
              {2, 1, 4},
              {2, 1, 6},
              {3, 2, 6},
              {3, 1, 9},
              {4, 1, 8},
              {2, 0, 8},
              {3, 0, 2},
              {1, 0, 12}
            }
            : new long[][] {{2, 0, 5}, {2, 1, 3}, {3, 0, 4}, {3, 1, 7}, {4, 3, 6}};
    for (long[] shape : shapes) {
      all.add(fixed(unit, shape[0], shape[1], shape[2], true));
      all.add(fixed(unit, shape[0], shape[1], shape[2], false));
    }
    all.add(windows(unit, 3, 1));
    all.add(windows(unit, 2, 0));
    return all;
  }

  private static AccountPeriods windows(PrivacyUnit unit, long size, long origin) {
    return new AccountPeriods(unit, WINDOW, new ClaimedWindows(size, origin, true, true));
  }

  private static AccountPeriods fixed(
      PrivacyUnit unit, long size, long origin, long length, boolean every) {
    return new AccountPeriods(
        unit,
        new Period.Fixed(Duration.ofMillis(length)),
        new ClaimedWindows(size, origin, every, true));
  }

  private static AccountPeriods any(PrivacyUnit unit, long length, long size, long origin) {
    return new AccountPeriods(
        unit,
        new Period.Any(Duration.ofMillis(length), OptionalInt.empty()),
        new ClaimedWindows(size, origin, true, true));
  }

  private static long largest(AccountPeriods mine, AccountPeriods others) {
    return mine.stepsFor(others).stream().mapToLong(Steps::total).max().getAsLong();
  }

  // What follows is the definition, read millisecond by millisecond.

  private static long startOf(AccountPeriods of, long time) {
    ClaimedWindows windows = of.windows();
    return Math.floorDiv(time - windows.origin(), windows.size()) * windows.size()
        + windows.origin();
  }

  /** The period of a window: by its start. */
  private static long periodOf(AccountPeriods of, long start) {
    return of.period().indexOf(start);
  }

  /** What a budget protects at once, as sets of milliseconds. */
  private static Set<Set<Long>> stretches(AccountPeriods of) {
    Set<Set<Long>> all = new HashSet<>();
    if (of.period() instanceof Period.Any any) {
      long span = any.length().toMillis();
      boolean whole = of.unit() == PrivacyUnit.USER;
      for (long from = FROM; from < FROM + 60; from++) {
        if (!whole || startOf(of, from) == from) {
          all.add(range(from, from + span + (whole ? of.windows().size() : 0)));
        }
      }
      return all;
    }
    Map<Long, Set<Long>> periods = new TreeMap<>();
    for (long time = FROM - 40; time < FROM + CYCLE + 40; time++) {
      periods.computeIfAbsent(periodOf(of, startOf(of, time)), any -> new TreeSet<>()).add(time);
    }
    periods.values().stream()
        .filter(times -> times.iterator().next() >= FROM && times.iterator().next() < FROM + CYCLE)
        .forEach(all::add);
    return all;
  }

  private static Set<Long> range(long from, long to) {
    Set<Long> times = new TreeSet<>();
    for (long time = from; time < to; time++) {
      times.add(time);
    }
    return times;
  }

  private static long count(AccountPeriods mine, AccountPeriods others) {
    if (mine.equals(others)) {
      return 1;
    }
    return stretches(others).stream().mapToLong(stretch -> count(mine, stretch)).max().getAsLong();
  }

  /** Periods with a window that the stretch touches; of users those that are cut twice. */
  private static long count(AccountPeriods mine, Set<Long> stretch) {
    Map<Long, Boolean> cut = new TreeMap<>();
    Set<Long> starts = new TreeSet<>();
    stretch.forEach(time -> starts.add(startOf(mine, time)));
    long firstStart = starts.iterator().next();
    for (long start : starts) {
      long group =
          mine.period() instanceof Period.Any any
              ? (start - firstStart) / (any.length().toMillis() + mine.windows().size())
              : periodOf(mine, start);
      boolean isCut = !stretch.containsAll(range(start, start + mine.windows().size()));
      if (!mine.windows().everyWindow() && mine.period() instanceof Period.Fixed) {
        for (long time = start - 40; time <= start + 40; time++) {
          long window = startOf(mine, time);
          isCut |= periodOf(mine, window) == group && !starts.contains(window);
        }
      }
      cut.merge(group, isCut, Boolean::logicalOr);
    }
    return cut.values().stream()
        .mapToLong(isCut -> isCut && mine.unit() == PrivacyUnit.USER ? 2 : 1)
        .sum();
  }

  /** Over all ways to change one record in each of the other's windows of a period. */
  private static long mostRecords(AccountPeriods mine, AccountPeriods others) {
    if (mine.equals(others)) {
      return 1;
    }
    long most = 0;
    for (Set<Long> stretch : stretches(others)) {
      List<List<Long>> choices = new ArrayList<>();
      Set<Long> starts = new TreeSet<>();
      stretch.forEach(time -> starts.add(startOf(others, time)));
      for (long start : starts) {
        Set<Long> windows = new TreeSet<>();
        range(start, start + others.windows().size())
            .forEach(time -> windows.add(startOf(mine, time)));
        choices.add(List.copyOf(windows));
      }
      most = Math.max(most, place(mine, choices, 0, new TreeMap<>()));
    }
    return most;
  }

  private static long place(
      AccountPeriods mine, List<List<Long>> choices, int at, Map<Long, Long> records) {
    if (at == choices.size()) {
      Map<Long, Long> mostOfPeriod = new TreeMap<>();
      records.forEach(
          (window, number) -> mostOfPeriod.merge(periodOf(mine, window), number, Math::max));
      return mostOfPeriod.values().stream().mapToLong(Long::longValue).sum();
    }
    long most = 0;
    for (long window : choices.get(at)) {
      Map<Long, Long> with = new TreeMap<>(records);
      with.merge(window, 1L, Long::sum);
      most = Math.max(most, place(mine, choices, at + 1, with));
    }
    return most;
  }
}
