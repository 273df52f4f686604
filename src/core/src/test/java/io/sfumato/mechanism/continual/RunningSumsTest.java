// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RunningSumsTest {
  static List<Coefficients> coefficients() {
    return List.of(
        new SquareRootCoefficients(1),
        new SquareRootCoefficients(2),
        new SquareRootCoefficients(33),
        new SquareRootCoefficients(70),
        new SquareRootCoefficients(300),
        DecayingCoefficients.FADING);
  }

  /** Against the matrix that the bins make, in whole numbers. */
  @ParameterizedTest
  @MethodSource("coefficients")
  void rowsAreThoseOfTheMatrix(Coefficients coefficients) {
    int windows = 300;
    long[][] c = CoefficientsTest.matrix(coefficients, windows);
    Random random = new Random(11);
    RunningSums sums = RunningSums.start(coefficients, 2);
    long[][] held = new long[windows][];
    for (int row = 0; row < windows; row++) {
      long[] window = {random.nextInt(1000), random.nextInt(1 << 30)};
      held[row] = window;
      long[] exact = new long[2];
      for (int column = 0; column <= row; column++) {
        exact[0] += c[row][column] * held[column][0];
        exact[1] += c[row][column] * held[column][1];
      }
      Rows rows = sums.rows(window);
      assertThat(rows.bits()).endsWith(exact);
      sums = sums.plus(window, rows.plus(new long[] {random.nextInt(1 << 24), 5}, 0), 0, 3);
    }
  }

  /** Without noise they tell the truth, whatever is in bins: B C = A. */
  @ParameterizedTest
  @MethodSource("coefficients")
  void withoutNoiseTheyAreExact(Coefficients coefficients) {
    Random random = new Random(12);
    for (int digits : new int[] {0, 20}) {
      RunningSums sums = RunningSums.start(coefficients, 1);
      List<Long> held = new ArrayList<>();
      for (int row = 0; row < 700; row++) {
        long[] window = {random.nextInt(1000) * (digits == 0 ? 1L : 1_048_575L)};
        held.add(window[0]);
        sums = sums.plus(window, sums.rows(window).plus(new long[1], 0), digits, 9);
        sums = RunningSums.decode(sums.encode(), coefficients, 1).orElseThrow();
        double scale = digits == 0 ? 1 : 1 << 20;
        double all = held.stream().mapToLong(x -> x).sum() / scale;
        int from = Math.max(0, held.size() - 9);
        double last = held.subList(from, held.size()).stream().mapToLong(x -> x).sum() / scale;
        // Each window's word is rounded to half a step, and roundings add up.
        double off = (row + 1) * 0x1.0p-20;
        assertThat(sums.told()[0] * 0x1.0p-20).isCloseTo(all, within(off));
        assertThat(sums.toldOf(9)[0] * 0x1.0p-20).isCloseTo(last, within(off));
        assertThat(sums.windows()).isEqualTo(row + 1);
      }
    }
  }

  /** Noise comes through as the variance says: one window's noise at a time. */
  @ParameterizedTest
  @MethodSource("coefficients")
  void noiseSpreadsAsTheVarianceSays(Coefficients coefficients) {
    int windows = 150;
    for (int last : new int[] {1, 7, windows}) {
      double[] parts = new RunningVariance(coefficients).noiseParts(windows, last);
      for (int noisy = 0; noisy < windows; noisy += 7) {
        RunningSums sums = RunningSums.start(coefficients, 1);
        for (int row = 0; row < windows; row++) {
          long noise = row == noisy ? 1L << 50 : 0;
          Rows rows = sums.rows(new long[1]);
          sums = sums.plus(new long[1], rows.plus(new long[] {noise}, 0), 0, last);
        }
        assertThat(sums.toldOf(last)[0] * 0x1.0p-50).isCloseTo(parts[noisy], within(1e-9));
      }
    }
  }

  /** Rounding a window's word to half a step moves a sum of n by less than n steps, and one. */
  @ParameterizedTest
  @MethodSource("coefficients")
  void roundingsMoveSumsByAStepAWindow(Coefficients coefficients) {
    for (int windows : new int[] {1, 30, 400, 3000}) {
      for (int last : new int[] {1, 7, 100, windows}) {
        int summed = Math.min(last, windows);
        double moved = 0;
        for (double part : new RunningVariance(coefficients).noiseParts(windows, summed)) {
          moved += Math.abs(part) / 2;
        }
        assertThat(moved).isLessThan(summed + 0.5);
      }
    }
  }

  @Test
  void keepsLittleOfALongPast() {
    RunningSums sums = RunningSums.start(DecayingCoefficients.FADING, 1);
    int most = 0;
    for (int row = 0; row < 20_000; row++) {
      long[] window = {1_000_000 + row};
      sums = sums.plus(window, sums.rows(window).plus(new long[] {1L << 30}, 0), 0, 1);
      most = Math.max(most, sums.encode().length);
    }
    assertThat(most).isLessThan(6_000);
  }

  @ParameterizedTest
  @MethodSource("coefficients")
  void hasNoMoreBinsThanItSays(Coefficients coefficients) {
    RunningSums sums = RunningSums.start(coefficients, 1);
    for (int row = 1; row <= 3_000; row++) {
      sums = sums.plus(new long[1], sums.rows(new long[1]).plus(new long[1], 0), 0, 0);
      int numbers = sums.encode().length - coefficients.word().length();
      assertThat((numbers - 8) / 2)
          .isLessThanOrEqualTo(RunningSums.mostBins(coefficients, row) + 1);
    }
  }

  @Test
  void otherCoefficientsOrGroupsAreNotReadOn() {
    byte[] kept = RunningSums.start(new SquareRootCoefficients(4), 2).encode();
    assertThat(RunningSums.decode(kept, new SquareRootCoefficients(4), 2)).isPresent();
    assertThat(RunningSums.decode(kept, new SquareRootCoefficients(5), 2)).isEmpty();
    assertThat(RunningSums.decode(kept, new SquareRootCoefficients(4), 3)).isEmpty();
    assertThat(RunningSums.start(new SquareRootCoefficients(4), 2))
        .hasToString("RunningSums[0 windows]");
  }
}
