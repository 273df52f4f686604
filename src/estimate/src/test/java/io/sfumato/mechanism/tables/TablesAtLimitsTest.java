// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.tables.ConsistentRounding;
import io.sfumato.estimate.tables.LeastSquares;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridGaussian;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/**
 * Where cells lie, what they weigh and move by, in which order they are drawn, and what is none.
 */
class TablesAtLimitsTest {
  private static final long ONE = TableWeights.ONE;

  private static void assertRefused(Runnable made, String told) {
    assertThatThrownBy(made::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told);
  }

  @Test
  void tablesHoldUpTo100000Cells() {
    assertThat(CrossTables.of(1, 99_999).cells()).isEqualTo(100_000);
    assertRefused(() -> CrossTables.of(1, 100_000), "more than 100000 cells");
    assertThat(LevelTables.even(99_999).cells()).isEqualTo(100_000);
    assertRefused(() -> LevelTables.even(100_000), "all levels together");
    assertRefused(() -> LevelTables.even(100_001), "1 to 100000 nodes");
    assertRefused(() -> LevelTables.even(0), "each node a child");
    assertRefused(() -> LevelTables.even(2, -1), "each node a child");
    assertThat(LevelTables.even(1, 2).cells()).isEqualTo(4);
    assertRefused(() -> CrossTables.of(0, 2), "1 or 2 columns");
    assertThat(CrossTables.of(2, 2, 2, 2, 2, 2, 2, 2, 2).columns()).isEqualTo(8);
  }

  @Test
  void combinationsAreFewerThanWholeNumbersHold() {
    CrossTables most = CrossTables.of(1, 256, 256, 256, 256, 256, 256, 256, 64);
    assertThat(most.categories()).isEqualTo(1L << 62);
    assertRefused(() -> CrossTables.of(1, 256, 256, 256, 256, 256, 256, 256, 128), "2^63");
    assertRefused(() -> CrossTables.of(1, 256, 256, 256, 256, 256, 256, 256, 256), "2^63");
    int[] cells = new int[9];
    most.cellsOf((1L << 62) - 1, cells);
    assertThat(cells).containsExactly(0, 256, 512, 768, 1024, 1280, 1536, 1792, 1856);
    assertRefused(() -> most.cellsOf(1L << 62, cells), "combinations");
    assertRefused(() -> most.cellsOf(-1, cells), "combinations");
  }

  @Test
  void columnsAndPairsHaveTheirTables() {
    CrossTables tables = CrossTables.of(2, 3, 2, 4);
    assertThat(tables.pairs()).isEqualTo(3);
    assertThat(tables.values(2)).isEqualTo(4);
    int[][] pairs = {{0, 1}, {0, 2}, {1, 2}};
    for (int pair = 0; pair < 3; pair++) {
      assertThat(new int[] {tables.first(pair), tables.second(pair)}).isEqualTo(pairs[pair]);
      assertThat(tables.columnsOf(tables.ofPair(pair))).isEqualTo(pairs[pair]);
      tables.columnsOf(tables.ofPair(pair))[0] = 99;
      assertThat(tables.columnsOf(tables.ofPair(pair))).as("a copy").isEqualTo(pairs[pair]);
    }
    assertThat(tables.columnsOf(3)).containsExactly(2);
    assertThat(tables.size(5)).isEqualTo(12);
    assertRefused(() -> tables.category(1, 1), "2 values for 3 columns");
    assertRefused(() -> tables.category(-1, 0, 0), "column 0 has values 0 to 2, was -1");
    assertRefused(() -> tables.category(3, 0, 0), "column 0 has values 0 to 2, was 3");
    assertThat(tables)
        .hasToString("tables of up to 2 of the columns [3, 2, 4]")
        .isEqualTo(CrossTables.of(2, 3, 2, 4))
        .hasSameHashCodeAs(CrossTables.of(2, 3, 2, 4))
        .isNotEqualTo(CrossTables.of(1, 3, 2, 4))
        .isNotEqualTo(CrossTables.of(2, 3, 4, 2))
        .isNotEqualTo("tables");
  }

