// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.partitionselection.RunningSelectionCalibrator;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RowsWithoutNoise;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * No way to place a user's records, and no time at which names are found, moves the rows of both
 * sequences further than is charged. All of them are tried, with rows as names have them.
 */
class TwoSequencesTest {
  private static RunningDiscovery plan(RunningBounds bounds, int windows, int every) {
    return RunningSelectionCalibrator.gaussian(
            "names", Epsilon.of("1"), Delta.of("0.01"), bounds, new TestSchedule(windows, every))
        .orElseThrow();
  }

  /** The squared move of one sequence's rows, in deviations of their noise. */
  private static double squares(RunningMechanism mechanism, long[] records) {
    RunningSums with = RunningSums.start(mechanism.coefficients(), 1);
    RunningSums without = with;
    double squares = 0;
    for (long own : records) {
      Rows some = with.rows(new long[] {own});
      Rows none = without.rows(new long[1]);
      double moved = some.minus(none)[0] / mechanism.noise().deviation();
      squares += moved * moved;
      with = with.plus(new long[] {own}, RowsWithoutNoise.of(some), 0, 0);
      without = without.plus(new long[1], RowsWithoutNoise.of(none), 0, 0);
    }
    return squares;
  }

  /**
   * The largest squared move of a name's rows in a block, whenever it is found: before the block
   * (test 0), at a test, or never.
   *
   * @param records by window
   */
  private static double squares(RunningDiscovery plan, int[] records) {
    double most = 0;
    for (int found = 0; found <= plan.tests().count() + 1; found++) {
      most = Math.max(most, squares(plan, records, found));
    }
    return most;
  }

  private static double squares(RunningDiscovery plan, int[] records, int found) {
    TestSchedule tests = plan.tests();
    int windows = tests.windows();
    int last = found == 0 ? 0 : found > tests.count() ? windows : tests.last(found);
    long[] coarse = new long[found == 0 ? 0 : Math.min(found, tests.count())];
    long[] fine = new long[windows - last];
    for (int window = 1; window <= windows; window++) {
      if (window <= last) {
        coarse[tests.of(window) - 1] += records[window - 1];
      } else {
        fine[window - last - 1] += records[window - 1];
      }
    }
    return squares(plan.coarse(), coarse) + squares(plan.fine(), fine);
  }

  /** What all charges of a user come to, of the continuous noise below. */
  private static double charged(RunningDiscovery plan, long charges) {
    double mu = plan.fine().sensitivity().l2() / plan.fine().noise().deviation();
    return charges * mu * mu;
  }

  /** The best of n records of one name, over windows from one on. */
  private static double ofName(RunningDiscovery plan, int[] so, int window, int left) {
    if (window == so.length) {
      return squares(plan, so);
    }
    double most = 0;
    for (int n = 0; n <= left; n++) {
      so[window] = n;
      most = Math.max(most, ofName(plan, so, window + 1, left - n));
    }
    so[window] = 0;
    return most;
  }

