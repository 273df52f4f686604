// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.continual.RowsWithoutNoise;
import io.sfumato.mechanism.partitionselection.PublicName;
import io.sfumato.mechanism.partitionselection.RowNoise;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningName;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.Numerical;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Intervals of names that are looked at because they passed. */
@Numerical
class RunningNameBarsTest {
  private static final RunningDiscovery PLAN = plan("6", "1e-9", 100, 10);
  private static final RunningNameBars BARS = new RunningNameBars(PLAN);
  private static final double QUANTILE = 1.959963984540054;

  private static RunningDiscovery plan(String epsilon, String delta, int windows, int every) {
    return RunningSelectionCalibrator.gaussian(
            "names",
            Epsilon.of(epsilon),
            Delta.of(delta),
            new RunningBounds.PerPeriod(32, 1),
            new TestSchedule(windows, every))
        .orElseThrow();
  }

  private static double lnAbove(double x) {
    return StandardNormal.lnPhi(-x);
  }

  private static double above(double x) {
    return Math.exp(lnAbove(x));
  }

  private static long steps(double records) {
    return Math.round(Math.scalb(records, 20));
  }

  /** Integrates over the estimate of a name that passed, m deviations below the threshold. */
  private static double mean(double m, java.util.function.DoubleUnaryOperator of) {
    double sum = 0;
    double all = 0;
    int places = 20_000;
    double from = Math.max(m, -9);
    // Noise beyond is e^-50 of what passes at all.
    double reach = m > 3 ? 50 / m : 9 - from;
    for (int i = 0; i < places; i++) {
      double n = from + (i + 0.5) * reach / places;
      double weight = Math.exp(StandardNormal.lnDensity(n) - lnAbove(m));
      sum += weight * of.applyAsDouble(n);
      all += weight;
    }
    return sum / all;
  }

  /**
   * The probability that an interval misses, by integration over all that passes: at most 5%,
   * whatever the true count from 0 on, and no more than 2.5% at either end.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "1, 1", "1, 90", "5, 0", "5, 1", "5, 3", "5, 20", "5, 50", "10, 0"})
  void intervalsOfNamesThatPassedHoldTheTruth(int test, int windows) {
    double found = BARS.deviation(test, 0);
    double later = Math.sqrt(Math.pow(BARS.deviation(test, windows), 2) - found * found);
    double tau = PLAN.thresholds().get(test - 1).least();
    for (double m = -8; m <= tau / found; m += 0.45) {
      double below = m;
      double low =
          mean(
              m,
              n -> {
                double width = BARS.below(steps(tau + (n - below) * found), test, windows);
                double left = width - n * found;
                return later == 0 ? (left < 0 ? 1 : 0) : above(left / later);
              });
      double high =
          mean(
              m,
              n -> {
                double left = QUANTILE * BARS.deviation(test, windows) + n * found;
                return later == 0 ? (left < 0 ? 1 : 0) : above(left / later);
              });
      assertThat(low).as("too high, %s deviations below".formatted(m)).isLessThan(0.02505);
      assertThat(high).as("too low, %s deviations below".formatted(m)).isLessThan(0.02505);
    }
  }

  /** Nor are they wider than two intervals of 97.5%, put together, each conditioned like them. */
  @Test
  void intervalsAreNoWiderThanBonferronis() {
    PassedTail half = new PassedTail(TwoTails.HALF);
    for (int test : new int[] {1, 4, 9}) {
      double found = BARS.deviation(test, 0);
      double tau = PLAN.thresholds().get(test - 1).least();
      for (int windows : new int[] {1, 2, 5, 10}) {
        double later = Math.sqrt(Math.pow(BARS.deviation(test, windows), 2) - found * found);
        for (double passed = 0.05; passed < 8; passed += 0.2) {
          double below = BARS.below(steps(tau + passed * found), test, windows);
          double bonferroni = found * (passed + half.below(passed)) + TwoTails.OF_HALF * later;
          assertThat(below).isLessThanOrEqualTo(bonferroni * (1 + 1e-9));
          assertThat(BARS.halfWidth(test, windows)).isLessThan(TwoTails.OF_HALF * (found + later));
        }
        assertThat(BARS.below(steps(tau + 12 * found), test, windows))
            .as("far above the threshold it is hardly wider than that of all names")
            .isLessThan(1.15 * BARS.halfWidth(test, windows));
      }
      assertThat(BARS.below(steps(tau + 8 * found), test, 0))
          .isCloseTo(QUANTILE * found, within(0.005 * found));
    }
  }

