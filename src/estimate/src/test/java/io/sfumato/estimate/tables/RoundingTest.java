// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.Tables.Total;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.commons.math3.optim.MaxIter;
import org.apache.commons.math3.optim.linear.LinearConstraint;
import org.apache.commons.math3.optim.linear.LinearConstraintSet;
import org.apache.commons.math3.optim.linear.LinearObjectiveFunction;
import org.apache.commons.math3.optim.linear.NoFeasibleSolutionException;
import org.apache.commons.math3.optim.linear.NonNegativeConstraint;
import org.apache.commons.math3.optim.linear.Relationship;
import org.apache.commons.math3.optim.linear.SimplexSolver;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whole numbers whose sums agree. */
class RoundingTest {
  static Stream<Tables> tables() {
    return Stream.concat(
        LeastSquaresTest.small(),
        Stream.of(
            CrossTables.of(2, 8, 16, 7, 5, 2),
            CrossTables.of(2, 40, 30),
            CrossTables.of(2, 2, 200),
            LevelTables.even(7, 1, 9, 3)));
  }

  /** Consistent cells: sums of random numbers by category, many of them 0. */
  private static double[] real(Tables tables, Random random, double scale) {
    double[] cells = new double[tables.cells()];
    int[] places = new int[tables.tables()];
    long categories = Math.min(2000, tables.categories());
    for (int i = 0; i < categories; i++) {
      tables.cellsOf(random.longs(1, 0, tables.categories()).sum(), places);
      double mass = scale * random.nextDouble() * random.nextInt(3);
      for (int place : places) {
        cells[place] += mass;
      }
    }
    return cells;
  }

  @ParameterizedTest
  @MethodSource("tables")
  void shouldHaveEqualSumsAndNothingBelowZero(Tables tables) {
    Random random = new Random(31);
    for (double scale : new double[] {0.003, 0.2, 1, 1000, 1e8}) {
      for (int trial = 0; trial < 20; trial++) {
        double[] cells = real(tables, random, scale);
        long[] whole = ConsistentRounding.of(tables).rounded(cells);
        assertThat(tables.records(new ExactVector(whole))).isEqualTo(whole[0]);
        assertConsistent(tables, whole);
        assertThat(whole[0]).isEqualTo(Math.round(cells[0]));
        // Coarser tables, and all levels, always: the number below or the next.
        int always = tables instanceof LevelTables ? cells.length : tables.start(tables.finest());
        for (int cell = 0; cell < always; cell++) {
          assertThat(Math.abs(whole[cell] - cells[cell])).isLessThanOrEqualTo(1 + 1e-6);
        }
      }
    }
  }

  private static void assertConsistent(Tables tables, long[] whole) {
    double[] cells = Arrays.stream(whole).asDoubleStream().toArray();
    double[] all = new double[tables.tables()];
    Arrays.fill(all, 1);
    double[] projected = cells.clone();
    LeastSquares.of(tables, Total.MEASURED, all).project(projected, 0);
    for (int cell = 0; cell < cells.length; cell++) {
      assertThat(projected[cell] - cells[cell]).isBetween(-1e-3, 1e-3);
    }
  }

