// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.Tables.Total;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Closed forms of least squares are those of matrices. */
class LeastSquaresTest {
  static Stream<Tables> small() {
    return Stream.of(
        CrossTables.of(1, 2),
        CrossTables.of(2, 5),
        CrossTables.of(1, 3, 4),
        CrossTables.of(1, 2, 2, 5),
        CrossTables.of(2, 2, 2),
        CrossTables.of(2, 3, 4),
        CrossTables.of(2, 2, 3, 4),
        CrossTables.of(2, 2, 3, 2, 3),
        LevelTables.even(4),
        LevelTables.even(1, 2),
        LevelTables.even(2, 3),
        LevelTables.even(2, 2, 2, 2),
        LevelTables.even(1, 3, 1),
        LevelTables.of(new int[] {0, 0, 0}, new int[] {0, 1, 1, 1, 2, 2}),
        LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1}, new int[] {0, 1, 1, 1, 1, 2, 2, 2}));
  }

  /** All sets of tables that need not be measured are left out in turn. */
  @ParameterizedTest
  @MethodSource("small")
  void shouldEstimateAsMatricesDo(Tables tables) {
    Random random = new Random(17);
    for (Total total : Total.values()) {
      for (int left = 0; left < 1 << tables.finest(); left++) {
        double[] p = precisions(tables, random);
        for (int table = 0; table < tables.finest(); table++) {
          p[table] *= left >>> table & 1;
        }
        DenseSquares dense = new DenseSquares(tables, total, p);
        LeastSquares squares = LeastSquares.of(tables, total, p);
        double[] cells = random.doubles(tables.cells(), -50, 100).toArray();
        double known = 123;
        double[] expected = dense.projected(cells, known);
        squares.project(cells, known);
        assertThat(cells).containsExactly(expected, within(1e-9));
        assertThat(squares.variances()).containsExactly(dense.variances(), within(1e-9));
      }
    }
  }

  private static double[] precisions(Tables tables, Random random) {
    return random.doubles(tables.tables(), 0.05, 1).toArray();
  }

  /** What is consistent stays as it is. */
  @ParameterizedTest
  @MethodSource("small")
  void shouldLeaveConsistentCellsAlone(Tables tables) {
    Random random = new Random(3);
    long[] categories = random.longs(200, 0, tables.categories()).toArray();
    double[] cells = Arrays.stream(tables.counts(categories).values()).asDoubleStream().toArray();
    double[] projected = cells.clone();
    LeastSquares.of(tables, Total.MEASURED, precisions(tables, random))
        .project(projected, Double.NaN);
    assertThat(projected).containsExactly(cells, within(1e-9));
  }

  /** The derivative by formula, and by differences of variances; means are those of cells. */
  @ParameterizedTest
  @MethodSource("small")
  void shouldKnowHowErrorFallsWithPrecision(Tables tables) {
    Random random = new Random(4);
    for (Total total : Total.values()) {
      double[] p = precisions(tables, random);
      LeastSquares squares = LeastSquares.of(tables, total, p);
      double[] descent = squares.descent();
      double f = 0;
      for (int table = 0; table < p.length; table++) {
        double step = 1e-5 * p[table];
        double saved = p[table];
        p[table] = saved + step;
        double above = sum(LeastSquares.of(tables, total, p).meanVariances());
        p[table] = saved - step;
        double below = sum(LeastSquares.of(tables, total, p).meanVariances());
        p[table] = saved;
        assertThat(descent[table]).isCloseTo((below - above) / (2 * step), within(1e-5));
        f += p[table] * descent[table];
        double mean =
            Arrays.stream(squares.variances(), tables.start(table), tables.start(table + 1))
                .average()
                .orElseThrow();
        assertThat(squares.meanVariances()[table]).isCloseTo(mean, within(1e-12));
      }
      assertThat(f).isCloseTo(sum(squares.meanVariances()), within(1e-9));
    }
  }

  private static double sum(double[] x) {
    return Arrays.stream(x).sum();
  }
}
