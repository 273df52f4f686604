// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is claimed of neighbours, against all neighbours that there are. */
class RootSensitivityTest {
  private static IntStream bands(int rows) {
    return IntStream.of(1, 2, 3, 4, rows / 2, rows - 1, rows)
        .filter(band -> band >= 1 && band <= rows)
        .distinct();
  }

  /** C x for whole x of any sign, and its squared norm. */
  private static long squared(long[] c, long[] x) {
    long squares = 0;
    for (int i = 0; i < x.length; i++) {
      long row = 0;
      for (int k = 0; k <= i; k++) {
        row += c[k] * x[i - k];
      }
      squares = Math.addExact(squares, Math.multiplyExact(row, row));
    }
    return squares;
  }

  /** Every set of rows: none is worse than the first W, and these are as bad as is claimed. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8, 12})
  void shouldHoldForEverySetOfRows(int rows) {
    bands(rows)
        .forEach(
            band -> {
              ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
              long[] worst = new long[rows + 1];
              for (int set = 1; set < 1 << rows; set++) {
                long[] x = new long[rows];
                for (int j = 0; j < rows; j++) {
                  x[j] = set >>> j & 1;
                }
                int size = Integer.bitCount(set);
                worst[size] = Math.max(worst[size], squared(root.coefficients(), x));
              }
              for (int most = 1; most <= rows; most++) {
                assertThat(BigInteger.valueOf(worst[most])).isEqualTo(root.squaredNorm(most));
                double moved = Math.sqrt(worst[most]);
                assertThat(RootSensitivity.addOrRemove(root, 1, most).l2())
                    .isBetween(moved * (1 - 1e-15), Math.ceil(moved * (1 + 1e-15)));
              }
            });
  }

  /**
   * In each of W rows up to C records, of either sign and in three groups with rows of their own:
   * as whoever has records of several subjects or categories.
   */
  @ParameterizedTest
  @CsvSource({"6, 2", "6, 4", "12, 1", "12, 3", "12, 7", "12, 12"})
  void shouldHoldForAnyNumbersInAnyGroups(int rows, int most) {
    Random random = new Random(rows + 100L * most);
    bands(rows)
        .forEach(
            band -> {
              ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
              GridSensitivity claimed = RootSensitivity.addOrRemove(root, 5, most);
              for (int trial = 0; trial < 3_000; trial++) {
                long[][] groups = new long[3][rows];
                int[] order = random.ints(2L * rows, 0, rows).distinct().limit(most).toArray();
                for (int row : order) {
                  for (int record = random.nextInt(6); record > 0; record--) {
                    groups[random.nextInt(trial % 3 + 1)][row] +=
                        trial % 2 == 0 ? 1 : 1 - 2 * random.nextInt(2);
                  }
                }
                double moved =
                    Math.sqrt(
                        Arrays.stream(groups)
                            .mapToDouble(x -> squared(root.coefficients(), x))
                            .sum());
                assertThat(moved).isLessThanOrEqualTo(claimed.l2());
              }
            });
  }

  /**
   * Windows in several sequences, each with rows of its own, are no worse than as many in one. The
   * squared norms of first columns are superadditive: all pairs.
   */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 7, 12, 40})
  void shouldHoldWheneverSequencesBegin(int rows) {
    bands(rows)
        .forEach(
            band -> {
              ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
              for (int a = 1; a < rows; a++) {
                for (int b = a; a + b <= rows; b++) {
                  assertThat(root.squaredNorm(a).add(root.squaredNorm(b)))
                      .isLessThanOrEqualTo(root.squaredNorm(a + b));
                }
              }
            });
  }

  /** More windows than a sequence has, cut into sequences in every way. */
  @ParameterizedTest
  @CsvSource({"3, 2, 8", "5, 5, 12", "5, 3, 7", "8, 4, 20"})
  void shouldHoldForMoreWindowsThanASequenceHas(int rows, int band, int windows) {
    ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
    BigInteger[] worst = new BigInteger[windows + 1];
    worst[0] = BigInteger.ZERO;
    for (int w = 1; w <= windows; w++) {
      worst[w] = BigInteger.ZERO;
      for (int last = 1; last <= Math.min(w, rows); last++) {
        worst[w] = worst[w].max(worst[w - last].add(root.squaredNorm(last)));
      }
    }
    double claimed = RootSensitivity.addOrRemove(root, 2, windows).l2();
    double moved = 2 * Math.sqrt(worst[windows].doubleValue());
    assertThat(claimed).isBetween(moved, 1.1 * moved);
  }

  /** C records in all, wherever they lie: worst is that all lie in the first row. */
  @Test
  void shouldHoldForRecordsThatLieAnywhere() {
    int rows = 6;
    bands(rows)
        .forEach(
            band -> {
              ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
              double claimed = RootSensitivity.addOrRemove(root, 3, 1).l2();
              double worst = 0;
              for (int i = 0; i < rows; i++) {
                for (int j = 0; j < rows; j++) {
                  for (int k = 0; k < rows; k++) {
                    long[] x = new long[rows];
                    x[i]++;
                    x[j]++;
                    x[k]++;
                    worst = Math.max(worst, Math.sqrt(squared(root.coefficients(), x)));
                  }
                }
              }
              assertThat(claimed).isBetween(worst, worst + 1);
            });
  }

  /** One record moves from any row to any other. */
  @ParameterizedTest
  @ValueSource(ints = {2, 3, 12, 60})
  void shouldHoldForOneRecordThatMoves(int rows) {
    bands(rows)
        .forEach(
            band -> {
              ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
              double claimed = RootSensitivity.replaceOne(root).l2();
              double worst = 0;
              for (int i = 0; i < rows; i++) {
                for (int j = 0; j < i; j++) {
                  long[] x = new long[rows];
                  x[i] = 1;
                  x[j] = -1;
                  worst = Math.max(worst, Math.sqrt(squared(root.coefficients(), x)));
                }
              }
              assertThat(worst).isLessThanOrEqualTo(claimed);
              if (2 * band <= rows) {
                // Far enough apart that the columns share no row: the bound is attained.
                assertThat(claimed).isLessThan(worst + 1);
              }
            });
  }

  /** The sum of absolute differences, which Laplace noise would need. */
  @Test
  void shouldBoundSumsOfDifferencesToo() {
    ToeplitzRoot root = ToeplitzRoot.banded(4, 2); // columns of 1, 1/2
    long step = 1 << 19;
    assertThat(RootSensitivity.addOrRemove(root, 3, 1).l1()).isEqualTo(9 * step);
    assertThat(RootSensitivity.addOrRemove(root, 3, 2).l1()).isEqualTo(18 * step);
    assertThat(RootSensitivity.replaceOne(root).l1()).isEqualTo(6 * step);
  }

  @Test
  void shouldNameNeighboursAndRoot() {
    ToeplitzRoot root = ToeplitzRoot.banded(8, 3);
    assertThat(RootSensitivity.addOrRemove(root, 4, 8))
        .extracting(GridSensitivity::word, GridSensitivity::unit)
        .containsExactly("add-or-remove-4-in-8 root-8-3", PrivacyUnit.USER);
    assertThat(RootSensitivity.replaceOne(root))
        .extracting(GridSensitivity::word, GridSensitivity::unit)
        .containsExactly("replace-one root-8-3", PrivacyUnit.RECORD);
    assertThatThrownBy(() -> RootSensitivity.addOrRemove(root, 0, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RootSensitivity.addOrRemove(root, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
