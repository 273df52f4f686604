// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.partitionselection.RunningNameSums.Count;
import io.sfumato.estimate.partitionselection.RunningNameSums.Found;
import io.sfumato.estimate.partitionselection.RunningNameSums.Known;
import io.sfumato.estimate.partitionselection.RunningNameSums.Unknown;
import io.sfumato.mechanism.partitionselection.RowNoise;
import io.sfumato.mechanism.partitionselection.RunningBounds;
import io.sfumato.mechanism.partitionselection.RunningDiscovery;
import io.sfumato.mechanism.partitionselection.RunningName;
import io.sfumato.mechanism.partitionselection.TestSchedule;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Sums of running counts of which some are looked at because they passed. */
class RunningNameSumsTest {
  private static final RunningDiscovery PLAN = plan("6", "1e-9", 100, 10);
  private static final RunningNameBars BARS = new RunningNameBars(PLAN);
  private static final RunningNameSums SUMS = new RunningNameSums(PLAN);
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

  private static double deviation(int test, int windows) {
    return BARS.deviation(test, windows);
  }

  /** A name with a true count at its test, of which nothing comes later, if it passes. */
  private static Found passed(
      SplittableRandom random, double truth, int test, int windows, long threshold) {
    double found;
    do {
      found = truth + deviation(test, 0) * random.nextGaussian();
    } while (found < threshold);
    double later =
        Math.sqrt(Math.pow(deviation(test, windows), 2) - Math.pow(deviation(test, 0), 2));
    double told = windows == 0 ? found : found + later * random.nextGaussian();
    return new Found(Math.round(told), test, Math.round(found), windows);
  }

  /**
   * Names far below their threshold and above it, just found and long ago, in a few lists and in
   * more, beside one that was public. No end misses in more than 2.5%: then 4.7% of 3,000 would be
   * seen with a probability below 1e-9, and so would 8% of either end, were it 5% together.
   */
  @ParameterizedTest
  @CsvSource({"1, 0", "1, 1", "5, 3", "5, 20", "5, 50", "10, 0"})
  void sumsOfNamesThatBarelyPassAreWithinTheirIntervals(int test, int windows) {
    long threshold = PLAN.thresholds().get(test - 1).least();
    SplittableRandom random = new SplittableRandom(test * 100L + windows);
    for (int lists : new int[] {2, 6}) {
      for (double below : new double[] {2.5, 1, -1}) {
        double truth = threshold - below * deviation(test, 0);
        int sums = 3_000;
        int tooHigh = 0;
        int tooLow = 0;
        for (int i = 0; i < sums; i++) {
          List<Count> counts = new ArrayList<>();
          for (int list = 0; list < lists; list++) {
            counts.add(passed(random, truth, test, windows, threshold));
          }
          counts.add(new Known(Math.round(deviation(0, 7) * random.nextGaussian()), 7));
          RunningNameBars.Interval interval = SUMS.of(counts);
          tooHigh += interval.low() > lists * truth ? 1 : 0;
          tooLow += interval.high() < lists * truth ? 1 : 0;
        }
        String what = lists + " lists, " + below + " deviations below";
        assertThat(tooHigh / (double) sums).as(what + ": too high").isLessThan(0.047);
        assertThat(tooLow / (double) sums).as(what + ": too low").isLessThan(0.047);
        assertThat((tooHigh + tooLow) / (double) sums).as(what).isLessThan(0.08);
      }
    }
  }

  /** As if nobody knew that they passed, which misses nearly always. */
  @Test
  void rootsOfSquaresAloneWouldNotDo() {
    long threshold = PLAN.thresholds().get(0).least();
    double truth = threshold - 2.5 * deviation(1, 0);
    SplittableRandom random = new SplittableRandom(4);
    int held = 0;
    for (int i = 0; i < 1_000; i++) {
      double told = 0;
      for (int list = 0; list < 6; list++) {
        told += passed(random, truth, 1, 1, threshold).told();
      }
      held += told - 6 * truth <= QUANTILE * deviation(1, 1) * Math.sqrt(6) ? 1 : 0;
    }
    assertThat(held).isLessThan(100);
  }

  /** Far above the threshold, and of known names, sums are known as well as if none had passed. */
  @Test
  void whatPassedByFarIsKnownAsWellAsTheRest() {
    for (int lists : new int[] {2, 10, 100}) {
      List<Count> found = new ArrayList<>();
      List<Count> known = new ArrayList<>();
      for (int i = 0; i < lists; i++) {
        found.add(new Found(2_000, 5, 1_000, 20));
        known.add(new Known(2_000, 20));
      }
      double half = QUANTILE * deviation(5, 20) * Math.sqrt(lists);
      RunningNameBars.Interval of = SUMS.of(found);
      assertThat(of.high() - 2_000 * lists).isBetween(half, half + 0.51 * lists);
      assertThat(2_000 * lists - of.low()).isBetween(half, 1.15 * half + 0.52 * lists);
      half = QUANTILE * deviation(0, 20) * Math.sqrt(lists);
      RunningNameBars.Interval ofKnown = SUMS.of(known);
      assertThat(ofKnown.high() - 2_000 * lists).isCloseTo(half + 0.5 * lists, within(0.01));
      assertThat(2_000 * lists - ofKnown.low()).isCloseTo(half + 0.5 * lists, within(0.01));
    }
  }

