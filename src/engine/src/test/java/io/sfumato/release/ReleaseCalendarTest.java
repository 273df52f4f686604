// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.release.ReleaseCalendar.Due;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Next windows, held against asking every window whether it is due. */
class ReleaseCalendarTest {
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long BEGIN = Instant.parse("2026-11-02T00:00:00Z").toEpochMilli();

  private static final String FILE =
      """
      pipeline: trips
      input: { topic: trips, subject: line, user: rider, time: at, values: [price] }
      contributions: { per-window: 2 }
      subjects: [a, b]
      window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-11-02 }
      budget: { name: trips, unit: user, epsilon: 3, delta: 1e-6, period: PERIOD }
      releases:
        - mean: { name: prices, values: [price], bounds: auto, share: { epsilon: 2, delta: 1e-6 }WINDOWS }
        - bounds: { name: range, value: price, share: { epsilon: 1 } }
      """;

  private static Pipeline pipeline(String period) throws Exception {
    return PipelineFile.parse(
        "p",
        FILE.replace("PERIOD", period)
            .replace("WINDOWS", period.equals("lifetime") ? ", windows: 9" : ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "window",
        "1d",
        "3d",
        "30d",
        "lifetime",
        "{any: 7d}",
        "{any: 30d, pace: 5}",
        "{any: 8d, pace: 7}"
      })
  void shouldBeTheFirstThatIsDue(String period) throws Exception {
    Pipeline pipeline = pipeline(period);
    ReleaseCalendar windows = new ReleaseCalendar(pipeline);
    for (ReleaseSpec release : pipeline.releases()) {
      for (int from = -3; from < 40; from++) {
        long first = BEGIN + Math.max(0, from) * DAY;
        Optional<Long> next =
            Stream.iterate(first, start -> start < first + 400 * DAY, start -> start + DAY)
                .filter(start -> pipeline.isDue(release, start))
                .findFirst();
        assertThat(windows.from(release, BEGIN + from * DAY + 1).map(Due::start))
            .as("%s from day %s on", release.name(), from)
            .isEqualTo(next);
      }
    }
  }

  @Test
  void shouldSayWhenItClosesAndWhatIsPassedOver() throws Exception {
    ReleaseCalendar windows = new ReleaseCalendar(pipeline("{any: 30d, pace: 5}"));
    assertThat(windows.instead(BEGIN)).isEmpty();
    long hours = Duration.ofHours(2).toMillis();
    Due counts =
        new Due(List.of("prices"), BEGIN + 6 * DAY, BEGIN + 7 * DAY, BEGIN + 7 * DAY + hours);
    Due bounds =
        new Due(List.of("range"), BEGIN + 36 * DAY, BEGIN + 37 * DAY, BEGIN + 37 * DAY + hours);
    assertThat(windows.instead(BEGIN + 3 * DAY)).containsExactly(counts, bounds);
    assertThat(windows.instead(BEGIN + 6 * DAY)).as("means are due").isEmpty();
    assertThat(windows.sparse(BEGIN + 3 * DAY)).containsExactly(counts, bounds);
    assertThat(windows.sparse(BEGIN))
        .extracting(Due::outputs)
        .containsExactly(List.of("prices", "range"));
  }

  /** Every window of what is due of all of them is no news. */
  @Test
  void shouldNameOnlyWhatPassesWindowsOver() throws Exception {
    assertThat(new ReleaseCalendar(pipeline("window")).sparse(BEGIN)).isEmpty();
    assertThat(new ReleaseCalendar(pipeline("{any: 30d}")).sparse(BEGIN + 1))
        .extracting(Due::outputs)
        .containsExactly(List.of("range"));
    ReleaseCalendar once = new ReleaseCalendar(pipeline("lifetime"));
    assertThat(once.sparse(BEGIN)).extracting(Due::outputs).containsExactly(List.of("range"));
    assertThat(once.sparse(BEGIN + DAY)).as("its one turn is over").isEmpty();
  }

  private static final String HOURS =
      """
      pipeline: trips
      input: { topic: trips, subject: line, user: rider, time: at, category: what, categories: [x, y] }
      contributions: { per-window: 2 }
      subjects: [a, b]
      window: { size: 1h, grace: 2h, clock: ticks, begin: 2026-11-02 }
      budget: { name: trips, unit: user, epsilon: 2, delta: 2e-6, period: 30d }
      releases:
        - count: { name: hours, by: total, contributions: { per-window: 2, per-period: 8 }, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: days, by: total, window: 1d, contributions: { per-window: 2, per-period: 8 }, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static Due of(String output, long start, long end) {
    return new Due(List.of(output), start, end, end + 2 * HOUR);
  }

  /** An hour and the day that starts with it are two windows, and close at two times. */
  @Test
  void shouldKeepWindowsOfSeveralSizesApart() throws Exception {
    ReleaseCalendar windows = new ReleaseCalendar(PipelineFile.parse("p", HOURS));
    assertThat(windows.sparse(BEGIN)).containsExactly(of("days", BEGIN, BEGIN + DAY));
    ReleaseSpec hours = windows.releaseOf("hours").orElseThrow();
    assertThat(windows.from(hours, BEGIN)).contains(of("hours", BEGIN, BEGIN + HOUR));
    assertThat(windows.instead(BEGIN)).isEmpty();
  }

  /** A day is released with its last hour, so nothing else is due instead of that. */
  @Test
  void shouldReleaseALongerWindowWithItsLastPart() throws Exception {
    String days =
        HOURS.lines().filter(line -> !line.contains("name: hours")).toList().stream()
            .reduce("", (all, line) -> all + line + "\n");
    ReleaseCalendar windows = new ReleaseCalendar(PipelineFile.parse("p", days));
    assertThat(windows.instead(BEGIN + 5 * HOUR)).containsExactly(of("days", BEGIN, BEGIN + DAY));
    assertThat(windows.instead(BEGIN + 23 * HOUR)).isEmpty();
  }
}
