// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.schema.CountRelease;
import io.sfumato.schema.DirichletRelease;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Windows of local days through a whole topology, across both clock changes of a year. */
class LocalDaysTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static final String RECORDS =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 1d, zone: Europe/Berlin }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: { any: 3d } }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 }, windows: 2 }
      """;

  /** So much budget that noise is 0 but for a chance of e^-100000. */
  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1, subjects: 1 }
      subjects: [west]
      window: { size: 1d, zone: Europe/Berlin, clock: ticks, begin: BEGIN, ahead: 2d }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: { any: 30d } }
      releases:
        - count: { name: visits, by: total, share: { epsilon: 450000, delta: 5e-7 } }
        - count: { name: sums, by: total, running: 5, share: { epsilon: 450000, delta: 5e-7 } }
      """;

  @TempDir Path state;

  private static long seconds(Instant time) {
    return time.getEpochSecond() - Fixture.NOW / 1000;
  }

  private static Instant midnight(LocalDate day) {
    return day.atStartOfDay(BERLIN).toInstant();
  }

  /** The first second of a day, its last one, and the hour that is missing or comes twice. */
  private static List<Instant> times(LocalDate day) {
    Instant start = midnight(day);
    Instant end = midnight(day.plusDays(1));
    return List.of(start, start.plusSeconds(9_000), start.plusSeconds(12_600), end.minusSeconds(1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-10-22", "2026-03-25"})
  void shouldCountEachRecordInItsLocalDayAndSpendWithinEverySpan(String from) {
    LocalDate first = LocalDate.parse(from);
    try (Fixture pipeline = new Fixture(RECORDS, state)) {
      for (int day = 0; day < 10; day++) {
        for (Instant time : times(first.plusDays(day))) {
          pipeline.event("ann", seconds(time), "a");
        }
      }
      pipeline.tick(seconds(midnight(first.plusDays(10))));
      List<DirichletRelease> releases = pipeline.releases();
      List<LocalDate> expected = new ArrayList<>();
      for (int day : new int[] {0, 1, 4, 5, 8, 9}) {
        expected.add(first.plusDays(day));
      }
      assertThat(releases)
          .extracting(release -> release.getWindowStart().atZone(BERLIN).toLocalDate())
          .as("two of any four windows in a row")
          .containsExactlyElementsOf(expected);
      for (DirichletRelease release : releases) {
        LocalDate day = release.getWindowStart().atZone(BERLIN).toLocalDate();
        assertThat(release.getWindowStart()).isEqualTo(midnight(day));
        assertThat(release.getWindowEnd()).isEqualTo(midnight(day.plusDays(1)));
        assertThat(release.getRecords()).isEqualTo(4);
      }
      assertThat(releases.get(0).getGuarantee().getPeriod())
          .isEqualTo("any 3 windows of 1d in Europe/Berlin from 1970-01-05");
      assertThat(releases.get(0).getGuarantee().getAdjacency())
          .contains("whatever 3 local days you take, in every window that these touch");
      assertThat(pipeline.refusals()).hasSize(4);
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"2025-10-22", "2026-03-25"})
  void shouldCloseLocalDaysOfUsersByTicksAndRunOverUnevenDays(String from) {
    LocalDate first = LocalDate.parse(from);
    try (Fixture pipeline = new Fixture(USERS.replace("BEGIN", from), state)) {
      for (int day = 0; day < 7; day++) {
        LocalDate date = first.plusDays(day);
        pipeline.tick(seconds(midnight(date)));
        for (int user = 0; user <= day; user++) {
          long time =
              seconds(user == 0 ? midnight(date.plusDays(1)).minusSeconds(1) : midnight(date));
          pipeline.sendJson(time, "'who':'user%d','ward':'west','what':'a'", user);
        }
      }
      pipeline.tick(seconds(midnight(first.plusDays(7))));
      List<CountRelease> visits = pipeline.releases("visits", CountRelease.class);
      assertThat(visits).hasSize(7);
      long sum = 0;
      List<CountRelease> sums = pipeline.releases("sums", CountRelease.class);
      for (int day = 0; day < 7; day++) {
        assertThat(visits.get(day).getWindowStart()).isEqualTo(midnight(first.plusDays(day)));
        assertThat(visits.get(day).getWindowEnd()).isEqualTo(midnight(first.plusDays(day + 1)));
        assertThat(visits.get(day).getCounts()).containsExactly(day + 1L);
        // Sums begin anew after five windows.
        sum = day == 5 ? day + 1 : sum + day + 1;
        assertThat(sums.get(day).getCounts()).containsExactly(sum);
        assertThat(sums.get(day).getSince()).isEqualTo(midnight(first.plusDays(day < 5 ? 0 : 5)));
      }
    }
  }

  /** The hour that comes twice is one more in the last part of its day. */
  @Test
  void shouldCutDaysIntoPartsThatStartAnewAtMidnight() {
    String yaml =
        RECORDS
            .replace("size: 1d", "size: 6h")
            .replace("any: 3d", "any: 30d")
            .replace(", windows: 2", "");
    LocalDate change = LocalDate.of(2025, 10, 26);
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (Instant time = midnight(change);
          time.isBefore(midnight(change.plusDays(1)));
          time = time.plusSeconds(3600)) {
        pipeline.event("ann", seconds(time), "b");
      }
      pipeline.tick(seconds(midnight(change.plusDays(1))));
      assertThat(pipeline.releases())
          .extracting(DirichletRelease::getRecords)
          .containsExactly(6L, 6L, 6L, 7L);
      assertThat(Fixture.plan(yaml).pipeline().calendar().orElseThrow().touched()).isEqualTo(121);
    }
  }

  /** A day that a zone skips is no window: nobody waits for it, and no sum counts it. */
  @Test
  void shouldPassFromTheDayBeforeToTheDayBehindASkippedOne() {
    String yaml = USERS.replace("Europe/Berlin", "Pacific/Apia").replace("BEGIN", "2011-12-28");
    ZoneId apia = ZoneId.of("Pacific/Apia");
    try (Fixture pipeline = new Fixture(yaml, state)) {
      for (int day : new int[] {28, 29, 31}) {
        Instant noon = LocalDate.of(2011, 12, day).atTime(12, 0).atZone(apia).toInstant();
        Instant start = LocalDate.of(2011, 12, day).atStartOfDay(apia).toInstant();
        pipeline.tick(seconds(start));
        pipeline.sendJson(seconds(noon), "'who':'ann','ward':'west','what':'a'");
      }
      pipeline.tick(seconds(LocalDate.of(2012, 1, 1).atStartOfDay(apia).toInstant()));
      assertThat(pipeline.releases("sums", CountRelease.class))
          .extracting(release -> release.getCounts().get(0))
          .containsExactly(1L, 2L, 3L);
      assertThat(pipeline.releases("visits", CountRelease.class))
          .extracting(
              release -> release.getWindowStart().atZone(apia).toLocalDate().getDayOfMonth())
          .containsExactly(28, 29, 31);
    }
  }

  @Test
  void shouldCountUsersOncePerMonthUnderCalendarPeriods() {
    String yaml =
        USERS
            .replace("BEGIN", "2025-10-01")
            .replace("{ any: 30d }", "1mo")
            .replace("by: total, share", "by: total, windows: 31, share");
    WindowSpec window = Fixture.plan(yaml).pipeline().window();
    var period = Fixture.plan(yaml).pipeline().budget().period();
    long october = midnight(LocalDate.of(2025, 10, 31)).toEpochMilli();
    long november = midnight(LocalDate.of(2025, 11, 1)).toEpochMilli();
    assertThat(period.indexOf(november)).isEqualTo(period.indexOf(october) + 1);
    assertThat(period.endOf(period.indexOf(october))).isEqualTo(november);
    assertThat(period.indexOf(window.startOf(november - 1))).isEqualTo(period.indexOf(october));
    assertThat(period.word()).isEqualTo("1mo in Europe/Berlin from 1970-01-01");
    assertThat(period.during()).isEqualTo("in a period of 1 calendar month");
  }
}
