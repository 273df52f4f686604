// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.table.MadeTables;
import io.sfumato.rows.Card;
import io.sfumato.rows.Drawing;
import io.sfumato.rows.Drawing.Bars;
import io.sfumato.rows.Drawing.Cell;
import io.sfumato.rows.Drawing.Grid;
import io.sfumato.rows.LocalTimes;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.avro.generic.IndexedRecord;
import org.junit.jupiter.api.Test;

/** Tables of several fields on the operators' page. */
class TableCardTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static Card card(PlannedRelease release, IndexedRecord record) {
    return OutputCards.card(release, record).orElseThrow();
  }

  private static ObjectNode json(PlannedRelease release, IndexedRecord record) {
    ObjectNode json = JSON.createObjectNode();
    OutputCards.write(release, card(release, record), List.of(), LocalTimes.UTC, json);
    return json;
  }

  private static Grid firstGrid(Card card) {
    return (Grid) card.drawings().get(0);
  }

  /** Of two fields the one with fewer values goes across: pages scroll down. */
  @Test
  void aTableOfTwoFieldsIsAGridWhicheverIsLonger() throws Exception {
    for (int[] sizes : new int[][] {{2, 5}, {5, 2}}) {
      MadeTables tables = MadeTables.crossing(sizes);
      Card card = card(tables.planned(), tables.release((a, b) -> 10L * a + b));
      assertThat(card.drawings())
          .extracting(Drawing::title)
          .containsExactly(sizes[0] < sizes[1] ? "f1 × f0" : "f0 × f1", "f0", "f1");
      Grid grid = firstGrid(card);
      assertThat(grid.across().values()).hasSize(2);
      assertThat(grid.down().values()).hasSize(5);
      assertThat(grid.across().more() + grid.down().more()).isZero();
      assertThat(grid.held()).isCloseTo(1, within(1e-12));
      Cell fifth = grid.cells().get(2 * 4 + 1);
      assertThat(fifth.count()).isEqualTo(sizes[0] < sizes[1] ? 14 : 41);
      assertThat(fifth.high()).isEqualTo(fifth.count() + 5);
    }
  }

  /** What is shown are the largest rows and columns, in the file's order. */
  @Test
  void ofALargeTableTheLargestRowsAndColumnsAreShown() throws Exception {
    MadeTables tables = MadeTables.crossing(90, 100);
    IndexedRecord whole = tables.release((a, b) -> a < 70 ? (a % 10 == 0 ? 1L : 0) : a + b);
    Grid grid = firstGrid(card(tables.planned(), whole));
    assertThat(grid.across().values()).hasSize(20);
    assertThat(grid.down().values()).hasSize(30);
    assertThat(grid.across().more()).isEqualTo(70);
    assertThat(grid.down().more()).isEqualTo(70);
    assertThat(grid.down().values()).startsWith("v70", "v71").endsWith("v98", "v99");
    assertThat(grid.across().values()).startsWith("v70").endsWith("v89");
    long shown = grid.cells().stream().mapToLong(Cell::count).sum();
    long all = 100L * 7 + IntStream.range(70, 90).mapToLong(a -> 100L * a + 99 * 50).sum();
    assertThat(grid.held()).isCloseTo(shown / (double) all, within(1e-12));
  }

  /** A page of a second: six cards of the largest table, and of the most tables. */
  @Test
  void whatIsSentStaysSmallHoweverManyTablesThereAre() throws Exception {
    for (MadeTables tables :
        List.of(
            MadeTables.crossing(90, 100),
            MadeTables.crossing(7, 7, 7, 7, 7, 7, 7, 7),
            MadeTables.path(10, 10, 10))) {
      IndexedRecord whole = tables.named("語".repeat(300)).release((a, b) -> 1_234_567L);
      assertThat(json(tables.planned(), whole).toString().getBytes(StandardCharsets.UTF_8))
          .hasSizeLessThan(90_000);
      MadeTables shorter = tables.named("value ");
      assertThat(json(tables.planned(), shorter.release((a, b) -> 12_345L)).toString())
          .hasSizeLessThan(30_000);
    }
  }

  @Test
  void everyPairOfManyFieldsCanBeChosen() throws Exception {
    MadeTables tables = MadeTables.crossing(10, 10, 10, 10, 10, 10, 10, 10);
    Card card = card(tables.planned(), tables.release((a, b) -> 1));
    assertThat(card.drawings()).hasSize(28 + 8).doesNotHaveDuplicates();
    assertThat(firstGrid(card).cells()).hasSize(36);
    assertThat(firstGrid(card).down().more()).isEqualTo(4);
  }

  /** Whatever is shown of a path has what it lies in before it. */
  @Test
  void aPathIsShownAsItsLargestPlaces() throws Exception {
    MadeTables tables = MadeTables.path(4, 4, 4);
    IndexedRecord whole = tables.release((a, b) -> a == 1 ? 100 - b : 10 - a);
    Bars bars = (Bars) card(tables.planned(), whole).drawings().get(0);
    assertThat(bars.title()).isEqualTo("f0 > f1 > f2");
    assertThat(bars.bars()).hasSize(24);
    assertThat(bars.more()).isEqualTo(4 + 16 + 64 - 24);
    assertThat(bars.bars().get(0).label()).isEqualTo("v1");
    assertThat(bars.bars().get(1).within()).containsExactly("v1");
    assertThat(bars.bars().get(2).within()).hasSize(2);
    for (Drawing.Bar bar : bars.bars()) {
      assertThat(bar.within().isEmpty() || isShown(bars, bar.within())).isTrue();
    }
  }

  private static boolean isShown(Bars bars, List<String> place) {
    int last = place.size() - 1;
    return bars.bars().stream()
        .anyMatch(
            bar ->
                bar.within().equals(place.subList(0, last)) && bar.label().equals(place.get(last)));
  }

  /** A total is no share: two subjects' have no mean. */
  @Test
  void theTotalIsARowWithoutABar() throws Exception {
    MadeTables tables = MadeTables.crossing(2, 2);
    Card card = card(tables.planned(), tables.release((a, b) -> 5));
    assertThat(card.rows()).extracting(Card.Row::text).containsExactly("20 (15 to 25)");
    var together = JSON.createArrayNode();
    WindowMean.of(card).and(WindowMean.of(card)).write("tables", LocalTimes.UTC, together);
    assertThat(together).isEmpty();
  }

  /** Others may write to the topic: what is no table draws nothing, and stops nothing. */
  @Test
  void whatHasNoTotalIsPassedOver() throws Exception {
    MadeTables tables = MadeTables.crossing(2, 2);
    assertThat(OutputCards.card(tables.planned(), MadeTables.empty())).isEmpty();
    assertThat(OutputCards.card(tables.planned(), MadeTables.withoutACell())).isEmpty();
  }
}
