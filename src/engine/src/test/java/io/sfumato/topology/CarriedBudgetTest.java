// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.Plan;
import io.sfumato.topology.context.PipelineStopException;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which budgets a sealed ledger goes on with: a period keeps the bound that it began with. */
class CarriedBudgetTest {
  private static final long DAY = Duration.ofDays(1).toMillis();

  private static Plan plan(String epsilon, String period, String begin) {
    return Fixture.plan(
        """
        pipeline: test
        version: 1
        input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 2, subjects: 1 }
        subjects: [north, south]
        window: { size: 1d, grace: 2s, clock: ticks, begin: %s }
        budget: { name: test, unit: user, epsilon: %s, delta: 1e-6, period: %s }
        releases:
          - count: { name: n, method: best, share: { epsilon: %s, delta: 1e-6 }, windows: 1 }
        """
            .formatted(begin, epsilon, period, epsilon)
            .replace(period.equals("4d") || period.equals("lifetime") ? "~" : ", windows: 1", ""));
  }

  private static final String BEGIN = "2026-06-01";

  private static LedgerImage sealed(String period, long floor) {
    return LedgerImage.of(plan("1", period, BEGIN), floor);
  }

  /** The start of the period of four days that holds a time. */
  private static long periodStart(long time) {
    return Math.floorDiv(time, 4 * DAY) * 4 * DAY;
  }

  private static long day(long time) {
    return Math.floorDiv(time, DAY) * DAY;
  }

  @Test
  void shouldCarryARaisedEpsilonOverWhenEachWindowHasABudgetOfItsOwn() {
    LedgerImage image = sealed("window", day(NOW));
    Plan raised = plan("2", "window", BEGIN);
    LedgerImage carried = image.carriedBy(raised);
    assertThat(image.isRaisedBy(raised)).isTrue();
    assertThat(carried.floor()).isEqualTo(day(NOW));
    assertThat(carried.facts()).containsEntry("epsilon", "2");
    assertThatCode(() -> image.requireForLater(raised, raised.pipeline().window()))
        .doesNotThrowAnyException();
    assertThat(carried.carriedBy(raised)).as("once more").isEqualTo(carried);
  }

  @ParameterizedTest
  @ValueSource(strings = {"window", "4d", "lifetime"})
  void shouldKeepTheLedgerAsItIsWhenNothingChanges(String period) {
    LedgerImage image = sealed(period, day(NOW));
    assertThat(image.carriedBy(plan("1.0", period, BEGIN))).isEqualTo(image);
  }

  @Test
  void shouldNeverRaiseABudgetOfALifetime() {
    for (long floor : new long[] {Long.MIN_VALUE, day(NOW)}) {
      assertThatThrownBy(() -> sealed("lifetime", floor).carriedBy(plan("2", "lifetime", BEGIN)))
          .isInstanceOf(PipelineStopException.class)
          .hasMessageContaining("a lifetime never ends")
          .hasMessageContaining("epsilon 2");
    }
  }

  @Test
  void shouldRaiseABudgetOnlyFromTheNextPeriodOnWhenAPeriodRuns() {
    long start = periodStart(NOW);
    LedgerImage image = sealed("4d", start + DAY);
    assertThatThrownBy(() -> image.carriedBy(plan("2", "4d", BEGIN)))
        .hasMessageContaining("begin: " + text(start + 4 * DAY));
    Plan next = plan("2", "4d", text(start + 4 * DAY));
    LedgerImage carried = image.carriedBy(next);
    assertThat(carried.floor())
        .as("so that no later file begins before it")
        .isEqualTo(start + 4 * DAY);
    assertThatThrownBy(() -> image.carriedBy(plan("2", "4d", text(start + 3 * DAY))))
        .hasMessageContaining("begin: " + text(start + 4 * DAY));
    assertThatCode(() -> sealed("4d", start).carriedBy(plan("2", "4d", BEGIN)))
        .as("sealed where a period ends")
        .doesNotThrowAnyException();
  }

