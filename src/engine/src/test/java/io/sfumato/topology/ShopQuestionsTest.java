// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.CountRelease;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The shop's questions of the folder of examples, all in one file, against the true values beside
 * it. There is so much budget that counts have no noise, and other numbers next to none.
 */
class ShopQuestionsTest {
  private static final String TOPIC = "shop-events";

  @TempDir Path state;

  private Fixture pipeline;

  private static List<String> lines(String file) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("topology", file));
    return lines.subList(1, lines.size());
  }

  /** True values of an output, by "day category". */
  private static Map<String, Double> truth(String output) throws IOException {
    Map<String, Double> truth = new TreeMap<>();
    for (String line : lines("shop-questions-true.csv")) {
      String[] cells = line.split(",", -1);
      if (cells[0].equals(output)) {
        truth.put(cells[1] + " " + cells[2], Double.parseDouble(cells[3]));
      }
    }
    return truth;
  }

  private static String json(String line) {
    String[] cells = line.split(",", -1);
    return "{\"event\":\"%s\",\"customer\":\"%s\",\"at\":\"%s\",\"step\":\"%s\"%s}"
        .formatted(
            cells[0],
            cells[1],
            cells[2],
            cells[3],
            cells[6].isEmpty()
                ? ""
                : ",\"region\":\"%s\",\"product\":\"%s\",\"amount\":%s"
                    .formatted(cells[4], cells[5], cells[6]));
  }

  @BeforeEach
  void publishTheSample() throws IOException {
    String yaml =
        Files.readString(Path.of("topology/shop-questions.yaml"))
            .replace("epsilon: 1,", "epsilon: 100000,")
            .replace("epsilon: 6", "epsilon: 600000");
    pipeline = new Fixture(yaml, state);
    Instant day = Instant.EPOCH;
    for (String line : lines("shop-questions-sample.csv")) {
      Instant at = Instant.parse(line.split(",", -1)[2]);
      if (!at.truncatedTo(ChronoUnit.DAYS).equals(day)) {
        day = at.truncatedTo(ChronoUnit.DAYS);
        pipeline.tickTo(TOPIC, day);
      }
      pipeline.sendTo(TOPIC, json(line).getBytes(StandardCharsets.UTF_8), new RecordHeaders(), at);
    }
    pipeline.tickTo(TOPIC, day.plus(1, ChronoUnit.DAYS).plus(2, ChronoUnit.HOURS));
  }

  @AfterEach
  void close() {
    pipeline.close();
  }

  private static String day(Instant windowStart) {
    return windowStart.toString().substring(0, 10);
  }

  private Map<String, Double> counts(String output) {
    Map<String, Double> told = new TreeMap<>();
    for (CountRelease release : pipeline.releases(output, CountRelease.class)) {
      List<Long> counts =
          release.getLastCounts() == null ? release.getCounts() : release.getLastCounts();
      for (int place = 0; place < counts.size(); place++) {
        String category =
            release.getCategories().isEmpty() ? "" : release.getCategories().get(place);
        told.put(day(release.getWindowStart()) + " " + category, (double) counts.get(place));
      }
    }
    return told;
  }

  /** The true values leave out what nobody bought. */
  private static Map<String, Double> without0(Map<String, Double> counts) {
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  private static void requireNear(String what, Estimate told, double truth, double most) {
    double halfWidth = (told.getHigh() - told.getLow()) / 2;
    assertThat(halfWidth).as(what).isLessThan(most);
    assertThat(Math.abs(told.getValue() - truth))
        .as(what)
        .isLessThanOrEqualTo(3 * halfWidth + 0.01);
  }

  @Test
  void shouldCountCustomersStepsProductsAndOrders() throws IOException {
    for (String output :
        List.of("active-customers", "funnel-steps", "top-products", "orders-of-seven-days")) {
      assertThat(without0(counts(output))).as(output).isEqualTo(without0(truth(output)));
    }
    assertThat(pipeline.records("shop-questions-dead-letters")).isEmpty();
  }

  @Test
  void shouldTellRevenueAndSizesOfOrders() throws IOException {
    Map<String, Double> revenue = truth("revenue-by-region");
    int regions = 0;
    for (MeanRelease release : pipeline.releases("revenue-by-region", MeanRelease.class)) {
      for (MeanRow row : release.getRows()) {
        String what = day(release.getWindowStart()) + " " + row.getCategory();
        requireNear(what, row.getSum(), revenue.getOrDefault(what, 0.0), 20);
        regions++;
      }
    }
    assertThat(regions).isEqualTo(9 * 5);
    Map<String, Double> sizes = truth("order-value");
    int quantiles = 0;
    for (QuantileRelease release : pipeline.releases("order-value", QuantileRelease.class)) {
      for (Quantile quantile : release.getQuantiles()) {
        String what = day(release.getWindowStart()) + " " + quantile.getOf();
        double truth = sizes.get(what);
        assertThat(truth)
            .as(what)
            .isBetween(quantile.getAt().getLow() * 0.995, quantile.getAt().getHigh() * 1.005);
        quantiles++;
      }
    }
    assertThat(quantiles).isEqualTo(9 * 2);
  }
}
