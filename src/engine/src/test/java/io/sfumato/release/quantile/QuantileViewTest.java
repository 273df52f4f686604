// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.Card;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Guarantees;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What people read of quantiles of categories. */
class QuantileViewTest {
  private static final QuantileView VIEW = new QuantileView();

  private static Quantile quantile(double of, double value, double low, double high) {
    boolean unknown = low <= 0 && high >= 5000;
    return new Quantile(of, new Estimate(value, low, high, false, unknown), false);
  }

  private static QuantileRow row(String category, double count, Quantile... quantiles) {
    return new QuantileRow(
        category, new Estimate(count, count - 9, count + 9, false, false), List.of(quantiles));
  }

  private static QuantileRelease release(List<QuantileRow> rows, Quantile... together) {
    return QuantileRelease.newBuilder()
        .setReleaseId("id")
        .setPipeline("p")
        .setOutput("waits")
        .setSubject("north")
        .setWindowStart(Instant.parse("2026-11-02T00:00:00Z"))
        .setWindowEnd(Instant.parse("2026-11-03T00:00:00Z"))
        .setValue("amount")
        .setLowest(0.0)
        .setHighest(5000.0)
        .setBins(4096)
        .setScale("linear")
        .setCount(new Estimate(1300.0, 1270.0, 1330.0, false, false))
        .setQuantiles(List.of(together))
        .setCategories(rows)
        .setGuarantee(Guarantees.any().build())
        .build();
  }

  private static final Quantile MEDIAN = quantile(0.5, 31.2, 29, 33.5);
  private static final Quantile NINETY = quantile(0.9, 88, 80, 97);
  private static final Quantile UNKNOWN = quantile(0.99, 2500, 0, 5000);

  @Test
  void shouldShowCategoriesAsAGrid() {
    QuantileRelease release =
        release(
            List.of(
                row("tea / north", 1234, MEDIAN, NINETY, UNKNOWN),
                row("coffee / north", 56, NINETY, NINETY, UNKNOWN)),
            MEDIAN,
            NINETY,
            UNKNOWN);
    assertThat(VIEW.row(release).lines())
        .containsExactly(
            "amount median 31.2 (29.0 to 33.5), 90% 88 (80 to 97), 99% unknown (too much noise) of"
                + " 1,300 (1,270 to 1,330) records",
            "                    records  median               90%            99%",
            "    tea / north     1,234    31.2 (29.0 to 33.5)  88 (80 to 97)  unknown",
            "    coffee / north  56       88 (80 to 97)        88 (80 to 97)  unknown");
    release.setCategories(null);
    assertThat(VIEW.row(release)).doesNotContain(System.lineSeparator()).contains("90% 88 (80 to");
  }

  /** Names are somebody else's: none is longer than its column, nor leaves its line. */
  @Test
  void shouldFitATerminal() {
    Quantile[] many =
        IntStream.range(1, 10)
            .mapToObj(i -> quantile(i / 10.0, 1000.0 * i / 2, 400.0 * i, 550.0 * i))
            .toArray(Quantile[]::new);
    List<QuantileRow> rows =
        IntStream.range(0, 25)
            .mapToObj(i -> row("a very long name of a category\n\u001b[2J " + i, 1e9, many))
            .toList();
    List<String> lines = VIEW.row(release(rows, many)).lines().skip(1).toList();
    assertThat(lines)
        .allMatch(line -> line.length() <= 80)
        .allMatch(line -> !line.contains("\u001b"));
    assertThat(lines.get(lines.size() - 1)).isEqualTo("    and 15 more");
    for (Quantile quantile : many) {
      String head = Math.round(100 * quantile.getOf()) + "%";
      assertThat(
              lines.stream()
                  .filter(line -> line.contains(quantile.getOf() == 0.5 ? "median" : head)))
          .as(head)
          .hasSize(1);
    }
  }

  /** Each category by its median; what noise hides stands behind the rest. */
  @Test
  void shouldShowCategoriesOnACard() {
    Quantile hidden = quantile(0.5, 2500, 0, 5000);
    Card card =
        VIEW.card(
            release(
                List.of(
                    row("tea", 1234, MEDIAN, NINETY),
                    row("cake", 2, hidden, NINETY),
                    row("coffee", 56, quantile(0.5, 40, 30, 50), NINETY)),
                MEDIAN,
                NINETY),
            null);
    assertThat(card.rows())
        .extracting(Card.Row::label)
        .containsExactly("tea median", "cake median", "coffee median");
    assertThat(card.rows()).extracting(Card.Row::value).containsExactly(31.2, 0.0, 40.0);
    assertThat(card.rows().get(0).text()).isEqualTo("31.2 (29.0 to 33.5)");
    assertThat(card.rows().get(1).text()).isEqualTo("unknown (too much noise)");
    assertThat(VIEW.drawn()).contains("categories", "count", "quantiles");
  }

  @Test
  void shouldShowNoMoreRowsOnACardThanPeopleLookAt() {
    List<QuantileRow> rows =
        IntStream.range(0, 500).mapToObj(i -> row("c" + i, 5, MEDIAN, NINETY)).toList();
    assertThat(VIEW.card(release(rows, MEDIAN, NINETY), null).rows()).hasSize(40);
  }
}
