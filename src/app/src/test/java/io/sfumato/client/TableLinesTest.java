// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.table.MadeTables;
import io.sfumato.schema.TableRelease;
import io.sfumato.text.TerminalColumns;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What {@code consume} prints of tables. */
class TableLinesTest {
  private static final String LONG = "the department of accidents and emergencies of hospital no. ";

  static Stream<MadeTables> tables() {
    return Stream.of("v", LONG, "東京都渋谷区カテゴリー", "😀", "e\u0301\u202e\n")
        .flatMap(
            name ->
                Stream.of(
                        MadeTables.crossing(2, 2),
                        MadeTables.crossing(40, 40),
                        MadeTables.crossing(3, 3, 3, 3, 3, 3, 3, 3),
                        MadeTables.path(3, 3, 3, 3))
                    .map(tables -> tables.named(name)));
  }

  /** Whatever fields and values are called. */
  @ParameterizedTest
  @MethodSource("tables")
  void aTerminalOfEightyColumnsIsWideEnough(MadeTables tables) {
    List<String> lines =
        ReleaseTable.line(tables.release((a, b) -> 12_345L * a + b)).lines().toList();
    assertThat(lines).allMatch(line -> TerminalColumns.of(line) <= 80);
    assertThat(lines).hasSizeLessThan(40);
  }

  /** In a file each cell stands once, with its names whole. */
  @ParameterizedTest
  @MethodSource("tables")
  void offATerminalNothingIsCut(MadeTables tables) {
    TableRelease release = tables.release((a, b) -> 12_345L * a + b);
    String whole = ReleaseTable.wholeLine(release);
    assertThat(whole).doesNotContain("…", " more");
    release.getTables().stream()
        .flatMap(table -> table.getRows().stream())
        .flatMap(row -> row.getValues().stream())
        .distinct()
        .forEach(value -> assertThat(whole).contains(TerminalColumns.shown(value)));
    assertThat(whole.lines().count())
        .isEqualTo(
            tables.isPath()
                ? 3 + release.getTables().stream().skip(1).mapToLong(t -> t.getRows().size()).sum()
                : 2
                    + tables.sizes().size()
                    + release.getTables().stream()
                        .filter(table -> table.getColumns().size() == 2)
                        .mapToLong(
                            table ->
                                1
                                    + table.getRows().stream()
                                        .map(r -> r.getValues().get(0))
                                        .distinct()
                                        .count())
                        .sum());
  }

  @Test
  void whatIsLeftOutIsSaid() {
    List<String> lines =
        ReleaseTable.line(MadeTables.crossing(40, 30).release((a, b) -> a)).lines().toList();
    assertThat(lines.get(lines.size() - 1)).isEqualTo("    and 30 more rows, 24 more columns");
    assertThat(ReleaseTable.line(MadeTables.path(9, 9).release((a, b) -> a + b)))
        .endsWith("and %d more, none of them larger".formatted(9 + 81 - 24));
    assertThat(ReleaseTable.line(MadeTables.crossing(2, 2, 2, 2, 2).release((a, b) -> a)))
        .endsWith("and 4 more tables");
  }

  /** Each place stands below what it lies in. */
  @Test
  void aPathIsATree() {
    TableRelease path = MadeTables.path(2, 2).release((a, b) -> 10L * a + b + 1_000);
    assertThat(ReleaseTable.line(path).lines().skip(1))
        .containsExactly(
            "    each of these counts is within +-5 (95%)",
            "    f0 > f1",
            "    v0       2,001",
            "      v0     1,000",
            "      v1     1,001",
            "    v1       2,021",
            "      v0     1,010",
            "      v1     1,011");
  }
}
