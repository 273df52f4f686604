// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.Tables.Total;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is published of noisy tables. */
class TablesEstimatesTest {
  private static final int DRAWS = 1500;

  static Stream<Arguments> plans() {
    return Stream.of(
        Arguments.of(CrossTables.of(2, 4, 3, 5), Total.MEASURED, 40),
        Arguments.of(CrossTables.of(2, 4, 3, 5), Total.PUBLIC, 40),
        Arguments.of(CrossTables.of(2, 12, 15), Total.MEASURED, 30),
        Arguments.of(CrossTables.of(1, 6, 2), Total.MEASURED, 500),
        Arguments.of(LevelTables.even(3, 4, 5), Total.MEASURED, 60),
        Arguments.of(LevelTables.even(3, 4, 5), Total.PUBLIC, 60));
  }

  private static GridMeasurement<TableQuery> mechanism(Tables tables, Total total, String epsilon) {
    CalibrationTarget share = new CalibrationTarget("t", Epsilon.of(epsilon), Delta.of("1e-6"), 1);
    Optional<Calibrated<GridMeasurement<TableQuery>>> planned =
        total == Total.PUBLIC
            ? Plans.tablesOfRecords(share, tables)
            : Plans.tablesOfUsers(share, tables, 1);
    return planned.orElseThrow().mechanism();
  }

  private static ExactVector counts(Tables tables, int records) {
    Random random = new Random(records);
    long[] categories =
        random.doubles(records).mapToLong(u -> (long) (tables.categories() * u * u)).toArray();
    return tables.counts(categories);
  }

