// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CountTest {
  private static CalibrationTarget request(String epsilon, long windows) {
    return new CalibrationTarget("n", Epsilon.of(epsilon), Delta.of("1e-6"), windows);
  }

  /** Loss of all windows that a plan affords. */
  private static double epsilonOf(Calibrated<CountMeasurement<CountQuery>> plan) {
    RenyiCurve all = RenyiCurve.zero().plus(plan.releases(), plan.mechanism().charge().curve());
    return Conversion.epsilon(all, 1e-6);
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "1, 5, 1", "0.5, 3, 30", "8, 2, 365"})
  void theNoiseIsTheLeastThatTheShareAffords(String epsilon, int records, long windows) {
    Sensitivity sensitivity = Sensitivity.addOrRemove(records);
    for (Calibrated<CountMeasurement<CountQuery>> plan :
        List.of(
            VectorCalibrator.gaussianWindows(
                    request(epsilon, windows), new CountQuery(), sensitivity)
                .orElseThrow(),
            VectorCalibrator.laplaceWindows(
                    request(epsilon, windows), new CountQuery(), sensitivity)
                .orElseThrow())) {
      double bound = Double.parseDouble(epsilon);
      assertThat(plan.releases()).isEqualTo(windows);
      assertThat(epsilonOf(plan)).isBetween(0.96 * bound, bound);
    }
    assertThat(
            VectorCalibrator.laplaceWindows(request(epsilon, 1), new CountQuery(), sensitivity)
                .orElseThrow()
                .mechanism()
                .charge()
                .pure()
                .orElseThrow())
        .as("one pure release is nearly all of epsilon")
        .isBetween(0.98 * Double.parseDouble(epsilon), Double.parseDouble(epsilon));
  }

  @Test
  void oneGaussianWindowHasTheCurveOfItsSensitivity() {
    CountMeasurement<CountQuery> mechanism =
        new CountMeasurement<>(
            new CountQuery(), Sensitivity.addOrRemove(3), new GaussianNoise(100 << 10));
    assertThat(mechanism.charge().curve().at(8)).isCloseTo(8 * 9 / 200.0, within(1e-12));
    assertThat(mechanism.charge().mechanism())
        .isEqualTo("discrete-gaussian add-or-remove-3 sigma^2=102400/2^10");
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 2", "4, 3", "64, 7", "100, 7", "1000, 10"})
  void aTreeHasALevelForEachPowerOfTwo(int windows, int levels) {
    assertThat(new CountTree(windows).levels()).isEqualTo(levels);
    Sensitivity one = new CountTree(windows).perWindow(Sensitivity.addOrRemove(3), 1);
    assertThat(one.squaredL2()).isEqualTo(9.0 * levels);
    assertThat(one.l1()).isEqualTo(3.0 * levels);
  }

  /** All patterns of windows of a user in a small tree, by brute force. */
  @ParameterizedTest
  @CsvSource({"1", "2", "5", "8", "11"})
  void theChargesOfAUsersWindowsCoverTheirCommonLoss(int windows) {
    CountTree tree = new CountTree(windows);
    for (int pattern = 1; pattern < 1 << windows; pattern++) {
      int most = Integer.bitCount(pattern);
      double squares = 0;
      double sum = 0;
      for (int level = 0; level < tree.levels(); level++) {
        int size = 1 << level;
        for (int from = 0; from + size <= windows; from += size) {
          int inNode = Integer.bitCount(pattern >> from & (1 << size) - 1);
          squares += inNode * inNode;
          sum += inNode;
        }
      }
      Sensitivity charged = tree.perWindow(Sensitivity.addOrRemove(1), most);
      assertThat(most * charged.squaredL2()).isGreaterThanOrEqualTo(squares);
      assertThat(most * charged.l1()).isGreaterThanOrEqualTo(sum);
    }
  }

  @Test
  void aRunningCountIsTheSumOfItsWindowsAndOfOneNoiseALevel() {
    Random random = new Random(3);
    RunningCount running = RunningCount.START;
    long truth = 0;
    long noise = 1;
    for (int window = 1; window <= 100; window++) {
      ExactVector counts = new ExactVector(random.nextInt(50));
      truth += counts.of(0);
      ExactVector exact = running.completedBy(counts);
      // A noise of its own for each node: their sum tells which nodes were added up.
      running =
          running.plus(
              new RunningCount.Node(exact, new NoisyVector(exact.of(0) + noise * 1_000_000)));
      assertThat(running.draws()).isEqualTo(Integer.bitCount(window));
      assertThat(running.nodes().stream().mapToLong(n -> n.exact().of(0)).sum()).isEqualTo(truth);
      assertThat((running.noisy().of(0) - truth) % 1_000_000).isZero();
      noise++;
    }
  }

  /** Against the empirical tail: 1e5 sums; the bounds fail by chance below 1e-9 (Hoeffding). */
  @ParameterizedTest
  @CsvSource({"1", "3", "7"})
  void errorBarsHoldWhatTheySay(int draws) {
    KeyedRandom random = KeyedRandom.ofPublicSeed("error bars of counts " + draws);
    for (AdditiveNoise noise :
        new AdditiveNoise[] {new GaussianNoise(400 << 10), new LaplaceNoise(1 << 15)}) {
      long half = noise.halfWidth(draws);
      int inside = 0;
      int all = 100_000;
      for (int i = 0; i < all; i++) {
        long sum = 0;
        for (int draw = 0; draw < draws; draw++) {
          sum += noise.sampler().applyAsLong(random);
        }
        inside += Math.abs(sum) <= half ? 1 : 0;
      }
      // sqrt(ln(2/1e-9) / (2 * 1e5)) = 0.0104; whole numbers round the bar up.
      assertThat(inside / (double) all).as(noise.toString()).isBetween(0.95 - 0.0104, 0.975);
    }
  }

  @Test
  void laplaceTailsAgreeWithClosedForms() {
    for (double x : new double[] {0, 0.5, 2, 7}) {
      assertThat(LaplaceNoise.tail(x, 1)).isCloseTo(Math.exp(-x), within(1e-12));
      assertThat(LaplaceNoise.tail(x, 2)).isCloseTo(Math.exp(-x) * (1 + x / 2), within(1e-12));
    }
  }

  @Test
  void refusesWhatIsNoCount() {
    assertThatThrownBy(() -> new ExactVector()).hasMessageContaining("at least one");
    assertThatThrownBy(() -> new CountTree(0)).hasMessageContaining("1 to 1048576");
    assertThatThrownBy(() -> Sensitivity.addOrRemove(0)).hasMessageContaining("at least 1");
    assertThatThrownBy(() -> new ExactVector(1, 2).plus(new ExactVector(1)))
        .hasMessageContaining("do not add up");
    assertThat(new ExactVector(5, 6)).hasToString("ExactVector[2 numbers]");
  }
}
