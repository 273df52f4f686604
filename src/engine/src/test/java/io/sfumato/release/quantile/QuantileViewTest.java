// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.release.Shown;
import io.sfumato.rows.Card;
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
                row("coffee / north", 56, quantile(0.5, 40, 30, 50), NINETY, UNKNOWN)),
            MEDIAN,
            NINETY,
            UNKNOWN);
    assertThat(Shown.whole(release).lines())
        .containsExactly(
            "2026-11-02 00:00  north        amount median 31.2 (29.0 to 33.5), 90% 88 (80 to 97),"
                + " 99% unknown (too much noise), of 1,300 (1,270 to 1,330) records",
            "    amount          median               90%            99%      records",
            "    tea / north     31.2 (29.0 to 33.5)  88 (80 to 97)  unknown  1,234 (1,225 to 1,243)",
            "    coffee / north  40 (30 to 50)        88 (80 to 97)  unknown  56 (47 to 65)");
    release.setCategories(null);
    assertThat(Shown.whole(release).lines()).hasSize(1);
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
    List<String> lines = Shown.text(release(rows, many)).lines().toList();
    assertThat(lines)
        .allMatch(line -> line.length() <= 80)
        .allMatch(line -> !line.contains("\u001b"));
    assertThat(lines.get(lines.size() - 1)).isEqualTo("    and 15 more");
    List<String> heads = lines.stream().filter(line -> line.startsWith("    amount  ")).toList();
    for (Quantile quantile : many) {
      String head = Math.round(100 * quantile.getOf()) + "%";
      assertThat(heads)
          .as(head)
          .filteredOn(line -> line.contains(quantile.getOf() == 0.5 ? "median" : head))
          .hasSize(1);
    }
  }

  /** Each category by its median; what noise hides stands behind the rest. */
  @Test
  void shouldShowCategoriesOnACard() {
    Quantile hidden = quantile(0.5, 2500, 0, 5000);
    Card card =
        Shown.card(
            release(
                List.of(
                    row("tea", 1234, MEDIAN, NINETY),
                    row("cake", 2, hidden, NINETY),
                    row("coffee", 56, quantile(0.5, 40, 30, 50), NINETY)),
                MEDIAN,
                NINETY));
    assertThat(card.sections().get(0).caption()).isEqualTo("median of amount");
    assertThat(card.rows()).extracting(Card.Row::label).containsExactly("tea", "cake", "coffee");
    assertThat(card.rows()).extracting(Card.Row::value).containsExactly(31.2, 0.0, 40.0);
    assertThat(card.rows().get(0).text()).isEqualTo("31.2 (29.0 to 33.5)");
    assertThat(card.rows().get(1).text()).isEqualTo("unknown");
    assertThat(card.facts()).containsExactly("1,300 ± 30 records");
    assertThat(new QuantileView().drawn()).contains("categories", "count", "quantiles");
  }

  /** Bars lie where the numbers do, by ratios where bins are of equal ratio. */
  @Test
  void shouldDrawBarsOnTheScaleOfTheBins() {
    QuantileRelease release = release(null, quantile(0.5, 100, 10, 1000));
    release.setLowest(1.0);
    release.setHighest(10_000.0);
    assertThat(Shown.card(release).rows().get(0).bar().orElseThrow().at())
        .isCloseTo(99 / 9999.0, within(1e-12));
    release.setScale("log");
    Card.Spot bar = Shown.card(release).rows().get(0).bar().orElseThrow();
    assertThat(bar.low()).isCloseTo(0.25, within(1e-12));
    assertThat(bar.at()).isCloseTo(0.5, within(1e-12));
    assertThat(bar.high()).isCloseTo(0.75, within(1e-12));
  }
}
