// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.DecayingCoefficients;
import io.sfumato.mechanism.continual.RowCharge;
import io.sfumato.mechanism.continual.RowSensitivity;
import io.sfumato.mechanism.continual.Rows;
import io.sfumato.mechanism.continual.RowsWithoutNoise;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Rows of parts: how far neighbours move them, and how large the error of their sums is. */
class RunningMomentsTest {
  private static final NumberBounds BOUNDS = new NumberBounds(0, 1);
  private static final int WINDOWS = 9;

  static List<Coefficients> coefficients() {
    return List.of(
        new SquareRootCoefficients(1),
        new SquareRootCoefficients(3),
        new SquareRootCoefficients(WINDOWS),
        DecayingCoefficients.FADING);
  }

  /** Squared distance that windows' differences make in all rows. */
  private static double squares(Coefficients coefficients, long[][] windows) {
    RunningSums sums = RunningSums.start(coefficients, windows[0].length);
    Rows none = sums.rows(new long[windows[0].length]);
    double squares = 0;
    for (long[] window : windows) {
      Rows rows = sums.rows(window);
      for (long moved : rows.minus(none)) {
        squares += (double) moved * moved;
      }
      sums = sums.plus(window, RowsWithoutNoise.of(rows), 20, 1);
    }
    return squares;
  }

  /** Numbers as often at an end as anywhere, where parts move furthest. */
  private static double number(Random random) {
    return random.nextBoolean() ? random.nextInt(2) : random.nextDouble();
  }

  private static void add(MomentShape shape, Random random, long[] to, int sign) {
    int group = random.nextInt(shape.groups());
    for (int field = 0; field < shape.fields(); field++) {
      long[] parts = new BernsteinParts(BOUNDS, shape.degree()).of(number(random));
      for (int k = 0; k < parts.length; k++) {
        to[shape.place(group, field, k)] += sign * parts[k];
      }
    }
  }

  /**
   * Of up to 3 records of a user, in several categories, in every set of windows; and of a record
   * that is replaced in each of them, its category too.
   */
  @ParameterizedTest
  @MethodSource("coefficients")
  void noPatternOfWindowsMovesRowsFurther(Coefficients coefficients) {
    Random random = new Random(31);
    for (int degree = 1; degree <= 2; degree++) {
      MomentShape shape = new MomentShape(2, 2, degree);
      double[] users = charged(coefficients, MomentSensitivity.addOrRemove(degree, 2, 3));
      double[] records = charged(coefficients, MomentSensitivity.replaceOne(degree, 2));
      for (int pattern = 1; pattern < 1 << WINDOWS; pattern++) {
        long[][] user = new long[WINDOWS][shape.size()];
        long[][] record = new long[WINDOWS][shape.size()];
        for (int w = 0; w < WINDOWS; w++) {
          if ((pattern >> w & 1) == 1) {
            for (int i = random.nextInt(3); i < 3; i++) {
              add(shape, random, user[w], 1);
            }
            add(shape, random, record[w], 1);
            add(shape, random, record[w], -1);
          }
        }
        int moved = Integer.bitCount(pattern);
        double ofUser = squares(coefficients, user);
        double ofRecord = squares(coefficients, record);
        for (int most = moved; most <= WINDOWS; most++) {
          assertThat(ofUser).isLessThanOrEqualTo(moved * users[most]);
          assertThat(ofRecord).isLessThanOrEqualTo(moved * records[most]);
        }
      }
    }
  }

  /** Squares of what each window is charged, by how many there are at most. */
  private static double[] charged(Coefficients coefficients, MomentSensitivity window) {
    double[] squares = new double[WINDOWS + 1];
    for (int most = 1; most <= WINDOWS; most++) {
      double each = RowSensitivity.perWindow(window.moved(), coefficients, most).l2();
      squares[most] = each * each;
    }
    return squares;
  }

  /** Records that are all alike, in windows side by side, move them so far. */
  @ParameterizedTest
  @CsvSource({"1, 1", "4, 1", "4, 3", "16, 2", "16, 7"})
  void aUserAtAnEndMovesRowsAsFar(int band, int windows) {
    Coefficients coefficients = new SquareRootCoefficients(band);
    long[][] moved = new long[windows + band][4];
    for (int w = 0; w < windows; w++) {
      moved[w][1] = 3 * BernsteinParts.STEPS;
      moved[w][3] = 3 * BernsteinParts.STEPS;
    }
    double each =
        RowSensitivity.perWindow(
                MomentSensitivity.addOrRemove(1, 2, 3).moved(), coefficients, windows)
            .l2();
    assertThat(squares(coefficients, moved) / (windows * each * each)).isCloseTo(1, within(1e-9));
  }

