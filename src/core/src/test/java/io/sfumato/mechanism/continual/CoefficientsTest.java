// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.math.BigInteger;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("deep")
class CoefficientsTest {
  private static final GridSensitivity THREE =
      new GridSensitivity("add-or-remove-3", PrivacyUnit.USER, 1, 3, 3);

  /** C of so many windows, as the bins make it, in steps: row, column. */
  static long[][] matrix(Coefficients coefficients, int windows) {
    long[][] c = new long[windows][windows];
    for (int row = 0; row < windows; row++) {
      c[row][row] = Coefficients.ONE;
      int window = 0;
      for (long width : new WindowBins(row).widths()) {
        int oldest = window;
        for (int i = 0; i < width; i++) {
          c[row][window++] = coefficients.at(row - oldest);
        }
      }
    }
    return c;
  }

  private static double moved(long[][] c, int[] records) {
    double squares = 0;
    for (long[] row : c) {
      double sum = 0;
      for (int j = 0; j < records.length; j++) {
        sum += row[j] * (double) records[j];
      }
      squares += sum * sum;
    }
    return Math.sqrt(squares);
  }

  /** No set of windows, and no signs, move rows by more than what they are charged. */
  @Test
  void noPatternOfTwelveWindowsMovesRowsFurther() {
    for (Coefficients coefficients :
        List.of(
            new SquareRootCoefficients(1),
            new SquareRootCoefficients(3),
            new SquareRootCoefficients(12),
            DecayingCoefficients.FADING)) {
      long[][] c = matrix(coefficients, 12);
      double[] worst = new double[13];
      for (int pattern = 1; pattern < 1 << 12; pattern++) {
        int[] records = new int[12];
        for (int i = 0; i < 12; i++) {
          records[i] = (pattern >> i & 1) * 3;
        }
        int windows = Integer.bitCount(pattern);
        worst[windows] = Math.max(worst[windows], moved(c, records));
      }
      for (int most = 1; most <= 12; most++) {
        GridSensitivity charged = RowSensitivity.perWindow(THREE, coefficients, most);
        for (int windows = 1; windows <= most; windows++) {
          assertThat(worst[windows])
              .as(coefficients + ", " + windows + " of at most " + most)
              .isLessThanOrEqualTo(Math.sqrt(windows) * charged.l2() * (1 + 1e-12));
        }
      }
      // And it is no bound from far: the first windows of many are the worst.
      double bound = 3 * Math.sqrt(coefficients.squaredNorm(1).doubleValue());
      assertThat(worst[1])
          .isBetween(
              (coefficients == DecayingCoefficients.FADING ? 0.7 : 1 - 1e-12) * bound,
              bound * (1 + 1e-12));
    }
  }

  @Test
  void binsMoveRowsByNoMore() {
    Random random = new Random(7);
    int windows = 260;
    for (Coefficients coefficients :
        List.of(
            new SquareRootCoefficients(40),
            new SquareRootCoefficients(windows),
            DecayingCoefficients.FADING)) {
      long[][] c = matrix(coefficients, windows);
      for (int row = 0; row < windows; row++) {
        for (int column = 0; column <= row; column++) {
          assertThat(c[row][column]).isBetween(0L, coefficients.at(row - column));
        }
      }
      for (int run = 0; run < 300; run++) {
        int most = 1 + random.nextInt(40);
        int from = run % 3 == 0 ? 0 : random.nextInt(windows - most);
        int[] records = new int[windows];
        for (int i = 0; i < most; i++) {
          int window = run % 2 == 0 ? from + i : random.nextInt(windows);
          records[window] = random.nextInt(8) == 0 ? -3 : 3;
        }
        assertThat(moved(c, records))
            .isLessThanOrEqualTo(
                Math.sqrt(most)
                    * RowSensitivity.perWindow(THREE, coefficients, most).l2()
                    * (1 + 1e-12));
      }
    }
  }

  /** Two sequences that begin anew, of one subject or of several. */
  @Test
  void sequencesTogetherMoveByNoMore() {
    for (Coefficients coefficients :
        List.of(
            new SquareRootCoefficients(5),
            new SquareRootCoefficients(30),
            DecayingCoefficients.FADING)) {
      for (int all = 2; all <= 30; all++) {
        for (int first = 1; first < all; first++) {
          assertThat(coefficients.squaredNorm(first).add(coefficients.squaredNorm(all - first)))
              .isLessThanOrEqualTo(coefficients.squaredNorm(all));
        }
      }
    }
  }

