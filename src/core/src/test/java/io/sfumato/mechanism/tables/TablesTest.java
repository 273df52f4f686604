// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which cells there are, and which of them a record is in. */
class TablesTest {
  @Test
  void shouldPutARecordInOneCellOfEachTable() {
    CrossTables tables = CrossTables.of(2, 3, 2, 4);
    assertThat(tables.cells()).isEqualTo(1 + 3 + 2 + 4 + 6 + 12 + 8);
    assertThat(tables.categories()).isEqualTo(24);
    int[] cells = new int[tables.tables()];
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 2; b++) {
        for (int c = 0; c < 4; c++) {
          long category = (a * 2L + b) * 4 + c;
          assertThat(tables.category(a, b, c)).isEqualTo(category);
          tables.cellsOf(category, cells);
          assertThat(cells)
              .containsExactly(
                  0, 1 + a, 4 + b, 6 + c, 10 + 2 * a + b, 16 + 4 * a + c, 28 + 4 * b + c);
        }
      }
    }
    assertThat(tables.columnsOf(0)).isEmpty();
    assertThat(tables.columnsOf(tables.ofColumn(2))).containsExactly(2);
    assertThat(tables.columnsOf(tables.ofPair(1))).containsExactly(0, 2);
    assertThat(tables.finest()).isEqualTo(4);
    assertThat(CrossTables.of(1, 3, 2, 4).finest()).isEqualTo(1);
    assertThat(CrossTables.of(2, 3).finest()).isEqualTo(1);
  }

  /** Far more combinations than a whole number of 32 bits counts. */
  @Test
  void shouldNumberManyCombinations() {
    CrossTables tables = CrossTables.of(1, 1000, 1000, 1000, 1000, 1000);
    int[] cells = new int[6];
    tables.cellsOf(tables.category(1, 20, 300, 4, 999), cells);
    assertThat(cells).containsExactly(0, 2, 1021, 2301, 3005, 5000);
    assertThat(tables.category(999, 999, 999, 999, 999)).isEqualTo(999_999_999_999_999L);
  }

  @Test
  void shouldPutALeafUnderAllThatItBelongsTo() {
    LevelTables tables =
        LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1}, new int[] {0, 1, 1, 1, 2, 2});
    int[][] expected = {
      {0, 1, 3, 6}, {0, 1, 4, 7}, {0, 1, 4, 8}, {0, 1, 4, 9}, {0, 2, 5, 10}, {0, 2, 5, 11}
    };
    int[] cells = new int[4];
    for (int leaf = 0; leaf < expected.length; leaf++) {
      tables.cellsOf(leaf, cells);
      assertThat(cells).containsExactly(expected[leaf]);
    }
    assertThat(LevelTables.even(2, 3))
        .isEqualTo(LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 0, 1, 1, 1}))
        .isNotEqualTo(LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 1, 1, 1, 1}));
  }

  @Test
  void shouldRefuseWhatIsNoSetOfTables() {
    assertRefused(() -> CrossTables.of(3, 2, 2), "1 or 2 columns");
    assertRefused(() -> CrossTables.of(2), "1 to 8 columns");
    assertRefused(() -> CrossTables.of(1, 2, 2, 2, 2, 2, 2, 2, 2, 2), "1 to 8 columns");
    assertRefused(() -> CrossTables.of(2, 2, 1), "at least 2 values");
    assertRefused(() -> CrossTables.of(2, 400, 300), "more than 100000 cells");
    assertRefused(() -> CrossTables.of(2, Integer.MAX_VALUE, 2), "more than 100000 cells");
    assertRefused(() -> CrossTables.of(1, 9000, 9000, 9000, 9000, 9000, 9000), "2^63 combinations");
    assertRefused(() -> LevelTables.of(), "at least one level");
    assertRefused(() -> LevelTables.of(new int[] {0}), "at least 2 leaves");
    assertRefused(() -> LevelTables.of(new int[] {0, 0}, new int[] {0, 0}), "has a child");
    assertRefused(() -> LevelTables.of(new int[] {0, 0}, new int[] {1, 0}), "one after another");
    assertRefused(() -> LevelTables.of(new int[] {0, 1}), "and no other");
    assertRefused(() -> LevelTables.even(400, 400), "100000 nodes");
    assertRefused(() -> CrossTables.of(1, 2, 2).cellsOf(4, new int[3]), "4 combinations");
    assertRefused(() -> CrossTables.of(1, 2, 2).category(0, 2), "column 1 has values 0 to 1");
    assertRefused(() -> LevelTables.even(2, 2).cellsOf(-1, new int[3]), "4 leaves");
  }

  private static void assertRefused(Runnable made, String told) {
    assertThatThrownBy(made::run)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(told);
  }

  /** What is exact says nothing of itself, and is what tables of records are. */
  @Test
  void shouldTakeCountsThatAgreeAlone() {
    CrossTables tables = CrossTables.of(1, 2, 2);
    TableQuery query = new TableQuery(tables, new TableWeights(1, 1, 1));
    assertThat(tables.counts(0, 3, 3).values()).containsExactly(3, 1, 2, 1, 2);
    assertThat(query.records(tables.counts(0, 3, 3))).hasValue(3);
    assertThat(tables.counts(0, 3, 3).toString()).isEqualTo("ExactVector[5 numbers]");
    for (long[] cells :
        List.of(
            new long[] {3, 1, 2, 1, 1},
            new long[] {3, 1, 2, 1, 3},
            new long[] {3, 4, -1, 1, 2},
            new long[] {2, 1, 2, 1, 2},
            new long[] {3, 1, 2},
            new long[] {1L << 41, 1L << 41, 0, 0, 1L << 41})) {
      assertThatThrownBy(() -> query.vector(new ExactVector(cells)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  /** Different tables never have the same framing. */
  @Test
  void shouldFrameAllThatTheyDependOn() {
    Set<String> encoded = new HashSet<>();
    for (Tables tables :
        List.of(
            CrossTables.of(1, 2, 2),
            CrossTables.of(2, 2, 2),
            CrossTables.of(2, 2, 3),
            CrossTables.of(2, 3, 2),
            LevelTables.even(2, 2),
            LevelTables.even(4),
            LevelTables.of(new int[] {0, 0}, new int[] {0, 0, 0, 1}),
            LevelTables.of(new int[] {0, 0}, new int[] {0, 1, 1, 1}))) {
      CanonicalEncoder encoder = new CanonicalEncoder();
      tables.encode(encoder);
      encoded.add(Arrays.toString(encoder.toBytes()));
    }
    assertThat(encoded).hasSize(8);
  }
}
