// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sfumato.release.Shown;
import io.sfumato.rows.Card;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class MeanViewTest {
  private static MeanRow row(String category, Estimate mean) {
    MeanRow row = new MeanRow();
    row.setCategory(category);
    row.setValue("amount");
    row.setLowest(0);
    row.setHighest(300);
    row.setMean(mean);
    row.setSum(new Estimate(930.0, 130.0, 1_730.0, false, false));
    row.setCount(new Estimate(31.0, 21.0, 41.0, false, false));
    row.setParts(List.of());
    return row;
  }

  private static List<String> told(List<MeanRow> rows) {
    MeanRelease release = new MeanRelease();
    release.setRows(rows);
    return Shown.text(release).lines().toList();
  }

  /** Noise that leaves the whole range open tells no mean, whatever number is in its middle. */
  @Test
  void shouldCallAMeanUnknownWhoseIntervalIsTheWholeRange() {
    Estimate open = new Estimate(212.0, 0.0, 300.0, false, true);
    MeanRow row = row(null, open);
    MeanRelease release = new MeanRelease();
    release.setRows(List.of(row));
    assertThat(Shown.whole(release))
        .endsWith(
            "amount mean unknown (too much noise), sum 930 (130 to 1,730), of 31 (21 to 41) records");
    Card card = Shown.card(release);
    assertThat(card.rows())
        .extracting(Card.Row::label, Card.Row::text, Card.Row::value)
        .containsExactly(tuple("amount", "unknown", 0.0));
    assertThat(card.sections().get(0).caption()).isEqualTo("mean");
    assertThat(card.facts()).containsExactly("31 ± 10 records");
    assertThat(told(List.of(row(null, new Estimate(212.0, 0.0, 299.0, false, false)))).get(0))
        .endsWith("amount mean 212 (0 to 299),");
  }

  @Test
  void shouldGiveEachCategoryALineAndCountThoseThatHaveNoRoom() {
    Estimate mean = new Estimate(30.0, 5.0, 55.0, false, false);
    List<MeanRow> rows = IntStream.range(0, 13).mapToObj(i -> row("web / tea " + i, mean)).toList();
    List<String> lines = told(rows);
    assertThat(lines).hasSize(13);
    assertThat(lines.get(0)).endsWith("north        by category");
    assertThat(lines.get(1))
        .isEqualTo("    amount       mean          sum                 records");
    assertThat(lines.get(2))
        .isEqualTo("    web / tea 0  30 (5 to 55)  930 (130 to 1,730)  31 (21 to 41)");
    assertThat(lines.get(11)).startsWith("    web / tea 9  30 (5 to 55)");
    assertThat(lines.get(12)).isEqualTo("    and 3 more");
    assertThat(told(Stream.of(row("a", mean), row("b", mean)).toList())).hasSize(4);
  }

  @Test
  void shouldKeepNumbersOfTwoNamesApart() {
    MeanRow items = row("tea", new Estimate(2.0, 1.0, 3.0, false, false));
    items.setValue("items");
    MeanRow amount = row("tea", new Estimate(30.0, 5.0, 55.0, false, false));
    assertThat(told(List.of(amount, items)).subList(2, 4))
        .allMatch(
            line ->
                line.startsWith("    amount: tea  30") || line.startsWith("    items: tea   2"));
    MeanRelease release = new MeanRelease();
    release.setRows(List.of(amount, items));
    Card card = Shown.card(release);
    assertThat(card.rows())
        .extracting(Card.Row::label)
        .containsExactly("amount: tea", "items: tea");
    assertThat(card.facts()).as("there is no number of all records").isEmpty();
    release.setRows(List.of(amount));
    assertThat(Shown.card(release).sections().get(0).caption()).isEqualTo("mean of amount");
  }
}
