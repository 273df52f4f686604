// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.start;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.RenyiUnits;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.StateEpoch;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.release.Plan;
import io.sfumato.topology.budget.Charger;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.budget.LedgerCharger;
import io.sfumato.topology.budget.LedgerStore;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.contributions.UserCharger;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.BudgetTerms;
import io.sfumato.topology.version.LedgerFloor;
import io.sfumato.topology.version.MetaStore;
import java.util.Optional;
import java.util.function.IntToDoubleFunction;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Theorem L by brute force: all patterns of 12 windows in which somebody has records, all spans,
 * and what is truly lost of each, by the law of the noise. Windows of ten seconds.
 */
class SpanPatternsTest {
  private static final int WINDOWS = 12;
  private static final int PATTERNS = 1 << WINDOWS;
  private static final double EPSILON = 2;
  private static final double DELTA = 1e-6;

  /** Roundings of curves and shares, all of them upward. */
  private static final double ROUNDING = 1e-9;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b] }
      window: { size: 10s }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: { any: %ds } }
      releases:
        - histogram: { name: mix, method: laplace, windows: %d, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1, subjects: 1 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 2, delta: 1e-6, period: { any: %ds%s } }
      releases:
        - count: { name: numbers, method: laplace, share: { epsilon: 2, delta: 1e-6 } }
      """;

  private static boolean has(int pattern, int window) {
    return (pattern >> window & 1) == 1;
  }

  /** The windows of a pattern that a rule admits, in their order. */
  private static int admitted(int pattern, LongPredicate rule) {
    int counted = 0;
    for (int window = 0; window < WINDOWS; window++) {
      if (has(pattern, window) && rule.test(start(window))) {
        counted |= 1 << window;
      }
    }
    return counted;
  }

  /** Windows that a span touches which begins within {@code first}, or at its end. */
  private static int span(int first, int touched) {
    int windows = 0;
    for (int window = Math.max(0, first); window < Math.min(WINDOWS, first + touched); window++) {
      windows |= 1 << window;
    }
    return windows;
  }

  /** The largest log-ratio of two laws of whole-number Laplace noise, the second moved by one. */
  private static double pureLoss(double scale) {
    double worst = 0;
    for (int x = -40; x <= 40; x++) {
      worst = Math.max(worst, Math.abs((Math.abs(x - 1) - Math.abs(x)) / scale));
    }
    return worst;
  }

  /** Their Rényi divergence, summed up. */
  private static double renyiLoss(double scale, double order) {
    double total = 0;
    double sum = 0;
    int far = (int) (60 * scale) + 60;
    for (int x = -far; x <= far; x++) {
      total += Math.exp(-Math.abs(x) / scale);
      sum += Math.exp((-order * Math.abs(x) + (order - 1) * (Math.abs(x - 1) - 1)) / scale);
    }
    return Math.log(sum / total) / (order - 1) + 1 / scale;
  }

  /** The exact delta at epsilon of losses of 1/scale or -1/scale, as many as there are counts. */
  private static double exactDelta(double scale, int counts) {
    double up = 1 / (1 + Math.exp(-1 / scale));
    double delta = 0;
    double ways = 1;
    for (int k = 0; k <= counts; k++) {
      double here = Math.pow(up, counts - k) * Math.pow(1 - up, k);
      double there = Math.pow(up, k) * Math.pow(1 - up, counts - k);
      delta += ways * Math.max(0, here - Math.exp(EPSILON) * there);
      ways = ways * (counts - k) / (k + 1);
    }
    return delta;
  }

  /**
   * What is lost of windows, by the law of their noise, and what may be.
   *
   * @param ofWindows in the measure that the share counts by
   */
  private record Loss(IntToDoubleFunction ofWindows, double allowed) {
    /** A window whose records of one subject differ moves so many counts by one. */
    static Loss of(PlannedRelease release, int counts) {
      double scale = release.plan().mechanism().parameters().get("scale");
      PrivacyFilter filter = release.share().filter();
      if (filter instanceof PrivacyFilter.RenyiFilter at) {
        double one = renyiLoss(scale, at.order());
        return new Loss(windows -> windows * counts * one, RenyiUnits.toNats(at.cap()));
      }
      return filter instanceof PrivacyFilter.FixedCountFilter
          ? new Loss(windows -> exactDelta(scale, windows * counts), DELTA)
          : new Loss(windows -> windows * counts * pureLoss(scale), EPSILON);
    }

    void assertWithin(int windows) {
      assertThat(ofWindows.applyAsDouble(windows)).isLessThanOrEqualTo(allowed * (1 + ROUNDING));
    }
  }

  private static int touched(Plan plan) {
    return (int) plan.pipeline().calendar().orElseThrow().touched();
  }

  /** Ledgers and what is decided, as a task has them. */
  private static final class Task {
    final LedgerStore ledgers = new LedgerStore(new StagedWrites(MemoryStores.named("below")));
    final ExpiredLedgers past;
    final BudgetTerms terms;

    Task(Plan plan) {
      past =
          new ExpiredLedgers(
              plan.pipeline().budget().period(),
              ledgers,
              new MetaStore(new StagedWrites(MemoryStores.named("below"))),
              LedgerFloor.NONE);
      terms = BudgetTerms.of(plan);
    }

    LongPredicate subject(Plan plan, String subject) {
      PlannedRelease release = plan.releases().get(0);
      SpanShare span = SpanShare.of(plan.pipeline(), release.spec()).orElseThrow();
      Charger charger =
          span.hasLedger()
              ? new LedgerCharger(
                  release,
                  terms,
                  ledgers,
                  past,
                  PipelineMeters.none(),
                  Optional.of(span.calendar()))
              : Charger.ofCalendar(release, past, PipelineMeters.none());
      return start ->
          plan.pipeline().isDue(release.spec(), start)
              && charger
                  .charge(new ReleaseId("b", new StateEpoch(1, 1), 1, "o", subject, start, 0))
                  .permit()
                  .isPresent();
    }
  }

  /** What is admitted of each pattern: every one is a subject of its own. */
  private static int[] released(Plan plan) {
    Task task = new Task(plan);
    int[] admitted = new int[PATTERNS];
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
      admitted[pattern] = admitted(pattern, task.subject(plan, "p" + pattern));
    }
    return admitted;
  }

  /** What counts of each pattern of a user's windows. */
  private static int[] counted(Plan plan) {
    Task task = new Task(plan);
    UserCharger charger = UserCharger.of(plan, 0, task.terms, task.ledgers, task.past);
    int[] counted = new int[PATTERNS];
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
      String user = "u" + pattern;
      counted[pattern] = admitted(pattern, start -> charger.charge(user, start, 1) > 0);
    }
    return counted;
  }

  /**
   * Under {@code record} it is public which windows have records, and one of each may be changed:
   * whole shares, and ledgers of 1 to n windows.
   */
  @ParameterizedTest
  @CsvSource({
    "10, 2", "10, 1", "20, 1", "20, 2", "30, 1", "30, 2", "30, 3", "30, 4", "70, 3", "70, 8"
  })
  void shouldKeepChangedRecordsOfEverySpanWithinTheShare(int seconds, int windows) {
    Plan plan = Fixture.plan(RECORDS.formatted(seconds, windows));
    Loss loss = Loss.of(plan.releases().get(0), 2);
    int touched = touched(plan);
    assertThat(touched).isEqualTo(seconds / 10 + 1);
    int worst = 0;
    int[] released = released(plan);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
      for (int first = 1 - touched; first < WINDOWS; first++) {
        worst = Math.max(worst, Integer.bitCount(released[pattern] & span(first, touched)));
      }
    }
    assertThat(worst).as("the share is used").isEqualTo(windows);
    loss.assertWithin(worst);
  }

  /** All records of one user in a span's windows are removed: nothing else of his moves. */
  @ParameterizedTest
  @CsvSource({"10, ''", "30, ''", "70, ''", "20, 1", "30, 1", "30, 2", "50, 2", "50, 3", "110, 4"})
  void shouldKeepUsersOfEverySpanWithinTheShare(int seconds, String pace) {
    String word = pace.isEmpty() ? "" : ", pace: " + pace;
    Plan plan = Fixture.plan(USERS.formatted(seconds, word));
    Loss loss = Loss.of(plan.releases().get(0), 1);
    int touched = touched(plan);
    int worst = 0;
    int[] counted = counted(plan);
    for (int pattern = 0; pattern < PATTERNS; pattern++) {
      for (int first = 1 - touched; first < WINDOWS; first++) {
        int span = span(first, touched);
        int moved = counted[pattern] ^ counted[pattern & ~span];
        assertThat(moved & ~span).as("windows outside the span").isZero();
        worst = Math.max(worst, Integer.bitCount(moved));
      }
    }
    assertThat(worst)
        .as("the share is used")
        .isEqualTo(plan.pipeline().calendar().orElseThrow().mostDue());
    loss.assertWithin(worst);
  }

  /**
   * Why users have no ledger of a span: what it admits of later windows tells of the span. One
   * window of every two: a user who was there in all of them counts in 1, 3, 5, ..., and without
   * the first in 2, 4, 6, ...: every window to come differs.
   */
  @Test
  void shouldLoseMoreThanTheShareIfUsersHadALedgerOfTheSpan() {
    Plan plan = Fixture.plan(RECORDS.formatted(10, 1));
    int[] counted = released(plan);
    int everyWindow = PATTERNS - 1;
    int span = span(0, 1);
    int moved = counted[everyWindow] ^ counted[everyWindow & ~span];
    assertThat(moved & ~span).as("windows outside the span").isEqualTo(everyWindow & ~span);
    Loss loss = Loss.of(plan.releases().get(0), 2);
    loss.assertWithin(1);
    assertThat(loss.ofWindows().applyAsDouble(Integer.bitCount(moved)))
        .isGreaterThan(loss.allowed());
  }
}
