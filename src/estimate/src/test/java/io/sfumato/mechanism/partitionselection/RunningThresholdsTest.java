// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.continual.BestLags;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.estimate.partitionselection.SelectionCalibrator;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Names of one user alone pass no test of a block with more than what is set aside for it. */
class RunningThresholdsTest {
  private static RunningDiscovery plan(
      String epsilon, String delta, RunningBounds bounds, int windows, int every) {
    return RunningSelectionCalibrator.gaussian(
            "names", Epsilon.of(epsilon), Delta.of(delta), bounds, new TestSchedule(windows, every))
        .orElseThrow();
  }

  private static double phi(double x) {
    return Math.exp(StandardNormal.lnPhi(x));
  }

  /** Windows that stand alone are Theorem M's: the same threshold, noise and parts of delta. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1",
    "4, 4, 1, 7",
    "3, 8, 4, 1",
    "3, 7, 4, 10",
    "5, 5, 5, 3",
    "2, 9, 9, 100"
  })
  void oneWindowIsTheoremM(int names, int records, int perName, int windows) {
    NameBounds window = new NameBounds(names, records, perName);
    SelectionCalibrator.Found alone =
        SelectionCalibrator.gaussian(
                new CalibrationTarget("names", Epsilon.of("1"), Delta.of("1e-6"), windows), window)
            .orElseThrow();
    RunningDiscovery plan = plan("1", "1e-6", new RunningBounds.PerWindow(window, windows), 1, 1);
    assertThat(plan.thresholds()).containsExactly(alone.threshold());
    assertThat(plan.thresholdDelta()).isEqualByComparingTo(alone.thresholdDelta());
    long apart = plan.fine().noise().steps() - alone.noise().noise().steps();
    assertThat(apart).as("steps").isBetween(0L, 1 + (plan.fine().noise().steps() >> 30));
    assertThat(plan.coarse().noise().steps()).isEqualTo(plan.fine().noise().steps());
  }

  /** Every way to give records to names, all of them before the first test. */
  private static List<List<Integer>> splits(int records, int most) {
    List<List<Integer>> found = new ArrayList<>();
    found.add(List.of());
    for (int first = 1; first <= Math.min(records, most); first++) {
      for (List<Integer> rest : splits(records - first, first)) {
        List<Integer> split = new ArrayList<>(rest);
        split.add(0, first);
        found.add(split);
      }
    }
    return found;
  }