  @Test
  void fadingOnesDoNotRiseAndAreThoseOfTheFormula() {
    Coefficients coefficients = DecayingCoefficients.FADING;
    long before = Coefficients.ONE;
    for (long lag = 0; lag < 1L << 25; lag = lag < 70_000 ? lag + 1 : lag + lag / 1000) {
      long here = coefficients.at(lag);
      assertThat(here).isBetween(0L, before);
      before = here;
    }
    double root = 1;
    for (int lag = 0; lag < 400_000; lag++) {
      double fading = 1 + Math.log1p(lag) / 20;
      assertThat((double) coefficients.at(lag))
          .isCloseTo(root / (fading * fading) * Coefficients.ONE, within(2.0));
      root *= (2.0 * lag + 1) / (2.0 * lag + 2);
    }
    assertThat(coefficients.at((1L << 24) - 1)).isPositive();
    assertThat(coefficients.at(1L << 24)).isZero();
    assertThat(coefficients.band()).isEqualTo(1L << 24);
  }

  /** The tail is bounded, not left out: more exact sums come nearer from below. */
  @Test
  void fadingNormsAreBoundsAndNotFarOff() {
    for (int windows : new int[] {1, 7, 60}) {
      double bound = DecayingCoefficients.FADING.squaredNorm(windows).doubleValue();
      double sum = 0;
      double row = 0;
      for (int i = 0; i < 1 << 21; i++) {
        row +=
            DecayingCoefficients.FADING.at(i)
                - (i < windows ? 0 : DecayingCoefficients.FADING.at(i - windows));
        sum += row * row;
      }
      // What lies beyond is an integral again, here without any rounding upward.
      double from = 1 + Math.log(1 << 21) / 20;
      double to = 1 + Math.log(Math.pow(2, 24)) / 20;
      double beyond =
          20 / (3 * Math.PI) * (Math.pow(from, -3) - Math.pow(to, -3)) * Math.pow(2, 40);
      double exact = sum + windows * (double) windows * beyond;
      assertThat(bound).isBetween(exact * (1 - 1e-3), exact * 1.002);
      assertThat(bound).isGreaterThan(sum);
    }
  }

  /** Of most windows side by side: all rows but the last are counted, none for more than it is. */
  @Test
  void fadingNormsAndSumsAreNeverBelowTheTruth() {
    Coefficients coefficients = DecayingCoefficients.FADING;
    int windows = Coefficients.MOST_WINDOWS;
    int exact = 1 << 19;
    long[] at = LongStream.range(0, exact).map(coefficients::at).toArray();
    double norm = 0;
    long row = 0;
    for (int i = 0; i < exact; i++) {
      row += at[i] - (i < windows ? 0 : at[i - windows]);
      norm += (double) row * row;
    }
    double sum = LongStream.of(at).sum();
    // Coefficients fall: what stands last in a stretch is the least of it, and of its row.
    for (long from = exact; from < coefficients.band(); from += from / 256) {
      long to = Math.min(coefficients.band(), from + from / 256);
      double least = coefficients.at(to - 1);
      sum += (to - from) * least;
      norm += (to - from) * Math.pow(windows * least, 2);
    }
    assertThat(coefficients.squaredNorm(windows).doubleValue()).isGreaterThan(norm);
    assertThat(coefficients.columnSum().doubleValue()).isGreaterThan(sum);
    assertThatThrownBy(() -> coefficients.squaredNorm(0)).hasMessageContaining("1 to 65536");
    assertThatThrownBy(() -> coefficients.squaredNorm(65_537)).hasMessageContaining("1 to 65536");
  }

  /** binom(2k, k) / 4^k by one term more than the program has. */
  @Test
  void fadingOnesOfOldWindowsAreRoundedDown() {
    for (long lag = 1 << 16; lag < 1 << 18; lag++) {
      double fading = 1 + Math.log1p(lag) / 20;
      double root = (1 - 1 / (8.0 * lag) + 1 / (128.0 * lag * lag)) / Math.sqrt(Math.PI * lag);
      assertThat((double) DecayingCoefficients.FADING.at(lag))
          .isLessThanOrEqualTo(root / (fading * fading) * Coefficients.ONE * (1 + 1e-12));
    }
    assertThat(DecayingCoefficients.FADING.word()).as("as charges have it").isEqualTo("fading");
  }

  @Test
  void rootNormsAreExact() {
    Coefficients coefficients = new SquareRootCoefficients(9);
    for (int windows = 1; windows < 30; windows++) {
      int most = windows;
      BigInteger sum = BigInteger.ZERO;
      for (int row = 0; row < 60; row++) {
        long moved = 0;
        for (int column = 0; column < most && column <= row; column++) {
          moved += coefficients.at(row - column);
        }
        sum = sum.add(BigInteger.valueOf(moved).pow(2));
      }
      assertThat(coefficients.squaredNorm(windows)).isEqualTo(sum);
    }
    assertThat(coefficients.columnSum().longValueExact())
        .isEqualTo(LongStream.range(0, 9).map(coefficients::at).sum());
    assertThatThrownBy(() -> coefficients.squaredNorm(0)).hasMessageContaining("1 to 65536");
    assertThatThrownBy(() -> new SquareRootCoefficients(65_537)).hasMessageContaining("1 to 65536");
  }
}
