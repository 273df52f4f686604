// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.tables.TablesEstimate;
import io.sfumato.estimate.tables.TablesEstimates;
import io.sfumato.gate.Gate;
import io.sfumato.gate.Measured;
import io.sfumato.gate.NoiseSecret;
import io.sfumato.gate.Permit;
import io.sfumato.gate.ReleaseId;
import io.sfumato.gate.Secret;
import io.sfumato.gate.StateEpoch;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Noise on tables: what it costs, and that it is what it says. */
class TableQueryTest {
  private static final Gate GATE =
      new Gate(
          NoiseSecret.parse("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
              .derive());

  private static final NormalDistribution NORMAL = new NormalDistribution(null, 0, 1);

  private static final CalibrationTarget SHARE =
      new CalibrationTarget("tables", Epsilon.of("1"), Delta.of("1e-6"), 1);

  static Stream<Tables> tables() {
    return Stream.of(
        CrossTables.of(1, 3, 2),
        CrossTables.of(2, 2, 3, 2),
        LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1, 1, 1}));
  }

  private static GridMeasurement<TableQuery> ofUsers(Tables tables, int records) {
    return Plans.tablesOfUsers(SHARE, tables, records).orElseThrow().mechanism();
  }

  private static GridMeasurement<TableQuery> ofRecords(Tables tables) {
    return Plans.tablesOfRecords(SHARE, tables).orElseThrow().mechanism();
  }

  /** Every way to add up to three records: within the charge, and one category attains it. */
  @ParameterizedTest
  @MethodSource("tables")
  void shouldLoseNoMoreThanIsCharged(Tables tables) {
    GridMeasurement<TableQuery> mechanism = ofUsers(tables, 3);
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(mechanism.sizeIsPublic()).isFalse();
    double charged = mechanism.charge().curve().at(2);
    int categories = (int) tables.categories();
    ExactVector without = tables.counts(0, 1, 1);
    double worst = 0;
    for (int i = 0; i < categories; i++) {
      for (int j = 0; j < categories; j++) {
        for (int k = 0; k < categories; k++) {
          ExactVector with = tables.counts(0, 1, 1, i, j, k);
          double loss = mechanism.divergence(2, without, with).orElseThrow();
          assertThat(loss).isLessThanOrEqualTo(charged);
          worst = Math.max(worst, loss);
        }
      }
    }
    assertThat(worst).isBetween((1 - 1e-5) * charged, charged);
  }

  /** One record moves: two categories without a value in common attain the charge. */
  @ParameterizedTest
  @MethodSource("tables")
  void shouldLoseNoMoreThanIsChargedWhereOneRecordMoves(Tables tables) {
    GridMeasurement<TableQuery> mechanism = ofRecords(tables);
    assertThat(mechanism.charge().unit()).isEqualTo(PrivacyUnit.RECORD);
    assertThat(mechanism.sizeIsPublic()).isTrue();
    double charged = mechanism.charge().curve().at(2);
    double worst = 0;
    for (int i = 0; i < tables.categories(); i++) {
      for (int j = 0; j < tables.categories(); j++) {
        double loss =
            mechanism.divergence(2, tables.counts(1, i), tables.counts(1, j)).orElseThrow();
        assertThat(loss).isLessThanOrEqualTo(charged);
        worst = Math.max(worst, loss);
      }
    }
    assertThat(worst).isBetween((1 - 1e-5) * charged, charged);
    assertThat(mechanism.divergence(2, tables.counts(1, 0), tables.counts(1)).orElseThrow())
        .isInfinite();
  }

  /** What the release of one mu affords, and no less noise. */
  @Test
  void shouldTakeTheLeastNoiseThatAShareAffords() {
    CalibrationTarget share =
        new CalibrationTarget("tables", Epsilon.of("1.5"), Delta.of("1e-6"), 52);
    Calibrated<GridMeasurement<TableQuery>> plan =
        Plans.tablesOfUsers(share, CrossTables.of(2, 4, 5, 6), 2).orElseThrow();
    GridMeasurement<TableQuery> mechanism = plan.mechanism();
    double mu = GaussianBudget.mu(Epsilon.of("1.5"), Delta.of("1e-6"), Accountant.EXACT);
    double together = mechanism.sensitivity().l2() / mechanism.noise().steps() * Math.sqrt(52);
    assertThat(together).isBetween(mu * (1 - 1e-6), mu);
    assertThat(plan.releases()).isEqualTo(52);
    // Precisions add up to 1: all tables together move as one count does.
    assertThat(mechanism.sensitivity().l2() / (1 << 20)).isBetween(2 * (1 - 1e-5), 2 * (1 + 1e-5));
    assertThat(
            Plans.tablesOfUsers(
                new CalibrationTarget("x", Epsilon.of("1e-9"), Delta.of("1e-12"), 1_000_000_000),
                CrossTables.of(1, 2),
                1000))
        .isEmpty();
  }

  @Test
  void shouldNameAllThatAChargeDependsOn() {
    TableWeights weights = new TableWeights(1 << 19, 1 << 20, 3);
    assertThat(weights.addOrRemove(2).word())
        .isEqualTo("add-or-remove-2 tables-3-" + ((1L << 38) + (1L << 40) + 9));
    assertThat(weights.addOrRemove(2).l1()).isEqualTo(2 * ((1 << 19) + (1 << 20) + 3));
    assertThat(weights.addOrRemove(2).l2())
        .isEqualTo(Math.ceil(2 * Math.sqrt((1L << 38) + (1L << 40) + 9.0)));
    assertThat(new TableWeights(0, 5, 0).replaceOne().l2()).isEqualTo(8); // up from 7.07
    assertThat(new TableWeights(0, 5, 0).replaceOne().l1()).isEqualTo(10);
    assertThatThrownBy(weights::replaceOne).hasMessageContaining("the total is public");
    assertThatThrownBy(() -> weights.addOrRemove(0)).hasMessageContaining("at least 1 record");
  }

  /** Noise of its law in every cell that is measured, at 2e-10; nothing in the others. */
  @Test
  void shouldDrawNoiseOfItsLaw() {
    CrossTables tables = CrossTables.of(2, 7, 9);
    TableWeights weights = new TableWeights(1 << 18, 0, 1 << 19, 1 << 20);
    GridMeasurement<TableQuery> mechanism =
        new GridMeasurement<>(
            new TableQuery(tables, weights), weights.addOrRemove(1), new GridGaussian(20, 3 << 20));
    assertThat(mechanism.deviation()).isEqualTo(3);
    ExactVector exact = tables.counts(1, 2, 2, 40, 62, 62);
    OutputDistribution<NoisyVector> law = mechanism.distribution(exact);
    KeyedRandom random = KeyedRandom.ofPublicSeed("tables");
    int measured = 1 + 9 + 63;
    int draws = 300;
    double[] noise = new double[draws * measured];
    for (int draw = 0, at = 0; draw < draws; draw++) {
      NoisyVector drawn = law.draw(random);
      assertThat(drawn.records()).isEmpty();
      assertThat(drawn.size()).isEqualTo(measured);
      int next = 0;
      for (int table = 0; table < 4; table++) {
        for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
          if (table != 1) {
            long rest = drawn.of(next++) - weights.of(table) * exact.of(cell);
            noise[at++] = rest / Math.scalb(3.0, 20);
          }
        }
      }
    }
    KolmogorovSmirnov.assertFollows(noise, NORMAL::cumulativeProbability);
  }

  /** N is published where it is public, and nowhere else; it is the total of what is told. */
  @Test
  void shouldPublishTheNumberOfRecordsWhereItIsPublic() {
    CrossTables tables = CrossTables.of(2, 3, 4);
    GridMeasurement<TableQuery> mechanism = ofRecords(tables);
    NoisyVector drawn =
        mechanism
            .distribution(tables.counts(1, 1, 5, 11, 11, 11, 2))
            .draw(KeyedRandom.ofPublicSeed("N"));
    assertThat(drawn.records()).hasValue(7);
    assertThat(drawn.size()).as("without the total").isEqualTo(tables.cells() - 1);
    TablesEstimate told = new TablesEstimates(mechanism).of(drawn);
    assertThat(told.counts()[0]).isEqualTo(7);
    assertThat(told.low()[0]).isEqualTo(7);
    assertThat(told.high()[0]).isEqualTo(7);
  }

  private static NoisyVector drawn(
      GridMeasurement<TableQuery> mechanism, long window, ExactVector exact) {
    ReleaseId id = new ReleaseId("p", new StateEpoch(1, 2), 1, "tables", "north", window, 0);
    return GATE.release(
        Permit.ofMadeUpData(id, mechanism), id, Measured.of(mechanism, Secret.of(exact)));
  }

  /** Another id, input, weight or noise never meets the same random numbers. */
  @Test
  void shouldDrawTheSameAgainForOneIdAndInputAlone() {
    CrossTables tables = CrossTables.of(1, 2, 2);
    GridMeasurement<TableQuery> mechanism = ofUsers(tables, 1);
    TableWeights weights = mechanism.query().weights();
    long[] other = weights.steps();
    other[1]--;
    GridMeasurement<TableQuery> otherwise =
        new GridMeasurement<>(
            new TableQuery(tables, new TableWeights(other)),
            mechanism.sensitivity(),
            mechanism.noise());
    GridMeasurement<TableQuery> wider =
        new GridMeasurement<>(
            mechanism.query(),
            mechanism.sensitivity(),
            new GridGaussian(20, mechanism.noise().steps() + 1));
    ExactVector exact = tables.counts(0, 1, 3);
    assertThat(drawn(mechanism, 0, tables.counts(3, 1, 0))).isEqualTo(drawn(mechanism, 0, exact));
    Set<Long> noises = new HashSet<>();
    for (NoisyVector noisy :
        List.of(
            drawn(mechanism, 0, exact),
            drawn(mechanism, 1, exact),
            drawn(mechanism, 0, tables.counts(0, 1, 2)),
            drawn(otherwise, 0, exact),
            drawn(wider, 0, exact))) {
      noises.add(noisy.of(0)); // of the total alone, which is the same in all
    }
    assertThat(noises).hasSize(5);
  }

  /** The same random numbers on other data: they differ by a_S x alone. */
  @Test
  void shouldAddNoiseThatDoesNotHangOnTheData() {
    Tables tables = LevelTables.even(3, 4);
    GridMeasurement<TableQuery> mechanism = ofUsers(tables, 1);
    ExactVector exact = tables.counts(0, 5, 5, 11, 2);
    long[] drawn = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("a")).values();
    long[] noise =
        mechanism
            .distribution(ExactVector.none(tables.cells()))
            .draw(KeyedRandom.ofPublicSeed("a"))
            .values();
    Arrays.setAll(drawn, cell -> drawn[cell] - noise[cell]);
    long[] expected = exact.values();
    for (int table = 0; table < tables.tables(); table++) {
      for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
        expected[cell] *= mechanism.query().weights().of(table);
      }
    }
    assertThat(drawn).containsExactly(expected);
  }

  @Test
  void shouldRefuseWhatDoesNotFit() {
    CrossTables tables = CrossTables.of(1, 2, 2);
    TableWeights weights = new TableWeights(1, 1, 1);
    GridGaussian noise = new GridGaussian(20, 1 << 20);
    assertRefused(tables, weights, new GridGaussian(16, 1 << 20), "grid 2^-20");
    assertRefused(tables, new TableWeights(1, 1), noise, "2 weights for 3 tables");
    assertRefused(tables, new TableWeights(1, 1, 0), noise, "the finest tables are measured");
    assertThatThrownBy(
            () ->
                new GridMeasurement<>(
                    new TableQuery(tables, weights), new TableWeights(0, 1, 1).replaceOne(), noise))
        .hasMessageContaining("the total is public");
    GridMeasurement<TableQuery> mechanism =
        new GridMeasurement<>(new TableQuery(tables, weights), weights.addOrRemove(1), noise);
    assertThatThrownBy(() -> mechanism.distribution(CrossTables.of(1, 5).counts(2)))
        .hasMessageContaining("5 cells in all, not 6");
    assertThatThrownBy(() -> mechanism.distribution(CrossTables.of(1, 4).counts(2)))
        .hasMessageContaining("the same number of records");
  }

  private static void assertRefused(
      Tables tables, TableWeights weights, GridGaussian noise, String told) {
    assertThatThrownBy(
            () ->
                new GridMeasurement<>(
                    new TableQuery(tables, weights), weights.addOrRemove(1), noise))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told);
  }
}
