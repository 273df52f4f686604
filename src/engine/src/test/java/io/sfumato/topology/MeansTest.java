// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.release.Shown;
import io.sfumato.rows.Card;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Means of what people did, and of what one person did. There is so much budget that the standard
 * deviation of noise is 0.003 of a record, or less: what is compared has room for ten of them and
 * more, which each leaves by a chance below 1e-20.
 */
class MeansTest {
  private static final double NEAR = 0.05;

  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x, visit.y] }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: window }
      releases:
        - mean:
            name: means
            values: [x, visit.y]
            bounds: { x: [-10, 10], visit.y: [0, 4] }
            by: total
            moments: 2
            share: { epsilon: 450000 }
        - mean: { name: apart, value: x, bounds: [-10, 10], method: gaussian, share: { epsilon: 450000, delta: 1e-6 } }
      """;

  private static final String RECORDS =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, values: [x] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - mean: { name: means, value: x, bounds: [0, 8], share: { epsilon: 900000, delta: 1e-6 }, windows: 2 }
      """;

  @TempDir Path state;

  private static void send(
      Fixture pipeline, String who, String ward, String what, String x, String y) {
    pipeline.sendJson(
        1, "'who':'%s','ward':'%s','what':'%s','x':%s,'visit':{'y':%s}", who, ward, what, x, y);
  }

  private static void send(
      Fixture pipeline, String who, String ward, String what, double x, double y) {
    send(pipeline, who, ward, what, Double.toString(x), Double.toString(y));
  }

  private static List<MeanRelease> means(Fixture pipeline, String topic) {
    return pipeline.releases(topic, MeanRelease.class);
  }

  private static MeanRow row(MeanRelease release, String category, String value) {
    return release.getRows().stream()
        .filter(row -> Objects.equals(row.getCategory(), category))
        .filter(row -> row.getValue().equals(value))
        .findFirst()
        .orElseThrow();
  }

  private static void assertNear(Estimate found, double truth, double near) {
    assertThat(found.getValue()).isCloseTo(truth, within(near));
    assertThat(found.getLow()).isLessThanOrEqualTo(found.getValue()).isGreaterThan(truth - near);
    assertThat(found.getHigh()).isGreaterThanOrEqualTo(found.getValue()).isLessThan(truth + near);
  }

  /** Of a row: what its numbers come to. */
  private static void assertRow(MeanRow row, double... numbers) {
    double sum = Arrays.stream(numbers).sum();
    double mean = sum / numbers.length;
    assertNear(row.getCount(), numbers.length, NEAR);
    assertNear(row.getSum(), sum, 10 * NEAR);
    assertNear(row.getMean(), mean, 10 * NEAR);
    if (row.getVariance() != null) {
      double variance =
          Arrays.stream(numbers).map(x -> (x - mean) * (x - mean)).sum() / numbers.length;
      assertThat(row.getVariance().getValue()).isCloseTo(variance, within(0.1));
      assertThat(row.getSpread().getValue()).isCloseTo(Math.sqrt(variance), within(10 * NEAR));
    }
  }

  @Test
  void shouldSummariseUsersNumbers() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "ann", "north", "a", 2.5, 1);
      send(pipeline, "ann", "south", "b", -3, 0.25);
      send(pipeline, "bob", "north", "b", "\"7.5\"", "3e0");
      send(pipeline, "cid", "north", "a", 500, -2);
      pipeline.tick(12);
      List<MeanRelease> released = means(pipeline, "means");
      assertThat(released).extracting(MeanRelease::getSubject).containsExactly("north", "south");
      MeanRelease north = released.get(0);
      assertThat(north.getRecords()).as("private").isNull();
      assertThat(north.getRows()).hasSize(2);
      // What lies beyond bounds counts as the nearer one.
      assertRow(row(north, null, "x"), 2.5, 7.5, 10);
      assertRow(row(north, null, "visit.y"), 1, 3, 0);
      assertRow(row(released.get(1), null, "x"), -3);
      List<MeanRelease> apart = means(pipeline, "apart");
      assertRow(row(apart.get(0), "a", "x"), 2.5, 10);
      assertRow(row(apart.get(0), "b", "x"), 7.5);
      assertRow(row(apart.get(1), "b", "x"), -3);
      assertNear(row(apart.get(1), "a", "x").getCount(), 0, NEAR);
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  /** Cells of two fields; the page shows each by its mean, and the empty ones last. */
  @Test
  void shouldFindMeansOfEveryCellOfTwoFields() {
    String crossed =
        USERS.replace(
            "category: what, categories: [a, b]",
            "category: [ward, what], categories: { ward: [north, south], what: [a, b] }");
    try (Fixture pipeline = new Fixture(crossed, state)) {
      send(pipeline, "ann", "north", "a", 5, 1);
      send(pipeline, "bob", "north", "a", 0, 1);
      send(pipeline, "cy", "north", "b", 7, 1);
      pipeline.tick(12);
      MeanRelease north = means(pipeline, "apart").get(0);
      assertThat(north.getRows())
          .extracting(MeanRow::getCategory)
          .containsExactly("north / a", "north / b", "south / a", "south / b");
      assertRow(row(north, "north / a", "x"), 5, 0);
      assertRow(row(north, "north / b", "x"), 7);
      assertNear(row(north, "south / b", "x").getCount(), 0, NEAR);
      Card card = Shown.card(north);
      assertThat(card.sections().get(0).caption()).isEqualTo("mean of x");
      List<Card.Row> rows = card.rows();
      assertThat(rows).hasSize(4);
      assertThat(rows.get(0).label()).isEqualTo("north / a");
      assertThat(rows.get(0).value()).isCloseTo(2.5, within(NEAR));
      assertThat(rows.get(3).value()).as("unknown").isEqualTo(-10);
    }
  }

  /** Parts are all that was drawn: everybody may put them together anew, or add up windows. */
  @Test
  void shouldPublishTheUnbiasedParts() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      send(pipeline, "ann", "north", "a", 5, 1);
      send(pipeline, "bob", "north", "a", -10, 4);
      pipeline.tick(12);
      MeanRow row = row(means(pipeline, "means").get(0), null, "x");
      // t = 0.75 and 0.
      assertThat(row.getParts()).hasSize(3);
      assertThat(row.getParts().get(0)).isCloseTo(0.0625 + 1, within(NEAR));
      assertThat(row.getParts().get(1)).isCloseTo(0.375, within(NEAR));
      assertThat(row.getParts().get(2)).isCloseTo(0.5625, within(NEAR));
      for (double part : row.getParts()) {
        assertThat(Math.scalb(part, 20)).isEqualTo(Math.rint(Math.scalb(part, 20)));
      }
    }
  }

  /** A record of weight w counts as w records of its number, of which C count. */
  @Test
  void shouldWeighNumbers() {
    String file =
        USERS
            .replace("values: [x, visit.y] }", "values: [x, visit.y], weight: pieces }")
            .replace("per-window: 3,", "per-window: 7,");
    try (Fixture pipeline = new Fixture(file, state)) {
      String record =
          "{\"who\":\"%s\",\"ward\":\"north\",\"at\":%d,\"what\":\"a\",\"x\":%s,\"visit\":{\"y\":2},\"pieces\":%s}";
      for (String[] sent :
          new String[][] {{"ann", "4", "2.9"}, {"bob", "-1", "1"}, {"cid", "8", "50"}}) {
        pipeline.send(
            null,
            record
                .formatted(sent[0], NOW + 1000, sent[1], sent[2])
                .getBytes(StandardCharsets.UTF_8));
      }
      pipeline.tick(12);
      MeanRow row = row(means(pipeline, "means").get(0), null, "x");
      assertRow(row, 4, 4, -1, 8, 8, 8, 8, 8, 8, 8);
    }
  }

  @Test
  void shouldCountAtMostCRecordsOfAUser() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      for (int i = 0; i < 20; i++) {
        send(pipeline, "ann", i % 2 == 0 ? "north" : "south", "a", 4, 1);
      }
      pipeline.tick(12);
      List<MeanRelease> released = means(pipeline, "means");
      double north = row(released.get(0), null, "x").getCount().getValue();
      double south = row(released.get(1), null, "x").getCount().getValue();
      assertThat(north + south).isCloseTo(3, within(2 * NEAR));
    }
  }

  /** Whether there was anybody is told by noise alone: of nobody a mean may be anything. */
  @Test
  void shouldReleaseSubjectsWithoutRecords() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      pipeline.tick(12);
      for (MeanRelease release : means(pipeline, "means")) {
        MeanRow row = row(release, null, "x");
        assertNear(row.getCount(), 0, NEAR);
        assertThat(row.getMean().getLow()).isEqualTo(-10);
        assertThat(row.getMean().getHigh()).isEqualTo(10);
        assertThat(row.getVariance().getLow()).isZero();
        assertThat(row.getVariance().getHigh()).isEqualTo(100);
      }
    }
  }

  @Test
  void shouldBuryRecordsWithoutUsableNumbers() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      // A missing number is no error: the record does not count in the means.
      send(pipeline, "ann", "north", "a", "null", "1");
      send(pipeline, "ann", "north", "a", "\"NaN\"", "1");
      send(pipeline, "ann", "north", "a", "\"many\"", "1");
      send(pipeline, "ann", "north", "a", "1", "[2]");
      send(pipeline, "bob", "north", "a", "1", "2");
      pipeline.tick(12);
      assertRow(row(means(pipeline, "means").get(0), null, "x"), 1);
      assertThat(pipeline.deadLetters()).hasSize(3);
    }
  }

  /** The number of one person's records is public, and told exactly. */
  @Test
  void shouldSummariseOnePersonsNumbers() {
    try (Fixture pipeline = new Fixture(RECORDS, state)) {
      for (String x : List.of("1", "2", "6.5")) {
        pipeline.sendJson(1, "'who':'ann','x':%s", x);
      }
      pipeline.tick(12);
      List<MeanRelease> released = means(pipeline, "means");
      assertThat(released).hasSize(1);
      assertThat(released.get(0).getRecords()).isEqualTo(3);
      MeanRow row = row(released.get(0), null, "x");
      assertThat(row.getCount()).isEqualTo(new Estimate(3.0, 3.0, 3.0, false, false));
      assertThat(row.getParts()).as("the first part follows from N").hasSize(1);
      assertRow(row, 1, 2, 6.5);
      assertThat(released.get(0).getGuarantee().getMechanism())
          .contains("moments replace-one-of-one-group m=1 fields=1");
    }
  }
}
