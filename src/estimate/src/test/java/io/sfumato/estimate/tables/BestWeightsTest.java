// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.TableWeights;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.Tables.Total;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Weights of least error. */
class BestWeightsTest {
  static Stream<Tables> tables() {
    return Stream.concat(
        LeastSquaresTest.small(),
        Stream.of(
            CrossTables.of(2, 8, 16, 7, 15, 6, 5, 2, 42),
            CrossTables.of(1, 2, 900, 3),
            CrossTables.of(2, 100, 100),
            CrossTables.of(2, 2, 3000),
            LevelTables.even(10, 10, 10, 10),
            LevelTables.even(2, 2, 2, 2, 2, 2, 2, 2, 2, 2),
            LevelTables.even(1, 1, 50, 2)));
  }

  /** Duality: rounded as they are, they are within 1 in 1,000 of the least error. */
  @ParameterizedTest
  @MethodSource("tables")
  void shouldBeWithinAThousandthOfTheLeastError(Tables tables) {
    for (Total total : Total.values()) {
      TableWeights weights = BestWeights.of(tables, total);
      double[] p = weights.precisions();
      assertThat(Arrays.stream(p).sum()).isCloseTo(1, within(1e-4));
      LeastSquares squares = LeastSquares.of(tables, total, p);
      assertThat(BestWeights.gap(p, squares.descent())).isBetween(-1e-9, 1e-3);
      if (total == Total.PUBLIC) {
        assertThat(weights.of(0)).isZero();
      }
    }
  }

  /** The same by trying: no other division of the budget is better. */
  @ParameterizedTest
  @MethodSource("tables")
  void shouldBeatOtherWeights(Tables tables) {
    Random random = new Random(11);
    double[] found = BestWeights.of(tables, Total.MEASURED).precisions();
    double best = error(tables, found);
    for (int trial = 0; trial < 200; trial++) {
      double[] p = found.clone();
      double power = trial % 2 == 0 ? 0.1 : 3;
      double sum = 0;
      for (int table = 0; table < p.length; table++) {
        p[table] = (p[table] + 1e-4) * Math.exp(power * random.nextGaussian());
        sum += p[table];
      }
      for (int table = 0; table < p.length; table++) {
        p[table] /= sum;
      }
      assertThat(error(tables, p)).isGreaterThan((1 - 1e-3) * best);
    }
  }

  private static double error(Tables tables, double[] p) {
    return Arrays.stream(LeastSquares.of(tables, Total.MEASURED, p).meanVariances()).sum();
  }

  /**
   * One column of n values: by p in the total, f = 1 / (p + q/n) + (1 - 1/n) / q + ..., q = 1-p.
   */
  @Test
  void shouldDivideBetweenATotalAndAColumnAsAGridSearchDoes() {
    Tables tables = CrossTables.of(1, 10);
    double least = Double.POSITIVE_INFINITY;
    double at = 0;
    for (double p = 0; p < 1; p += 1e-5) {
      double total = 1 / (p + (1 - p) / 10);
      double f = total + 0.9 / (1 - p) + total / 100;
      if (f < least) {
        least = f;
        at = p;
      }
    }
    double[] p = BestWeights.of(tables, Total.MEASURED).precisions();
    assertThat(p[0]).isCloseTo(at, within(5e-3));
    assertThat(error(tables, p)).isCloseTo(least, within(1e-4 * least));
  }

  @Test
  void shouldRefuseWeightsThatMeasureNothing() {
    assertThatThrownBy(() -> new TableWeights(0, 0)).hasMessageContaining("at least one table");
    assertThatThrownBy(() -> new TableWeights(1, (1 << 20) + 1)).hasMessageContaining("2^20");
  }
}
