// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.Tables.Total;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The nearest consistent cells that are at least 0. */
class NonnegativeTest {
  private static final double NEAR = 1e-7;

  /** Few records in many cells, and noise of many records: most estimates are below 0. */
  private record Case(Tables tables, Total total, double[] precisions, double[] truth) {
    static Case of(Tables tables, Total total, Random random) {
      long[] records = random.longs(6, 0, tables.categories()).toArray();
      double[] truth = Arrays.stream(tables.counts(records).values()).asDoubleStream().toArray();
      double[] p = random.doubles(tables.tables(), 0.05, 1).toArray();
      for (int table = 0; table < tables.finest(); table++) {
        p[table] *= random.nextInt(3) == 0 || total == Total.PUBLIC && table == 0 ? 0 : 1;
      }
      return new Case(tables, total, p, truth);
    }

    double[] noisy(Random random) {
      double[] noisy = truth.clone();
      for (int table = 0; table < tables.tables(); table++) {
        for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
          noisy[cell] += precisions[table] > 0 ? 3 * random.nextGaussian() / root(table) : 0;
        }
      }
      return noisy;
    }

    private double root(int table) {
      return Math.sqrt(precisions[table]);
    }

    double[] projected(double[] noisy, double tolerance) {
      LeastSquares squares = LeastSquares.of(tables, total, precisions);
      double[] cells = noisy.clone();
      squares.project(cells, truth[0]);
      new Nonnegative(tables, squares, precisions).project(cells, tolerance);
      return cells;
    }

    /** Squared, weighted by precisions: what is not measured does not count. */
    double distance(double[] first, double[] second) {
      double distance = 0;
      for (int table = 0; table < tables.tables(); table++) {
        for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
          double difference = first[cell] - second[cell];
          distance += precisions[table] * difference * difference;
        }
      }
      return distance;
    }
  }

  /** As Dykstra's own iteration ends, plain, with projections by matrices. */
  @ParameterizedTest
  @MethodSource("io.sfumato.estimate.tables.LeastSquaresTest#small")
  void shouldEndWhereAlternatingProjectionsDo(Tables tables) {
    Random random = new Random(23);
    for (Total total : Total.values()) {
      Case one = Case.of(tables, total, random);
      double[] noisy = one.noisy(random);
      DenseSquares dense = new DenseSquares(tables, total, one.precisions());
      double[] x = noisy.clone();
      double[] q = new double[x.length];
      double[] consistent = x;
      for (int step = 0; step < 5_000; step++) {
        consistent = dense.projected(x, one.truth()[0]);
        for (int cell = 0; cell < x.length; cell++) {
          double moved = consistent[cell] + q[cell];
          x[cell] = cell < tables.start(tables.finest()) ? moved : Math.max(0, moved);
          q[cell] = moved - x[cell];
        }
      }
      assertThat(one.projected(noisy, NEAR)).containsExactly(consistent, within(1e-4));
    }
  }

  /**
   * Instance by instance, whatever the noise: never further from the truth than the noisy cells.
   */
  @ParameterizedTest
  @MethodSource("io.sfumato.estimate.tables.LeastSquaresTest#small")
  void shouldNeverBeFurtherFromTheTruth(Tables tables) {
    Random random = new Random(5);
    for (int trial = 0; trial < 400; trial++) {
      Case one = Case.of(tables, Total.values()[trial % 2], random);
      double[] noisy = one.noisy(random);
      double[] cells = one.projected(noisy, NEAR);
      double before = one.distance(noisy, one.truth());
      double after = one.distance(cells, one.truth());
      // Pythagoras, with an obtuse angle.
      assertThat(after + one.distance(noisy, cells)).isLessThanOrEqualTo(before + 1e-5);
      for (int cell = tables.start(tables.finest()); cell < cells.length; cell++) {
        assertThat(cells[cell]).isGreaterThanOrEqualTo(-NEAR);
      }
      ConsistentRounding.of(tables).makePossible(cells, Math.max(0, cells[0]));
      assertThat(one.distance(cells, one.truth())).isLessThanOrEqualTo(before + 1e-4);
      assertPossible(tables, cells);
    }
  }

  private static void assertPossible(Tables tables, double[] cells) {
    double[] projected = cells.clone();
    double[] all = new double[tables.tables()];
    Arrays.fill(all, 1);
    LeastSquares.of(tables, Total.MEASURED, all).project(projected, 0);
    assertThat(projected).containsExactly(cells, within(1e-9));
    assertThat(Arrays.stream(cells).min().orElseThrow()).isNotNegative();
  }
}