  /** P[no test of two passes], by Simpson's rule over the first row's noise. */
  private static double neither(RunningDiscovery plan, int first, int second) {
    double sigma = plan.coarse().deviation();
    double c = plan.coarse().coefficients().at(1) / (double) (1 << 20);
    double b = 1 - c;
    double tau1 = plan.thresholds().get(0).least();
    double tau2 = plan.thresholds().get(1).least();
    int steps = 4000;
    double from = -10;
    double to = (tau1 - first) / sigma;
    double width = (to - from) / steps;
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      double z = from + i * width;
      int times = i == 0 || i == steps ? 1 : i % 2 == 1 ? 4 : 2;
      sum +=
          times
              * Math.exp(StandardNormal.lnDensity(z))
              * phi((tau2 - first - second) / sigma - b * z);
    }
    return sum * width / 3;
  }

  /** Of two tests, whose estimates go together: the law of both, for every split and placement. */
  @ParameterizedTest
  @CsvSource({"1, 1, 0.1", "3, 1, 0.02", "4, 2, 0.1", "5, 5, 0.01", "4, 4, 1e-6"})
  void namesOfOneUserPassTwoTestsWithNoMoreThanTheirPart(int records, int perName, String delta) {
    RunningDiscovery plan = plan("1", delta, new RunningBounds.PerPeriod(records, perName), 2, 1);
    double part = plan.thresholdDelta().doubleValue();
    double worst = 0;
    for (List<Integer> split : splits(records, perName)) {
      double none = 1;
      for (int own : split) {
        double least = 1;
        for (int second = 0; second <= own; second++) {
          least = Math.min(least, neither(plan, own - second, second));
        }
        none *= least;
      }
      worst = Math.max(worst, 1 - none);
    }
    assertThat(worst).isLessThanOrEqualTo(part).isGreaterThan(part / 6);
  }

  /**
   * The whole of Theorem N, of two windows with a test each: a name that both neighbours have, with
   * records of the user, beside one that the user alone has. Every density of what is published is
   * summed up on a fine grid, for every placement, in both directions.
   */
  @ParameterizedTest
  @CsvSource({"0.5, 0.1", "1, 0.1", "2, 0.01"})
  void whatIsPublishedOfTwoWindowsIsWithinTheClaim(String epsilon, String delta) {
    RunningDiscovery plan = plan(epsilon, delta, new RunningBounds.PerPeriod(2, 1), 2, 1);
    double claimed = new Delta(new BigDecimal(delta)).roundedDown();
    double eps = Double.parseDouble(epsilon);
    double worst = 0;
    for (int others : new int[] {1, (int) plan.thresholds().get(0).least()}) {
      for (int[] shared : new int[][] {{1, 0}, {0, 1}}) {
        for (int[] own : new int[][] {{1, 0}, {0, 1}}) {
          double passes = 1 - neither(plan, own[0], own[1]);
          // Where the user's record comes later, the name is not yet tested, which is less.
          Published with = new Published(plan, others + shared[0], shared[1]);
          Published without = new Published(plan, others, 0);
          double forth = passes + with.beyond(without, 1 - passes, Math.exp(eps));
          double back = without.beyond(with, 1, Math.exp(eps) * (1 - passes));
          assertThat(forth).isLessThanOrEqualTo(claimed);
          assertThat(back).isLessThanOrEqualTo(claimed);
          worst = Math.max(worst, Math.max(forth, back));
        }
      }
    }
    assertThat(worst).as("nor is it far from it").isGreaterThan(claimed / 50);
  }

  /** What is published of a name with so many records in either window. */
  private record Published(RunningDiscovery plan, int first, int second) {
    private static final int STEPS = 500;

    private double sigma() {
      return plan.coarse().deviation();
    }

    private double tau(int test) {
      return plan.thresholds().get(test - 1).least();
    }

    private double b() {
      return 1 - plan.coarse().coefficients().at(1) / (double) (1 << 20);
    }

    /** Found at the first test with y, then a fine row. */
    private double atFirst(double y, double fine) {
      double a = (y - first) / sigma();
      double f = (fine - second) / plan.fine().deviation();
      return Math.exp(StandardNormal.lnDensity(a) + StandardNormal.lnDensity(f))
          / (sigma() * plan.fine().deviation());
    }

    /** Found at the second test with y: over the estimates that failed the first one. */
    private double atSecond(double y) {
      // y - first - second = b z1 + z2: z1 given that is normal.
      double norm = 1 + b() * b();
      double u = (y - first - second) / sigma();
      double failed = ((tau(1) - first) / sigma() - b() * u / norm) * Math.sqrt(norm);
      return Math.exp(StandardNormal.lnDensity(u / Math.sqrt(norm)))
          / (sigma() * Math.sqrt(norm))
          * phi(failed);
    }

    /** The sum of what is above so many times the other, over all that may be published. */
    double beyond(Published other, double times, double factor) {
      double reach = 9 * sigma() + first + second;
      double step = reach / STEPS;
      double fineReach = 9 * plan.fine().deviation();
      double fineStep = 2 * fineReach / STEPS;
      double sum =
          Math.max(
              0,
              times * neither(plan, first, second)
                  - factor * neither(plan, other.first, other.second));
      for (int i = 0; i < STEPS; i++) {
        double y = tau(1) + (i + 0.5) * step;
        for (int j = 0; j < STEPS; j++) {
          double fine = -fineReach + (j + 0.5) * fineStep;
          sum +=
              step
                  * fineStep
                  * Math.max(0, times * atFirst(y, fine) - factor * other.atFirst(y, fine));
        }
        double late = tau(2) + (i + 0.5) * step;
        sum += step * Math.max(0, times * atSecond(late) - factor * other.atSecond(late));
      }
      return sum;
    }
  }

  /**
   * Names as the program has them, with noise as it draws it, of 20,000 users who have names of
   * their own. By Bernstein's inequality a plan that keeps to its part fails this with a
   * probability below 1e-9.
   */
  @Tag("deep")
  @ParameterizedTest
  @CsvSource({"6, 2, 3, 1", "5, 2, 2, 2", "40, 1, 1, 1"})
  void namesOfOneUserPassRarely(int windows, int every, int records, int perName) {
    RunningDiscovery plan =
        plan("2", "0.2", new RunningBounds.PerPeriod(records, perName), windows, every);
    int users = 20_000;
    KeyedRandom random = KeyedRandom.ofPublicSeed("own names " + windows);
    RowNoise noise = (place, mechanism, exact) -> mechanism.distribution(exact).draw(random);
    int passed = 0;
    for (int user = 0; user < users; user++) {
      boolean any = false;
      for (int name = 0; name < records / perName; name++) {
        RunningName state = RunningName.unseen(plan);
        for (int window = 1; window <= windows; window++) {
          state = state.after(plan, window, window == 1 ? perName : 0, noise).next();
        }
        any |= state instanceof RunningName.Public;
      }
      passed += any ? 1 : 0;
    }
    double most = users * plan.thresholdDelta().doubleValue();
    double ln = Math.log(1e9);
    assertThat((double) passed)
        .isLessThan(most + ln / 3 + Math.sqrt(ln * ln / 9 + 2 * ln * most))
        .isGreaterThan(most / 10);
  }

  /** More windows, more records and smaller deltas never lower a threshold. */
  @Test
  void thresholdsRiseWithWhatAUserMayDo() {
    long least = 0;
    for (int records : new int[] {1, 2, 8, 32}) {
      RunningDiscovery plan = plan("6", "1e-9", new RunningBounds.PerPeriod(records, 1), 100, 10);
      assertThat(plan.thresholds().get(9).least()).isGreaterThan(least);
      least = plan.thresholds().get(9).least();
    }
    assertThat(least).as("32 records in 100 windows").isEqualTo(73);
    assertThat(
            plan("1", "1e-6", new RunningBounds.PerWindow(new NameBounds(1, 1, 1), 3), 10, 2)
                .thresholds()
                .get(4)
                .least())
        .isGreaterThan(
            plan("1", "1e-6", new RunningBounds.PerWindow(new NameBounds(1, 1, 1), 1), 10, 2)
                .thresholds()
                .get(4)
                .least());
  }

  @Test
  void shouldSayWhichBlocksCannotBe() {
    assertThatThrownBy(() -> new TestSchedule(10, 11))
        .hasMessageContaining("every 1 to 10 windows");
    assertThatThrownBy(() -> new TestSchedule(0, 1)).hasMessageContaining("1 to 65536 windows");
    assertThatThrownBy(() -> new TestSchedule(5000, 1))
        .hasMessageContaining("test every 5 windows");
    assertThat(new TestSchedule(5000, 5).count()).isEqualTo(1000);
    assertThatThrownBy(() -> new RunningBounds.PerWindow(new NameBounds(1, 10, 1), 200_000))
        .hasMessageContaining("at most 1000000 records in all");
  }

  /** Half of the chance is the last test's, and the others have equal parts of the other half. */
  @ParameterizedTest
  @CsvSource({
    "0.02, 0.2, 1, 1, 1, 500, 3",
    "0.02, 0.2, 2, 1, 1, 500, 1",
    "0.02, 0.2, 5, 2, 4, 500, 1",
    "0.1, 1e-6, 12, 3, 3, 1, 2"
  })
  void everyTestHasItsPartAndNoMore(
      String epsilon, String delta, int windows, int every, int names, int perName, int ofUser) {
    RunningBounds bounds =
        new RunningBounds.PerWindow(new NameBounds(names, names * perName, perName), ofUser);
    RunningDiscovery plan = plan(epsilon, delta, bounds, windows, every);
    RunningBounds.Exposed exposed = bounds.exposed(plan.tests());
    int tests = plan.tests().count();
    CoarseEstimates estimates = new CoarseEstimates(plan.coarse(), tests);
    double all = plan.thresholdDelta().doubleValue();
    for (int test = 1; test <= tests; test++) {
      int number = test;
      double part = test == tests ? all / 2 : all / 2 / (tests - 1);
      double most =
          tests == 1
              ? 1 - Math.pow(1 - all, 1.0 / exposed.times())
              : 1 - Math.exp(-part / exposed.times());
      long least = plan.thresholds().get(test - 1).least();
      assertThat(Threshold.passing(x -> estimates.tail(number, x), exposed.names(), least))
          .as("test %d of %d", test, tests)
          .isLessThanOrEqualTo(most);
      assertThat(Threshold.passing(x -> estimates.tail(number, x), exposed.names(), least - 1))
          .as("test %d of %d, one less", test, tests)
          .isGreaterThan(most * (1 - 1e-9));
      assertThat(plan.passing(test, 1)).isEqualTo(estimates.tail(test, least - 1.0));
    }
    assertThat(plan.ratio())
        .isCloseTo(
            bounds
                .moves(plan.tests(), plan.coarse().coefficients(), plan.fine().coefficients())
                .ratio(),
            within(1e-12));
    assertThatThrownBy(
            () ->
                new RunningDiscovery(
                    plan.tests(),
                    bounds,
                    plan.coarse(),
                    plan.fine(),
                    List.of(),
                    plan.filter(),
                    plan.thresholdDelta()))
        .hasMessageContaining(tests + " tests have 0 thresholds");
  }

  /** The most noise of which sums of 65,536 windows stay within 64 bits: 2^44 steps. */
  @Test
  void moreNoiseThanSumsHaveRoomForIsNoPlan() {
    RunningBounds bounds = new RunningBounds.PerWindow(new NameBounds(1, 1, 1), 2);
    long steps = 0;
    for (double epsilon = 1e-5; epsilon > 1e-8; epsilon /= 1.3) {
      var plan =
          RunningSelectionCalibrator.gaussian(
              "names",
              new Epsilon(new BigDecimal(epsilon, new MathContext(3))),
              Delta.of("1e-10"),
              bounds,
              new TestSchedule(2, 2));
      if (plan.isEmpty()) {
        break;
      }
      steps = plan.get().coarse().noise().steps();
    }
    assertThat(steps).isBetween(1L << 43, 1L << 44);
  }

  /**
   * The root errs least at the last test; where a user's windows meet several rows it costs more.
   */
  @Test
  void coarseRowsAreTheRootsWhereAUserIsInOneOfThem() {
    NameBounds window = new NameBounds(1, 1, 1);
    for (int ofUser = 1; ofUser <= 2; ofUser++) {
      RunningDiscovery plan = plan("1", "1e-6", new RunningBounds.PerWindow(window, ofUser), 30, 2);
      assertThat(plan.coarse().coefficients()).isEqualTo(new SquareRootCoefficients(15));
    }
    RunningDiscovery three = plan("1", "1e-6", new RunningBounds.PerWindow(window, 3), 30, 2);
    assertThat(three.coarse().coefficients()).isEqualTo(BestLags.of(new Horizon.Until(15), 2));
  }
}