  /** Tables are never below what they stand for, and close to it. */
  @Test
  void tablesHoldWhatTheyStandFor() {
    PassedTail tail = new PassedTail(0.025);
    for (double passed = 0.0011; passed < 11.9; passed *= 1.37) {
      double m = tail.below(passed);
      double level = Math.exp(lnAbove(m + passed) - lnAbove(m));
      assertThat(level).as("passed by " + passed).isBetween(0.0245, 0.025 * (1 + 1e-9));
    }
    assertThat(tail.below(0)).isInfinite();
    assertThat(tail.below(30))
        .isCloseTo(QUANTILE - 30, within(0.001))
        .isGreaterThan(QUANTILE - 30 - 1e-9);
    for (double below = -6; below <= 9; below += 1.5) {
      double score = PassedTail.score(below, 0.7);
      assertThat(Math.exp(lnAbove(score) - lnAbove(below + 0.7) + lnAbove(below)))
          .isCloseTo(1, within(1e-9));
      assertThat(PassedTail.score(below, 0)).isNegative().isInfinite();
    }
    TwoTails two = new TwoTails();
    assertThat(two.of(0)).isCloseTo(2.2367, within(0.0006));
    assertThat(two.of(1)).isBetween(1.96, 2.0);
    double before = two.of(0);
    for (double weight = 0; weight <= 1; weight += 0.05) {
      assertThat(two.of(weight)).isLessThanOrEqualTo(before).isLessThanOrEqualTo(TwoTails.OF_HALF);
      before = two.of(weight);
    }
  }

  /** Half of all true counts are known, the name's own noise and rounding included. */
  @Test
  void namesThatWerePublicFromTheBeginningHaveOrdinaryIntervals() {
    RowNoise none = (place, mechanism, exact) -> RowsWithoutNoise.of(exact);
    RunningName known = RunningName.known(PLAN).after(PLAN, 1, 100, none).next();
    RunningNameBars.Interval interval = BARS.of(PublicName.of((RunningName.Public) known));
    assertThat(interval.low()).isEqualTo(100 - BARS.halfWidth(0, 1));
    assertThat(interval.high()).isEqualTo(100 + BARS.halfWidth(0, 1));
    assertThat(BARS.halfWidth(0, 1)).isCloseTo(QUANTILE * PLAN.fine().deviation(), within(1e-4));
  }

  /**
   * Whole blocks as the program counts them, with tests that fail before one passes, until 70,000
   * names are found at each speed. Were the truth 95%, fewer than 94.5% would be held with a
   * probability below 1e-9.
   */
  @ParameterizedTest
  @CsvSource({"4", "6", "8", "12", "60"})
  void intervalsHoldTheTruthOfNamesThatWereFoundAtAnyTest(int speed) {
    RunningDiscovery plan = plan("2", "0.01", 6, 2);
    RunningNameBars bars = new RunningNameBars(plan);
    KeyedRandom random = KeyedRandom.ofPublicSeed("blocks at " + speed);
    RowNoise noise = (place, mechanism, exact) -> mechanism.distribution(exact).draw(random);
    int found = 0;
    int held = 0;
    for (int name = 0; name < 3_000_000 && found < 70_000; name++) {
      Optional<RunningName.Public> state = found(plan, speed, noise);
      if (state.isPresent()) {
        found++;
        RunningNameBars.Interval interval = bars.of(PublicName.of(state.orElseThrow()));
        held += interval.low() <= 6.0 * speed && 6.0 * speed <= interval.high() ? 1 : 0;
      }
    }
    assertThat(found).isEqualTo(70_000);
    assertThat(held / (double) found).isGreaterThan(0.945);
  }

  private static Optional<RunningName.Public> found(
      RunningDiscovery plan, int speed, RowNoise noise) {
    RunningName state = RunningName.unseen(plan);
    for (int window = 1; window <= 6; window++) {
      state = state.after(plan, window, speed, noise).next();
    }
    return Optional.of(state)
        .filter(RunningName.Public.class::isInstance)
        .map(RunningName.Public.class::cast);
  }
}
