// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.count.PlannedCount;
import io.sfumato.topology.Fixture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Records of a user that are bounded in a whole period: what is planned, and what is refused. */
class PeriodCheckTest {
  private static final String YAML =
"""
pipeline: visits
input: { topic: in, subject: land, user: who, time: at, category: what, categories: [a, b], values: [x] }
contributions: { CONTRIBUTIONS }
subjects: [north, south]
window: { size: 1h, grace: 1m, clock: ticks, begin: 2026-06-01 }
budget: { name: visits, unit: user, epsilon: 1, delta: 1e-6, period: PERIOD }
releases:
  - mean: { name: level, value: x, bounds: [0, 2], share: { epsilon: 0.25, delta: 1e-8 } }
  - RELEASE
""";

  private static String file(String contributions, String period, String release) {
    return YAML.replace("CONTRIBUTIONS", contributions)
        .replace("PERIOD", period)
        .replace("RELEASE", release);
  }

  private static PlannedRelease planned(String contributions, String release) {
    return Fixture.plan(file(contributions, "1d", release)).releases().get(1);
  }

  private static String count(String more) {
    return "count: { name: n, by: total, %sshare: { epsilon: 0.25, delta: 1e-7 } }".formatted(more);
  }

  /** Two records a day, whatever C: 8 is the scale, and 95% lie within 24. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void shouldPlanLaplaceNoiseOfThePeriodAlone(int records) {
    PlannedCount planned =
        (PlannedCount)
            planned("per-window: %d, per-period: 2".formatted(records), count("method: laplace, "));
    assertThat(planned.plan().mechanism().noise().halfWidth(1)).isEqualTo(24);
    assertThat(planned.plan().releases()).isEqualTo(2);
  }

  /** For the same users 24 windows of two records each would have to be hidden. */
  @Test
  void shouldNeedFarLessNoiseThanBoundsOfWindowsAlone() {
    PlannedCount windows = (PlannedCount) planned("per-window: 2", count("method: best, "));
    PlannedCount period =
        (PlannedCount) planned("per-window: 2, per-period: 2", count("method: best, "));
    assertThat(10 * period.plan().mechanism().noise().halfWidth(1))
        .isLessThan(windows.plan().mechanism().noise().halfWidth(1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count: { name: n, running: 24, share: { epsilon: 0.25, delta: 1e-7 } }",
        "count: { name: n, running: forever, over: 3, share: { epsilon: 0.25, delta: 1e-7 } }",
        "count: { name: n, running: 24, method: laplace, share: { epsilon: 0.25, delta: 1e-7 } }",
        "mean: { name: n, value: x, bounds: [0, 2], running: 24, share: { epsilon: 0.25, delta: 1e-7 } }",
        "mean: { name: n, value: x, bounds: [0, 2], method: laplace, share: { epsilon: 0.25 } }",
        "mean: { name: n, value: x, bounds: [0, 2], method: laplace, over: 3, share: { epsilon: 0.25 } }",
        "quantile: { name: n, value: x, bounds: [0, 2], of: [0.5], share: { epsilon: 0.25, delta: 1e-7 } }"
      })
  void shouldPlanForExactlyTheRecordsOfThePeriod(String release) {
    PlannedRelease planned = planned("per-window: 2, per-period: 4", release);
    assertThat(planned.spec().chargesRecords()).isTrue();
    assertThat(planned.plan().releases()).isEqualTo(4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per-window: 2, per-period: 4 | window | count: { name: n, share: { epsilon: 0.1, delta: 1e-7 } } | a period of several windows",
        "per-window: 2, per-period: 4 | '{any: 24h}' | count: { name: n, share: { epsilon: 0.1, delta: 1e-7 } } | a period of fixed length, or a lifetime",
        "per-window: 2, per-period: 1 | 1d | count: { name: n, share: { epsilon: 0.1, delta: 1e-7 } } | lower it to 1",
        "per-window: 2, per-period: 49 | 1d | count: { name: n, share: { epsilon: 0.1, delta: 1e-7 } } | at most 48",
        "per-window: 2, per-period: 4 | 1d | count: { name: n, windows: 3, share: { epsilon: 0.1, delta: 1e-7 } } | beside 'contributions.per-period'",
        "per-window: 2, per-period: 4 | 1d | histogram: { name: n, share: { epsilon: 0.1, delta: 1e-7 } } | charges users for whole windows"
      })
  void shouldRefuseWhatIsNotSound(
      String contributions, String period, String release, String message) {
    assertThatThrownBy(() -> Fixture.plan(file(contributions, period, release)))
        .hasMessageContaining(message);
  }

  /** Left-out records have a share of their own, and as many of them count. */
  @Test
  void shouldPlanLeftOutRecordsByTheirOwnBound() {
    PlannedCount planned =
        (PlannedCount)
            planned(
                "per-window: 2, per-period: 4, left-out: 9",
                "count: { name: n, by: left-out, share: { epsilon: 0.25, delta: 1e-7 } }");
    assertThat(planned.spec().recordsOfUser()).isEqualTo(4);
    assertThat(planned.plan().releases()).isEqualTo(4);
  }

  /** A lifetime names no number of windows: none is planned for. */
  @Test
  void shouldPlanALifetimeByItsRecords() {
    PlannedRelease planned =
        Fixture.plan(file("per-window: 2, per-period: 4", "lifetime", count(""))).releases().get(1);
    assertThat(planned.plan().releases()).isEqualTo(4);
  }
}