  @Test
  void childrenStandBelowTheirParents() {
    LevelTables tables = LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1});
    assertThat(new int[] {tables.children(0), tables.children(1), tables.children(2)})
        .containsExactly(1, 3, 5);
    assertThat(tables.children(3)).as("where the last ones end").isEqualTo(6);
    assertThat(tables.leaves()).isEqualTo(3);
    assertThat(tables.categories()).isEqualTo(3);
    assertThat(tables.finest()).isEqualTo(2);
    int[] cells = new int[3];
    tables.cellsOf(2, cells);
    assertThat(cells).containsExactly(0, 2, 5);
    assertRefused(() -> tables.cellsOf(3, cells), "3 leaves");
    assertThat(tables)
        .hasToString("levels of [1, 2, 3] nodes")
        .isEqualTo(LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1}))
        .hasSameHashCodeAs(LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1}))
        .isNotEqualTo(LevelTables.of(new int[] {0, 0}, new int[] {0, 1, 1}))
        .isNotEqualTo("tables");
    assertRefused(() -> LevelTables.of(new int[] {0, 0}, new int[] {0, 1, 2}), "and no other");
    assertRefused(() -> LevelTables.of(new int[] {0, 0}, new int[] {0, 1, 2, 3}), "and no other");
    assertRefused(() -> LevelTables.of(new int[] {0, 0}, new int[] {0, 1, 0}), "one after another");
  }

  /** What both kinds of tables tell of exact cells is what they are. */
  @Test
  void wholeCellsStayAsTheyAre() {
    for (Tables tables : new Tables[] {CrossTables.of(2, 2, 3), LevelTables.even(2, 3)}) {
      long[] exact = tables.counts(0, 1, 1, 5).values();
      double[] cells = Arrays.stream(exact).asDoubleStream().toArray();
      assertThat(ConsistentRounding.of(tables).rounded(cells)).isEqualTo(exact);
      double[] precisions = new double[tables.tables()];
      Arrays.fill(precisions, 1);
      assertThat(LeastSquares.of(tables, Tables.Total.PUBLIC, precisions)).isNotNull();
      tables.cellsOf(2, new int[tables.tables()]);
      int empty = tables.cells() - 2; // the next to last of the finest has nobody
      assertThat(cells[empty]).isZero();
      cells[empty] -= 1e-9;
      ConsistentRounding.of(tables).makePossible(cells, 4);
      assertThat(cells[empty]).isGreaterThanOrEqualTo(0);
      assertThat(cells[0]).isEqualTo(4);
    }
  }

  @Test
  void countsHoldUpTo2To40Records() {
    CrossTables tables = CrossTables.of(1, 2, 2);
    long most = 1L << 40;
    ExactVector full = new ExactVector(most, most, 0, most - 1, 1);
    assertThat(tables.records(full)).isEqualTo(most);
    TableQuery query = new TableQuery(tables, new TableWeights(ONE, ONE, ONE));
    assertThat(query.vector(full)[0]).isEqualTo(1L << 60);
    String tooMany = "at most " + most + " in all";
    assertRefused(() -> records(tables, most + 1, most + 1, 0, most + 1, 0), tooMany);
    assertRefused(() -> records(tables, 3, -1, 4, 1, 2), "at least 0");
    assertRefused(() -> records(tables, -1, 0, -1, -1, 0), "at least 0");
    assertRefused(() -> records(tables, 3, 1, 2, 1, 1), "the same number");
    assertRefused(() -> records(tables, 3, 1, 2, 1, 3), "the same number");
    assertRefused(() -> records(tables, 3), "5 cells in all, not 1");
    assertRefused(() -> query.vector(new ExactVector(3, 1, 2, 1, 1)), "the same number");
    assertThat(records(tables, new long[5])).isZero();
    assertThat(full)
        .isEqualTo(new ExactVector(full.values()))
        .hasSameHashCodeAs(new ExactVector(full.values()))
        .isNotEqualTo(ExactVector.none(5))
        .isNotEqualTo("counts");
    full.values()[0] = 0;
    assertThat(tables.records(full)).as("a copy").isEqualTo(most);
  }

  private static long records(Tables tables, long... cells) {
    return tables.records(new ExactVector(cells));
  }

  @Test
  void weightsAreWholeStepsUpToOne() {
    TableWeights weights = new TableWeights(0, ONE, ONE / 2);
    assertThat(weights.precisions()).containsExactly(0, 1, 0.25);
    assertThat(TableWeights.ofPrecisions(0, 1, 0.25)).isEqualTo(weights);
    assertThat(weights.tables()).isEqualTo(3);
    assertThat(weights.of(2)).isEqualTo(ONE / 2);
    weights.steps()[0] = 1;
    assertThat(weights.of(0)).as("a copy").isZero();
    assertRefused(() -> new TableWeights(-1, 1), "0 to 2^20 steps, was -1");
    assertRefused(() -> new TableWeights(ONE + 1), "0 to 2^20 steps");
    assertRefused(() -> new TableWeights(0, 0), "at least one table");
    assertThat(weights)
        .hasSameHashCodeAs(new TableWeights(0, ONE, ONE / 2))
        .hasToString("TableWeights[0, 1048576, 524288]")
        .isNotEqualTo(new TableWeights(0, ONE, 1))
        .isNotEqualTo("weights");
  }

  /** sqrt of C^2, or 2, times the sum of squares: up to the next step, and no further. */
  @Test
  void weightsMoveByTheRootOfTheirSquaresRoundedUp() {
    assertThat(new TableWeights(0, 3, 4).addOrRemove(1))
        .isEqualTo(new GridSensitivity("add-or-remove-1 tables-3-25", PrivacyUnit.USER, 1, 7, 5));
    assertThat(new TableWeights(0, 3, 5).addOrRemove(2))
        .isEqualTo(new GridSensitivity("add-or-remove-2 tables-3-34", PrivacyUnit.USER, 1, 16, 12));
    assertThat(new TableWeights(0, 1, 7).replaceOne())
        .isEqualTo(new GridSensitivity("replace-one tables-3-50", PrivacyUnit.RECORD, 1, 16, 10));
    assertThat(new TableWeights(0, 1, 8).replaceOne().l2()).as("of 130").isEqualTo(12);
    assertRefused(() -> new TableWeights(1, 1, 8).replaceOne(), "the total is public");
    assertRefused(() -> new TableWeights(1, 1).addOrRemove(0), "at least 1 record");
  }

  /** Cell after cell of the tables that are measured, in whole steps of their weights. */
  @Test
  void measuredCellsAreDrawnInTheirOrder() {
    CrossTables tables = CrossTables.of(2, 2, 2);
    TableWeights weights = new TableWeights(5, 0, 7, ONE);
    GridGaussian noise = new GridGaussian(20, 3 * ONE);
    GridMeasurement<TableQuery> mechanism =
        new GridMeasurement<>(new TableQuery(tables, weights), weights.addOrRemove(1), noise);
    ExactVector exact = tables.counts(0, 1, 1, 3);
    long[] drawn = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("cells")).values();
    KeyedRandom same = KeyedRandom.ofPublicSeed("cells");
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    long[] weighted = {4 * 5, 7, 3 * 7, ONE, 2 * ONE, 0, ONE};
    assertThat(mechanism.query().vector(exact)).isEqualTo(weighted);
    assertThat(drawn).hasSameSizeAs(weighted);
    for (int cell = 0; cell < weighted.length; cell++) {
      assertThat(drawn[cell]).isEqualTo(weighted[cell] + sampler.applyAsLong(same));
    }
    assertThat(mechanism.method()).isEqualTo("gaussian");
    assertThat(mechanism.parameters()).isEqualTo(noise.parameters()).isNotEmpty();
    CanonicalEncoder encoded = new CanonicalEncoder();
    mechanism.distribution(exact).encodeInput(encoded);
    CanonicalEncoder expected = new CanonicalEncoder().text("tables");
    tables.encode(expected);
    expected
        .numbers(weights.steps())
        .text("total measured")
        .text("gaussian")
        .number(20)
        .number(3 * ONE)
        .numbers(exact.values());
    assertThat(encoded.toBytes()).isEqualTo(expected.toBytes());
  }

  @Test
  void whatIsPublishedHasAPublicNumberOrNone() {
    NoisyVector noisy = new NoisyVector(OptionalLong.of(0), 4, -5);
    assertThat(noisy.size()).isEqualTo(2);
    assertRefused(() -> new NoisyVector(OptionalLong.of(-1), 4), "at least 0");
    noisy.values()[0] = 9;
    assertThat(noisy)
        .isEqualTo(new NoisyVector(OptionalLong.of(0), 4, -5))
        .hasSameHashCodeAs(new NoisyVector(OptionalLong.of(0), 4, -5))
        .isNotEqualTo(new NoisyVector(OptionalLong.empty(), 4, -5))
        .isNotEqualTo(new NoisyVector(OptionalLong.of(0), 4, -6))
        .isNotEqualTo("cells");
  }
}