  /**
   * Most cells are empty, noise is of several records. In the normal limit (which 1,500 draws give,
   * of up to some hundred cells that may all move together) a table's part of intervals that miss
   * the truth lies below 5% and seven standard errors, sqrt(0.05 0.95 / 1500) for a single cell:
   * false alarms below 1e-11. Discrete noise is within 1e-3 of normal noise, which adds 0.1%. What
   * is told is consistent, and each count lies in its interval.
   */
  @ParameterizedTest
  @MethodSource("plans")
  void shouldHoldTheTruthInNineteenOfTwenty(Tables tables, Total total, int records) {
    GridMeasurement<TableQuery> mechanism = mechanism(tables, total, "2");
    ExactVector exact = counts(tables, records);
    long[] truth = exact.values();
    OutputDistribution<NoisyVector> distribution = mechanism.distribution(exact);
    TablesEstimates estimates = new TablesEstimates(mechanism);
    KeyedRandom random = KeyedRandom.ofPublicSeed("coverage");
    int[] missed = new int[tables.tables()];
    double[] squares = new double[tables.tables()];
    double before = 0;
    double after = 0;
    for (int draw = 0; draw < DRAWS; draw++) {
      NoisyVector drawn = distribution.draw(random);
      TablesEstimate told = estimates.of(drawn);
      long[] low = told.low();
      long[] high = told.high();
      double[] unbounded = estimates.unbounded(drawn);
      tables.records(new ExactVector(told.counts())); // equal totals, nothing below 0
      double[] sums = estimates.possible(drawn);
      if (draw % 50 == 0) {
        double[] all = sums.clone();
        LeastSquares.of(tables, Total.MEASURED, ones(tables)).project(all, 0);
        assertThat(all).containsExactly(sums, within(1e-6));
      }
      for (int table = 0; table < tables.tables(); table++) {
        for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
          missed[table] += truth[cell] < low[cell] || truth[cell] > high[cell] ? 1 : 0;
          double off = unbounded[cell] - truth[cell];
          squares[table] += off * off / (DRAWS * (double) tables.size(table));
          before += off * off;
          double error = sums[cell] - truth[cell]; // before rounding
          after += error * error;
        }
      }
    }
    double[] rms = TablesError.of(mechanism).rms();
    for (int table = 0; table < tables.tables(); table++) {
      double part = missed[table] / ((double) DRAWS * tables.size(table));
      assertThat(part).isLessThan(0.051 + 7 * Math.sqrt(0.05 * 0.95 / DRAWS));
      // Errors are those of the plan: mean squares of normal numbers, sqrt(2 / n) each.
      assertThat(squares[table])
          .isCloseTo(
              rms[table] * rms[table],
              within(1e-9 + 7 * Math.sqrt(2.0 / DRAWS) * rms[table] * rms[table]));
    }
    assertThat(after).isLessThanOrEqualTo(before);
  }

  private static double[] ones(Tables tables) {
    double[] ones = new double[tables.tables()];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** With next to no noise, tables are the exact ones, and intervals hold nothing else. */
  @ParameterizedTest
  @MethodSource("plans")
  void shouldTellTheTruthWhereThereIsNoNoise(Tables tables, Total total, int records) {
    GridMeasurement<TableQuery> mechanism = mechanism(tables, total, "100000");
    ExactVector exact = counts(tables, records);
    NoisyVector drawn = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("no noise"));
    TablesEstimate told = new TablesEstimates(mechanism).of(drawn);
    assertThat(told.counts()).containsExactly(exact.values());
    assertThat(told.low()).containsExactly(exact.values());
    assertThat(told.high()).containsExactly(exact.values());
  }

  /** The many empty cells of fine tables do not raise the total with them. */
  @Test
  void shouldKeepTheTotalWhereMostCellsAreEmpty() {
    CrossTables tables = CrossTables.of(2, 18, 19, 20, 18, 19, 20, 19, 18);
    GridMeasurement<TableQuery> mechanism = mechanism(tables, Total.MEASURED, "1");
    TablesEstimates estimates = new TablesEstimates(mechanism);
    OutputDistribution<NoisyVector> distribution = mechanism.distribution(counts(tables, 2000));
    double deviation = TablesError.of(mechanism).rms()[0];
    double mean = 0;
    double raised = 0;
    for (int draw = 0; draw < 20; draw++) {
      NoisyVector drawn = distribution.draw(KeyedRandom.ofPublicSeed("total " + draw));
      mean += (estimates.of(drawn).counts()[0] - 2000) / 20.0;
      double[] byPrecision = estimates.unbounded(drawn);
      double[] precisions = mechanism.query().weights().precisions();
      new Nonnegative(tables, LeastSquares.of(tables, Total.MEASURED, precisions), precisions)
          .project(byPrecision, deviation / 1000);
      raised += (byPrecision[0] - 2000) / 20.0;
    }
    // Seven standard errors of the least squares estimate beside the bias that is left.
    assertThat(Math.abs(mean)).isLessThan(deviation * (1 + 7 / Math.sqrt(20)));
    assertThat(raised).isGreaterThan(10 * deviation);
  }

  /** Pinned: all that is told of one draw, on every machine. */
  @Test
  void shouldTellTheSameOnEveryMachine() {
    CrossTables tables = CrossTables.of(2, 2, 3);
    GridMeasurement<TableQuery> mechanism = mechanism(tables, Total.MEASURED, "1");
    NoisyVector drawn =
        mechanism.distribution(counts(tables, 90)).draw(KeyedRandom.ofPublicSeed("pinned"));
    TablesEstimate told = new TablesEstimates(mechanism).of(drawn);
    assertThat(told.counts()).containsExactly(81, 65, 16, 38, 29, 14, 36, 26, 3, 2, 3, 11);
    assertThat(told.low()).containsExactly(69, 54, 5, 27, 18, 3, 26, 16, 0, 0, 0, 1);
    assertThat(told.high()).containsExactly(94, 76, 27, 49, 40, 25, 46, 36, 13, 12, 13, 21);
  }

  @Test
  void shouldRefuseOtherTables() {
    TablesEstimates estimates =
        new TablesEstimates(mechanism(CrossTables.of(1, 3), Total.MEASURED, "1"));
    assertThatThrownBy(() -> estimates.of(new NoisyVector(1, 2)))
        .hasMessageContaining("2 noisy cells for 4 that are measured");
    assertThatThrownBy(
            () ->
                new TablesEstimate(new long[] {1}, new long[] {-1}, new long[] {2}, new boolean[1]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