  private static RunningMechanism mechanism(Coefficients coefficients) {
    CalibrationTarget request = new CalibrationTarget("mean", Epsilon.of("1"), Delta.of("1e-6"), 2);
    return RunningMoments.gaussian(request, MomentSensitivity.addOrRemove(2, 1, 3), coefficients)
        .orElseThrow()
        .mechanism();
  }

  /** While no bins are wider than a window: the norm of a row of B, whose series is 1 / c. */
  @Test
  void errorsAreThoseOfTheInverse() {
    Coefficients coefficients = new SquareRootCoefficients(8);
    int windows = 30;
    double[] inverse = new double[windows];
    inverse[0] = 1;
    for (int i = 1; i < windows; i++) {
      for (int k = 1; k <= i; k++) {
        inverse[i] -= coefficients.at(k) / (double) Coefficients.ONE * inverse[i - k];
      }
    }
    double[] sums = inverse.clone();
    Arrays.parallelPrefix(sums, Double::sum);
    RunningMechanism rows = mechanism(coefficients);
    RunningMoments moments = new RunningMoments(rows, MomentSensitivity.addOrRemove(2, 1, 3));
    for (int last : new int[] {1, 5, windows}) {
      double norm = 0;
      for (int age = 0; age < windows; age++) {
        double part = sums[age] - (age < last ? 0 : sums[age - last]);
        norm += part * part;
      }
      double expected = rows.deviation() * Math.sqrt(norm);
      double found = moments.error(windows, last).noise().deviation() / BernsteinParts.STEPS;
      // Rounding each window to a step is contained: less than 2^-15 of a record here.
      assertThat(found).isBetween(expected, expected + 0x1.0p-14);
    }
  }

  /** What a share affords is one Gaussian of all that a user's windows move. */
  @Test
  void noiseIsThatOfAllWindowsOfAUser() {
    Coefficients coefficients = new SquareRootCoefficients(8);
    RunningMechanism rows = mechanism(coefficients);
    double norm = Math.sqrt(coefficients.squaredNorm(2).doubleValue()) / Coefficients.ONE;
    // sigma of one record at (1, 1e-6): 4.2248.
    assertThat(rows.deviation()).isCloseTo(4.2248 * 3 * norm, within(0.002));
    assertThat(rows.digits()).isEqualTo(20);
    assertThat(rows.noise().digits()).isEqualTo(40);
  }

  /**
   * Laplace noise is of windows' own parts, on their grid, and costs what a window by itself does:
   * C F / epsilon for each window of a user.
   */
  @Test
  void laplaceNoiseIsThatOfWindowsByThemselves() {
    MomentSensitivity window = MomentSensitivity.addOrRemove(2, 2, 3);
    CalibrationTarget request = new CalibrationTarget("mean", Epsilon.of("1"), Delta.of("1e-6"), 4);
    Calibrated<RunningMechanism> laplace =
        RunningMoments.laplace(request, new RowCharge.OfWindow(window.moved())).orElseThrow();
    Calibrated<GridMeasurement<MomentQuery>> alone = Plans.laplace(request, window).orElseThrow();
    assertThat(laplace.mechanism().noise()).isEqualTo(alone.mechanism().noise());
    assertThat(laplace.charge().curve().at(3)).isEqualTo(alone.charge().curve().at(3));
    assertThat(laplace.releases()).isEqualTo(4);
    Calibrated<RunningMechanism> pure =
        RunningMoments.pureLaplace(
                "mean", Epsilon.of("1"), 4, new RowCharge.OfWindow(window.moved()))
            .orElseThrow();
    assertThat(pure.mechanism().noise())
        .isEqualTo(new GridLaplace(20, 4 * 3 * 2 * BernsteinParts.STEPS));
    assertThat(pure.charge().pure()).hasValue(0.25);
    assertThat(pure.releases()).isEqualTo(4);
    assertThat(pure.share().delta().value()).isZero();
  }