  /**
   * Pairs within 1 of the real table wherever a linear program finds that there is such a table
   * with the margins as they were rounded: also margins that fit badly, which the rounding of one
   * pair alone would not choose.
   */
  @Test
  void shouldStayWithinOneWhereverThatIsPossible() {
    Random random = new Random(8);
    int possible = 0;
    int impossible = 0;
    for (int trial = 0; trial < 600; trial++) {
      int rows = 2 + random.nextInt(3);
      int lines = 2 + random.nextInt(3);
      double[] x = new double[rows * lines];
      Arrays.setAll(
          x, i -> random.nextInt(3) == 0 ? 0 : 0.7 * random.nextInt(3) * random.nextDouble());
      double[] ofRow = new double[rows];
      double[] ofLine = new double[lines];
      for (int i = 0; i < x.length; i++) {
        ofRow[i / lines] += x[i];
        ofLine[i % lines] += x[i];
      }
      long total = (long) Arrays.stream(x).sum() + random.nextInt(2);
      long[] rowSums = near(ofRow, total, random);
      long[] lineSums = near(ofLine, total, random);
      long[] whole = new long[x.length];
      new ControlledRounding(x, 0, rowSums, lineSums).into(whole);
      for (int i = 0; i < x.length; i++) {
        assertThat(whole[i]).isNotNegative();
        rowSums[i / lines] -= whole[i];
        lineSums[i % lines] -= whole[i];
      }
      assertThat(rowSums).containsOnly(0);
      assertThat(lineSums).containsOnly(0);
      boolean within = true;
      for (int i = 0; i < x.length; i++) {
        within &= Math.abs(whole[i] - x[i]) <= 1;
        rowSums[i / lines] += whole[i];
        lineSums[i % lines] += whole[i];
      }
      boolean feasible = feasible(x, rowSums, lineSums);
      assertThat(within).isEqualTo(feasible);
      possible += feasible ? 1 : 0;
      impossible += feasible ? 0 : 1;
    }
    assertThat(possible).isGreaterThan(300);
    assertThat(impossible).isGreaterThan(3); // so that both sides were tried
  }

  /** Down or up at random, to a sum. */
  private static long[] near(double[] x, long sum, Random random) {
    long[] whole = new long[x.length];
    long missing = sum;
    for (int i = 0; i < x.length; i++) {
      whole[i] = (long) x[i];
      missing -= whole[i];
    }
    while (missing > 0) {
      int i = random.nextInt(x.length);
      if (whole[i] == (long) x[i]) {
        whole[i]++;
        missing--;
      }
    }
    return whole;
  }

  /** Margins and bounds are totally unimodular: where real numbers are possible, whole ones are. */
  private static boolean feasible(double[] x, long[] rowSums, long[] lineSums) {
    List<LinearConstraint> constraints = new ArrayList<>();
    for (int i = 0; i < x.length; i++) {
      double[] one = new double[x.length];
      one[i] = 1;
      constraints.add(new LinearConstraint(one, Relationship.GEQ, Math.floor(x[i])));
      constraints.add(new LinearConstraint(one, Relationship.LEQ, Math.floor(x[i]) + 1));
    }
    for (int row = 0; row < rowSums.length; row++) {
      double[] sum = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        sum[i] = i / lineSums.length == row ? 1 : 0;
      }
      constraints.add(new LinearConstraint(sum, Relationship.EQ, rowSums[row]));
    }
    for (int line = 0; line < lineSums.length; line++) {
      double[] sum = new double[x.length];
      for (int i = 0; i < x.length; i++) {
        sum[i] = i % lineSums.length == line ? 1 : 0;
      }
      constraints.add(new LinearConstraint(sum, Relationship.EQ, lineSums[line]));
    }
    try {
      new SimplexSolver()
          .optimize(
              new MaxIter(10_000),
              new LinearObjectiveFunction(new double[x.length], 0),
              new LinearConstraintSet(constraints),
              new NonNegativeConstraint(true));
      return true;
    } catch (NoFeasibleSolutionException e) {
      return false;
    }
  }

  /** Where doubles err, sums agree all the same. */
  @Test
  void shouldAgreeThoughDoublesErr() {
    CrossTables tables = CrossTables.of(2, 2, 2);
    double e = 3e-6;
    double[] cells = {6, 3 - e, 3 + e, 3, 3, 2 + e, 1, 1, 2};
    long[] whole = ConsistentRounding.of(tables).rounded(cells);
    assertThat(tables.records(new ExactVector(whole))).isEqualTo(6);
    assertConsistent(tables, whole);
    assertThat(ConsistentRounding.of(tables).rounded(new double[] {0, 0, 0, 0, 0, 0.3, 0, 0, 0}))
        .containsOnly(0);
    LevelTables levels = LevelTables.even(2, 2);
    assertThat(ConsistentRounding.of(levels).rounded(new double[] {2, 2 + e, e, 2 + e, 0, e, 0}))
        .containsExactly(2, 2, 0, 2, 0, 0, 0);
  }
}