  /**
   * From two deviations above their thresholds on: the lower end is above the sum of the names' own
   * lower ends, each of which would be wrong less often.
   */
  @Test
  void aSumIsKnownBetterThanBonferronisWouldBe() {
    for (int lists : new int[] {2, 6, 30}) {
      double level = 0.025 / lists;
      for (double passed = 2; passed < 8; passed += 0.5) {
        long threshold = PLAN.thresholds().get(4).least();
        long told = Math.round(threshold + passed * deviation(5, 0));
        List<Count> counts = Collections.nCopies(lists, new Found(told, 5, told, 0));
        double by = (told - threshold) / deviation(5, 0);
        double bonferroni =
            lists * Math.max(0, threshold - deviation(5, 0) * PassedTail.depth(level, by));
        assertThat(SUMS.of(counts).low())
            .as("%d lists, passed by %s", lists, passed)
            .isGreaterThan(bonferroni - 0.6 * lists);
      }
    }
  }

  /** Lower ends of names that passed by nothing, or of which nobody knows how, are what is sure. */
  @Test
  void nobodyHasFewerRecordsThanNone() {
    long threshold = PLAN.thresholds().get(0).least();
    RunningNameBars.Interval barely =
        SUMS.of(Collections.nCopies(5, new Found(threshold, 1, threshold, 0)));
    assertThat(barely.low()).isZero();
    Unknown unknown = new Unknown(100, 20);
    RunningNameBars.Interval alone = SUMS.of(List.of(unknown, unknown));
    assertThat(alone.low()).isZero();
    assertThat(alone.high()).isCloseTo(201 + Math.sqrt(800), within(1e-6));
    Known known = new Known(1_000, 7);
    assertThat(SUMS.of(List.of(unknown, known)).low())
        .as("as that of the other one")
        .isCloseTo(999.5 - QUANTILE * deviation(0, 7), within(0.01));
    RunningNameBars.Interval negative = SUMS.of(List.of(new Known(-1_000, 7)));
    assertThat(negative.low()).as("what noise tells, not cut off").isLessThan(-1_000);
    assertThat(negative.high()).isBetween(-1_000.0, -900.0);
  }

  /**
   * Whole blocks as the program counts them: names that were found at any test so far, failures
   * before included, three lists at a time. Were the truth 95%, fewer than 91.5% of 2,000 would be
   * held with a probability below 1e-9.
   */
  @ParameterizedTest
  @CsvSource({"8, 2", "8, 3", "8, 6", "12, 5", "60, 6"})
  void sumsHoldTheTruthWheneverNamesWereFound(int speed, int until) {
    RunningDiscovery plan = plan("2", "0.01", 6, 2);
    RunningNameSums sums = new RunningNameSums(plan);
    KeyedRandom random = KeyedRandom.ofPublicSeed("sums at " + speed + " " + until);
    RowNoise noise = (place, mechanism, exact) -> mechanism.distribution(exact).draw(random);
    int all = 0;
    int held = 0;
    List<Count> counts = new ArrayList<>();
    for (int name = 0; name < 2_000_000 && all < 2_000; name++) {
      count(plan, speed, until, noise).ifPresent(counts::add);
      if (counts.size() == 3) {
        RunningNameBars.Interval interval = sums.of(counts);
        double truth = 3.0 * speed * until;
        held += interval.low() <= truth && truth <= interval.high() ? 1 : 0;
        all++;
        counts.clear();
      }
    }
    assertThat(all).isEqualTo(2_000);
    assertThat(held / (double) all).isGreaterThan(0.915);
  }

  private static Optional<Count> count(
      RunningDiscovery plan, int speed, int until, RowNoise noise) {
    RunningName state = RunningName.unseen(plan);
    for (int window : IntStream.rangeClosed(1, until).toArray()) {
      state = state.after(plan, window, speed, noise).next();
    }
    return state instanceof RunningName.Public found
        ? Optional.of(
            new Found(
                rounded(found.told()),
                found.test(),
                rounded(found.found()),
                (int) found.fine().windows()))
        : Optional.empty();
  }

  private static long rounded(long steps) {
    return (steps + (1L << 19)) >> 20;
  }
}
