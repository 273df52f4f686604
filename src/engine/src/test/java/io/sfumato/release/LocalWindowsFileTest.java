// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.window.CalendarWindows;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files whose windows go by the calendar of a zone. */
class LocalWindowsFileTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { WINDOW }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: PERIOD }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 5e-7 } }
      """;

  private static final String DAYS = "size: 1d, zone: Europe/Berlin";

  private static String file(String window, String period) {
    return FILE.replace("WINDOW", window).replace("PERIOD", period);
  }

  private static Pipeline read(String window, String period) throws PipelineFileException {
    return PipelineFile.parse("test.yaml", file(window, period));
  }

  private static CalendarWindows calendar(String window) throws PipelineFileException {
    return read(window, "window").window().calendar().orElseThrow();
  }

  @Test
  void shouldReadDaysWeeksMonthsAndPartsOfADay() throws PipelineFileException {
    assertThat(calendar(DAYS).canonical())
        .isEqualTo("size=1d, zone=Europe/Berlin, origin=1970-01-05");
    assertThat(calendar("size: 1w, zone: Asia/Tokyo").canonical())
        .isEqualTo("size=7d, zone=Asia/Tokyo, origin=1970-01-05");
    assertThat(calendar("size: 1w, zone: Asia/Tokyo, week-start: sunday").canonical())
        .isEqualTo("size=7d, zone=Asia/Tokyo, origin=1970-01-04");
    assertThat(calendar("size: 1mo, zone: UTC").canonical())
        .isEqualTo("size=1mo, zone=UTC, origin=1970-01-01");
    assertThat(calendar("size: 3mo, zone: UTC, origin: 2026-02-15").canonical())
        .isEqualTo("size=3mo, zone=UTC, origin=2026-02-15");
    assertThat(calendar("size: 90m, zone: Europe/Berlin").unit().word()).isEqualTo("90m");
    assertThat(calendar("size: 24h, zone: Europe/Berlin").unit().word()).isEqualTo("1d");
    assertThat(calendar("size: 5h, zone: Europe/Berlin").unit().word()).isEqualTo("5h");
  }

  @Test
  void shouldSayOnWhichDayLocalWeeksStart() throws PipelineFileException {
    String weeks = file("size: 1w, zone: Asia/Tokyo, week-start: sunday", "window");
    assertThat(PlanReport.text(Plans.plan(weeks)))
        .contains("7d of event time in Asia/Tokyo, weeks from Sunday");
    assertThat(PlanReport.text(Plans.plan(file(DAYS, "window"))))
        .contains("1d of event time in Europe/Berlin");
  }

  @Test
  void shouldCutWeeksAndDaysWithoutAZoneByTheirOrigin() throws PipelineFileException {
    WindowSpec sundays = read("size: 1w, week-start: sunday", "window").window();
    Instant sunday = Instant.parse("2026-11-01T00:00:00Z");
    assertThat(sundays.calendar()).isEmpty();
    assertThat(sundays.startOf(sunday.toEpochMilli())).isEqualTo(sunday.toEpochMilli());
    WindowSpec mornings = read("size: 1d, origin: '2026-01-05T06:00:00+01:00'", "window").window();
    Instant morning = Instant.parse("2026-07-01T05:00:00Z");
    assertThat(mornings.startOf(morning.toEpochMilli())).isEqualTo(morning.toEpochMilli());
  }

  @Test
  void shouldTakeADayOfBeginForALocalDay() throws PipelineFileException {
    WindowSpec window = read(DAYS + ", clock: ticks, begin: 2026-07-01", "window").window();
    assertThat(Instant.ofEpochMilli(window.begin().orElseThrow()))
        .isEqualTo(Instant.parse("2026-06-30T22:00:00Z"));
    assertThat(window.startText(window.first())).isEqualTo("2026-07-01");
    assertThat(window.timeText(window.first())).isEqualTo("2026-07-01T00:00+02:00");
    assertThatThrownBy(() -> read(DAYS + ", clock: ticks, begin: '2026-07-01T00:00:00Z'", "window"))
        .hasMessageContaining("field 'window.begin': found 2026-07-01T02:00+02:00, within a window")
        .hasMessageContaining("such as 2026-07-01 or 2026-07-02");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size: 1mo | field 'window.size': found '1mo' without 'zone'",
        "size: 36h, zone: Europe/Berlin | field 'window.size': found '36h' with 'zone'",
        "size: 30s, zone: Europe/Berlin | field 'window.size': found '30s' with 'zone'",
        "size: 1d, zone: Europe/Nowhere | field 'window.zone': found 'Europe/Nowhere'",
        "size: 1d, week-start: sunday | field 'window.week-start': found with 'size: 1d'",
        "size: 7d, week-start: sunday, origin: 2026-01-01 | field 'window.week-start': found with 'origin'",
        "size: 7d, week-start: someday | field 'window.week-start': found 'someday'",
        "size: 1d, zone: UTC, origin: '2026-01-05T06:00:00Z' | field 'window.origin': found '2026-01-05T06:00:00Z' with 'zone'",
        "size: 1mo, zone: UTC, origin: 2026-01-31 | field 'window.origin': found '2026-01-31' with months",
        "size: 1d, origin: 2026-02-30T00:00:00Z | field 'window.origin': found",
      })
  void shouldRefuseWhatIsNoCalendar(String window, String message) {
    assertThatThrownBy(() -> read(window, "window"))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size: 1d, zone: Europe/Berlin | 30d | 30",
        "size: 1d, zone: Europe/Berlin | 2w | 14",
        "size: 1w, zone: Europe/Berlin | 4w | 4",
        "size: 1mo, zone: Europe/Berlin | 3mo | 3",
        "size: 6h, zone: Europe/Berlin | 30d | 120",
        "size: 6h, zone: Europe/Berlin | 12h | 2",
        "size: 5h, zone: Europe/Berlin | 1d | 5",
      })
  void shouldCountSpansInWindows(String window, String span, long windows)
      throws PipelineFileException {
    Pipeline pipeline = read(window, "{ any: " + span + " }");
    SpanCalendar calendar = pipeline.calendar().orElseThrow();
    assertThat(calendar.windows()).isEqualTo(windows);
    assertThat(calendar.touched()).isEqualTo(windows + 1);
    assertThat(pipeline.releases().get(0).horizon()).isEqualTo(windows + 1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "size: 1mo, zone: Europe/Berlin | { any: 30d } | found 30d with windows of 1mo in Europe/Berlin, allowed is a number of windows, such as 2mo or 3mo",
        "size: 1d, zone: Europe/Berlin | { any: 1mo } | found 1mo with windows of 1d in Europe/Berlin",
        "size: 1w, zone: Europe/Berlin | { any: 30d } | found 30d with windows of 7d",
        "size: 1d, zone: Europe/Berlin | { any: 36h } | found 36h with windows of 1d",
        "size: 1d | { any: 1mo } | found '1mo' without 'window.zone'",
        "size: 1d | 1mo | found '1mo' without 'window.zone'",
        "size: 1w, zone: Europe/Berlin | 1mo | found 1mo with windows of 7d in Europe/Berlin, allowed is 'window'",
        "size: 1w, zone: Europe/Berlin | 30d | found 30d with windows of 7d",
      })
  void shouldRefusePeriodsThatNoNumberOfWindowsFills(String window, String period, String message) {
    assertThatThrownBy(() -> read(window, period))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("field 'budget.period")
        .hasMessageContaining(message);
  }

  @Test
  void shouldGiveCalendarPeriodsTheirWindows() throws PipelineFileException {
    Pipeline months = read(DAYS, "1mo");
    assertThat(months.releases().get(0).horizon()).isEqualTo(31);
    Period.Local period = (Period.Local) months.budget().period();
    WindowSpec window = months.window();
    CalendarWindows calendar = window.calendar().orElseThrow();
    for (LocalDate day = LocalDate.of(2026, 1, 1);
        day.isBefore(LocalDate.of(2027, 1, 1));
        day = day.plusDays(1)) {
      long start = calendar.startOfDay(day);
      assertThat(period.indexOf(start))
          .as("%s", day)
          .isEqualTo((day.getYear() - 1970) * 12L + day.getMonthValue() - 1);
    }
    assertThat(read(DAYS, "30d").releases().get(0).horizon()).isEqualTo(30);
    assertThat(read("size: 1h, zone: Europe/Berlin", "1d").releases().get(0).horizon())
        .isEqualTo(25);
  }

  /** A layout is what no version may change. */
  @Test
  void shouldKeepTheZoneInLayoutAndDigest() throws PipelineFileException {
    Plan local = Plan.of("test.yaml", read(DAYS, "{ any: 30d }"));
    assertThat(local.layout())
        .containsAllEntriesOf(
            Map.of(
                "window.size", "1d",
                "window.zone", "Europe/Berlin",
                "window.origin", "1970-01-05"));
    Plan utc = Plan.of("test.yaml", read("size: 1d", "{ any: 30d }"));
    assertThat(utc.layout())
        .containsAllEntriesOf(
            Map.of("window.size", "PT24H", "window.origin", "1970-01-05T00:00:00Z"))
        .doesNotContainKey("window.zone");
    Plan tokyo = Plan.of("test.yaml", read("size: 1d, zone: Asia/Tokyo", "{ any: 30d }"));
    assertThat(tokyo.digestText()).isNotEqualTo(local.digestText()).isNotEqualTo(utc.digestText());
    assertThat(CanonicalText.of(local.pipeline().window()))
        .isEqualTo(
            "WindowSpec[size=1d, zone=Europe/Berlin, origin=1970-01-05, grace=PT0S, clock=RECORDS, maxJump=400, ahead=PT24H]");
    assertThat(CanonicalText.of(local.pipeline().budget()))
        .contains("period=AnyWindows[count=30, size=1d, zone=Europe/Berlin, origin=1970-01-05]");
  }

  @Test
  void shouldSayWindowsInPlanAndYear() throws PipelineFileException {
    Plan window = Plan.of("test.yaml", read(DAYS, "window"));
    String text = PlanReport.text(window);
    assertThat(text)
        .contains("1d of event time in Europe/Berlin")
        .contains("the 366 windows of 1d that 365 days touch")
        .contains("{any: 30d}");
    assertThat(LongRun.of(window, Duration.ofDays(365)).orElseThrow().periods()).isEqualTo(366);
    Plan months = Plan.of("test.yaml", read("size: 1mo, zone: Europe/Berlin", "window"));
    assertThat(LongRun.of(months, Duration.ofDays(365)).orElseThrow().periods()).isEqualTo(13);
    Plan spans = Plan.of("test.yaml", read(DAYS, "{ any: 30d }"));
    assertThat(PlanReport.text(spans)).contains("any 30 local days touch at most 31 windows");
    assertThat(LongRun.of(spans, Duration.ofDays(365)).orElseThrow().periods()).isEqualTo(13);
    Plan period = Plan.of("test.yaml", read(DAYS, "1mo"));
    assertThat(PlanReport.text(period))
        .contains("periods of 1 calendar month in Europe/Berlin")
        .contains("each window belongs to exactly one");
    assertThat(LongRun.of(period, Duration.ofDays(365)).orElseThrow().periods()).isEqualTo(13);
  }
}