  /** What rows tell is the truth and whole noise, of one row as of many. */
  @Test
  void sumsOfLaplaceRowsAreSumsOfTheirNoise() {
    RunningMechanism rows =
        RunningMoments.pureLaplace(
                "mean",
                Epsilon.of("1"),
                1,
                new RowCharge.OfWindow(MomentSensitivity.addOrRemove(1, 1, 1).moved()))
            .orElseThrow()
            .mechanism();
    KeyedRandom random = KeyedRandom.ofPublicSeed("laplace rows");
    KeyedRandom same = KeyedRandom.ofPublicSeed("laplace rows");
    ToLongFunction<KeyedRandom> noise = rows.noise().sampler();
    RunningSums sums = RunningSums.start(rows.coefficients(), 2);
    long[] expected = new long[2];
    for (int w = 1; w <= 50; w++) {
      long[] window = {3L * w, (1L << 40) - w};
      Rows exact = sums.rows(window);
      sums = sums.plus(window, rows.distribution(exact).draw(random), rows.digits(), 1);
      Arrays.setAll(expected, k -> expected[k] + window[k] + noise.applyAsLong(same));
      assertThat(sums.told()).isEqualTo(expected);
    }
  }

  /** Neighbours move the rows of their own windows, in steps of the noise. */
  @Test
  void rowsMoveAsWindowsDo() {
    RunningMechanism rows =
        RunningMoments.pureLaplace(
                "mean",
                Epsilon.of("1"),
                1,
                new RowCharge.OfWindow(MomentSensitivity.addOrRemove(1, 1, 1).moved()))
            .orElseThrow()
            .mechanism();
    RunningSums sums = RunningSums.start(rows.coefficients(), 2);
    Rows with = sums.rows(new long[] {5, 7});
    Rows without = sums.rows(new long[] {9, 4});
    assertThat(rows.moved(with, without)).containsExactly(-4, 3);
    assertThat(rows.divergence(2, with, without))
        .hasValue(rows.noise().divergence(2, new long[] {5, 7}, new long[] {9, 4}));
    RunningSums next = sums.plus(new long[] {5, 7}, RowsWithoutNoise.of(with), rows.digits(), 1);
    assertThat(rows.moved(next.rows(new long[] {1, 1}), sums.rows(new long[] {1, 1})))
        .as("later rows do not hold it")
        .containsExactly(0, 0);
  }

  /** Of all parts, or of those that do not follow. */
  @Test
  void partsThatFollowAreFoundAgain() {
    MomentShape shape = new MomentShape(1, 2, 2);
    long record = BernsteinParts.STEPS;
    long[] parts = {record, 2 * record, 0, record / 2, record / 2, 2 * record};
    DrawnParts some = new DrawnParts(shape, 1);
    assertThat(some.size()).isEqualTo(4);
    assertThat(some.of(parts)).containsExactly(2 * record, 0, record / 2, 2 * record);
    assertThat(some.completed(some.of(parts), 3)).isEqualTo(parts);
    DrawnParts all = new DrawnParts(shape, 0);
    assertThat(all.of(parts)).isEqualTo(parts);
    assertThat(all.completed(parts, 99)).isEqualTo(parts);
    assertThatThrownBy(() -> new DrawnParts(new MomentShape(2, 1, 1), 1))
        .hasMessageContaining("do not follow");
  }

  @Test
  void takesAllPartsAlone() {
    RunningMechanism rows = mechanism(new SquareRootCoefficients(2));
    assertThatThrownBy(() -> new RunningMoments(rows, MomentSensitivity.replaceOneOfOneGroup(1, 1)))
        .hasMessageContaining("all parts");
    RunningMechanism whole =
        new RunningMechanism(rows.coefficients(), new GridGaussian(20, 9), 0, rows.sensitivity());
    assertThatThrownBy(() -> new RunningMoments(whole, MomentSensitivity.addOrRemove(1, 1, 1)))
        .hasMessageContaining("steps of 2^-20");
    // Rows of several windows are no multiples of coarser steps, nor of finer ones.
    for (int digits : new int[] {20, 39}) {
      assertThatThrownBy(
              () ->
                  new RunningMechanism(
                      rows.coefficients(), new GridGaussian(digits, 9), 20, rows.sensitivity()))
          .hasMessageContaining("rows of 2^-40 have no noise on 2^-" + digits);
    }
  }
}