  /** Sealing releases what is closed, and may close windows of the period that was to begin. */
  @Test
  void shouldRefuseARaiseBeforeTheSealWhenTheSealMayCutAPeriod() {
    long start = periodStart(NOW);
    LedgerImage image = sealed("4d", start);
    Plan raised = plan("2", "4d", BEGIN);
    assertThatThrownBy(() -> image.requireForLater(raised, raised.pipeline().window()))
        .hasMessageContaining("begin: ");
    Plan next = plan("2", "4d", text(start + 4 * DAY));
    assertThatCode(() -> image.requireForLater(next, next.pipeline().window()))
        .doesNotThrowAnyException();
    LedgerImage overtaken = sealed("4d", start + 5 * DAY);
    assertThatThrownBy(() -> overtaken.carriedBy(next)).hasMessageContaining("begin: ");
    assertThat(overtaken.carriedFromNextPeriod(next).floor()).isEqualTo(start + 8 * DAY);
  }

  /** A third file that begins earlier would spend the higher budget in the lower one's period. */
  @Test
  void shouldForgetNoPeriodWhenALedgerIsCarriedOnTwice() {
    long start = periodStart(NOW);
    LedgerImage second =
        sealed("4d", start + DAY).carriedBy(plan("2", "4d", text(start + 4 * DAY)));
    LedgerImage third = second.carriedBy(plan("2", "4d", BEGIN));
    assertThat(third.floor()).isEqualTo(start + 4 * DAY);
  }

  /** Whatever span is taken, it holds windows of one bound only. */
  @Test
  void shouldRaiseABudgetOfAnySpanOnlyWhenNoSpanHoldsWindowsOfBoth() {
    LedgerImage image = LedgerImage.of(plan("1", "{ any: 4d }", BEGIN), day(NOW));
    assertThatThrownBy(() -> image.carriedBy(plan("2", "{ any: 4d }", BEGIN)))
        .hasMessageContaining("begin: " + text(day(NOW) + 4 * DAY));
    Plan next = plan("2", "{ any: 4d }", text(day(NOW) + 4 * DAY));
    assertThat(image.carriedBy(next).floor()).isEqualTo(day(NOW) + 4 * DAY);
    assertThat(image.carriedFromNextPeriod(plan("2", "{ any: 4d }", BEGIN)).floor())
        .isLessThanOrEqualTo(day(NOW) + 4 * DAY);
  }

  /**
   * A file that begins when every span has left the former windows goes on, however far that is.
   */
  @Test
  void shouldAllowABeginBehindAllSpansBeforeTheSeal() {
    LedgerImage image = LedgerImage.of(plan("1", "{ any: 4d }", BEGIN), day(NOW));
    for (int days = 4; days <= 40; days++) {
      Plan next = plan("2", "{ any: 4d }", text(day(NOW) + days * DAY));
      boolean mayMove = days < 6; // the seal may release two more windows
      if (mayMove) {
        assertThatThrownBy(() -> image.requireForLater(next, next.pipeline().window()))
            .as("%d days", days)
            .hasMessageContaining("begin: ");
      } else {
        assertThatCode(() -> image.requireForLater(next, next.pipeline().window()))
            .as("%d days", days)
            .doesNotThrowAnyException();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"window", "4d"})
  void shouldLowerABudgetWhenItStillCoversWhatWasGranted(String period) {
    long start = periodStart(NOW) + DAY;
    LedgerImage image = sealed(period, start);
    Plan lower = plan("0.5", period, BEGIN);
    if (period.equals("window")) {
      assertThat(image.carriedBy(lower).facts()).containsEntry("epsilon", "0.5");
    } else {
      assertThatThrownBy(() -> image.carriedBy(lower))
          .as("a share of 1 was granted in this period")
          .hasMessageContaining("both together count as epsilon 1 of 'n'")
          .hasMessageContaining("start before " + Instant.ofEpochMilli(periodStart(NOW) + 4 * DAY))
          .hasMessageContaining("to a pipeline whose 'window.begin' is that");
      Plan next = plan("0.5", period, text(periodStart(NOW) + 4 * DAY));
      assertThatCode(() -> image.carriedBy(next)).doesNotThrowAnyException();
    }
  }

  @Test
  void shouldRefuseAnotherPeriodWhenALedgerIsCarriedOver() {
    assertThatThrownBy(() -> sealed("window", day(NOW)).carriedBy(plan("1", "4d", BEGIN)))
        .hasMessageContaining("Put budget.unit and budget.period back");
  }

  private static String text(long time) {
    return WindowSpec.beginText(time);
  }
}