  /** Names and blocks do not meet, so that the most of several is a sum of those of each. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 3, 1",
    "2, 1, 2, 2",
    "3, 1, 4, 2",
    "3, 2, 4, 3",
    "4, 2, 6, 3",
    "5, 2, 3, 3",
    "4, 4, 4, 4"
  })
  void recordsOfAPeriodMoveRowsAtMostAsFarAsTheyAreCharged(
      int windows, int every, int records, int perName) {
    RunningDiscovery plan = plan(new RunningBounds.PerPeriod(records, perName), windows, every);
    double[] ofName = new double[perName + 1];
    for (int n = 1; n <= perName; n++) {
      ofName[n] = ofName(plan, new int[windows], 0, n);
      assertThat(ofName[n])
          .as(n + " records of one name, charged one by one")
          .isLessThanOrEqualTo(charged(plan, n));
    }
    // A name's k may lie in several blocks: so do two entries of fewer.
    double[] of = new double[records + 1];
    for (int all = 1; all <= records; all++) {
      for (int n = 1; n <= Math.min(all, perName); n++) {
        of[all] = Math.max(of[all], of[all - n] + ofName[n]);
      }
      assertThat(of[all]).isLessThanOrEqualTo(charged(plan, all));
    }
    if (records % perName == 0) {
      assertThat(of[records]).as("no less").isGreaterThan(0.999_999 * charged(plan, records));
    }
  }

  /** Every window has a part of C records for two names, in all subsets of windows. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 2, 1",
    "3, 1, 1, 2, 1",
    "3, 1, 2, 2, 1",
    "3, 2, 3, 2, 2",
    "4, 2, 2, 3, 2",
    "4, 3, 4, 2, 1",
    "4, 1, 3, 2, 2",
    "4, 4, 2, 2, 2"
  })
  void windowsMoveRowsAtMostAsFarAsTheyAreCharged(
      int windows, int every, int ofUser, int records, int perName) {
    RunningDiscovery plan =
        plan(
            new RunningBounds.PerWindow(new NameBounds(2, records, perName), ofUser),
            windows,
            every);
    double[] most = new double[ofUser + 1];
    int choices = (perName + 1) * (perName + 1);
    for (long code = 0; code < Math.round(Math.pow(choices, windows)); code++) {
      int[][] names = new int[2][windows];
      long rest = code;
      for (int window = 0; window < windows; window++) {
        names[0][window] = (int) (rest % choices) / (perName + 1);
        names[1][window] = (int) (rest % choices) % (perName + 1);
        rest /= choices;
      }
      int used = 0;
      boolean allowed = true;
      for (int window = 0; window < windows; window++) {
        int own = names[0][window] + names[1][window];
        used += own > 0 ? 1 : 0;
        allowed &= own <= records;
      }
      if (allowed && used <= ofUser && used > 0) {
        double both = squares(plan, names[0]) + squares(plan, names[1]);
        most[used] = Math.max(most[used], both);
      }
    }
    for (int used = 1; used <= ofUser; used++) {
      assertThat(most[used])
          .as(used + " windows")
          .isPositive()
          .isLessThanOrEqualTo(charged(plan, used));
    }
    if (ofUser == 1) {
      assertThat(most[1]).isGreaterThan(0.999_999 * charged(plan, 1));
    }
    assertThat(most[ofUser]).as("not far from it").isGreaterThan(0.7 * charged(plan, ofUser));
  }

  /** Both noises are continuous ones in disguise: neither tells more than is charged. */
  @ParameterizedTest
  @CsvSource({"100, 10, 32, 1", "30, 1, 5, 5", "1, 1, 4, 2", "7, 3, 9, 4"})
  void coarseRowsTellNoMoreThanFineOnes(int windows, int every, int records, int perName) {
    RunningDiscovery plan = plan(new RunningBounds.PerPeriod(records, perName), windows, every);
    double coarse = variance(plan.coarse());
    double fine = variance(plan.fine());
    double ofCoarse = plan.coarse().coefficients().squaredNorm(1).doubleValue() / coarse;
    double ofFine = plan.fine().coefficients().squaredNorm(1).doubleValue() / fine;
    assertThat(ofCoarse).isLessThanOrEqualTo(ofFine * (1 + 1e-15)).isGreaterThan(0.999 * ofFine);
    assertThat(plan.coarse().charge().profile().orElseThrow().delta(0.1))
        .isLessThanOrEqualTo(plan.charge().profile().orElseThrow().delta(0.1) * (1 + 1e-9));
    assertThat(Arrays.asList(plan.coarse().noise().digits(), plan.fine().noise().digits()))
        .containsOnly(Coefficients.DIGITS);
  }

  private static double variance(RunningMechanism mechanism) {
    double deviation = mechanism.noise().deviation();
    return deviation * deviation - 16;
  }

  /** What the columns of windows have in common, summed up over all pairs of W side by side. */
  private static double inCommon(Coefficients coefficients, int ofUser, int every) {
    double sum = 0;
    for (int v = 0; v < ofUser; v++) {
      for (int w = 0; w < ofUser; w++) {
        int apart = Math.abs(v - w) / every;
        for (int k = 0; k < coefficients.band() - apart; k++) {
          sum += coefficients.at(k) * (double) coefficients.at(k + apart);
        }
      }
    }
    return sum;
  }

  /** Longer bands than short blocks have: the rows behind a window have parts of the others too. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1, 1",
    "2, 1, 4, 4",
    "3, 1, 30, 30",
    "4, 3, 5, 2",
    "5, 2, 7, 20",
    "7, 4, 2, 3"
  })
  void windowsSideBySideMoveAsFarAsTheirColumnsAddedUp(
      int ofUser, int every, int coarseBand, int fineBand) {
    Coefficients coarse = new SquareRootCoefficients(coarseBand);
    Coefficients fine = new SquareRootCoefficients(fineBand);
    TwoSequences moves =
        TwoSequences.perWindow(
            new RunningBounds.PerWindow(new NameBounds(1, 1, 1), ofUser),
            new TestSchedule(60, every),
            coarse,
            fine);
    double ofCoarse = inCommon(coarse, ofUser, every);
    double ofFine = inCommon(fine, ofUser, 1);
    assertThat(moves.ratio()).isCloseTo(Math.sqrt(ofCoarse / ofFine), within(1e-9));
    double least = Math.sqrt(ofFine / ofUser);
    // Windows in the middle have more in common in one sequence than in the other.
    assertThat(moves.fine().l2()).isBetween(least, least * 1.1);
    if (every == 1) {
      assertThat(ofFine).isCloseTo(fine.squaredNorm(ofUser).doubleValue(), within(1e-9 * ofFine));
      assertThat(moves.fine().l2())
          .isCloseTo(least, within(coarseBand == fineBand ? 1e-9 * least : least));
    }
  }
}
