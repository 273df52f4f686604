// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import io.sfumato.schema.QuantileRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Quantiles of what people did. There is so much budget that noise on ranks is some 10^-3 of a
 * record, and a wrong bin has a chance below e^-90.
 */
class QuantilesTest {
  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, values: [y, x] }
      contributions: { per-window: 1 }
      subjects: [north, south]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: window }
      releases:
        - quantile: { name: parts, value: x, bounds: [0, 100], bins: 1000, of: [0.9, 0.5], share: { epsilon: 900000, delta: 1e-6 } }
      """;

  @TempDir Path state;

  private static void send(Fixture pipeline, String who, String ward, double x) {
    pipeline.sendJson(1, "'who':'%s','ward':'%s','x':%s,'y':1", who, ward, x);
  }

  private static List<QuantileRelease> released(Fixture pipeline) {
    return pipeline.releases("parts", QuantileRelease.class);
  }

  /** A bin is a tenth wide. */
  private static void assertAt(Quantile quantile, double of, double truth) {
    assertThat(quantile.getOf()).isEqualTo(of);
    assertThat(quantile.getAt().getValue()).isCloseTo(truth, within(0.11));
    assertThat(quantile.getAt().getLow()).isBetween(truth - 0.21, truth);
    assertThat(quantile.getAt().getHigh()).isBetween(truth, truth + 0.21);
  }

  @Test
  void shouldFindQuantilesOfUsersNumbers() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      for (int i = 1; i <= 99; i++) {
        send(pipeline, "user" + i, "north", i - 0.05);
      }
      pipeline.tick(12);
      QuantileRelease north = released(pipeline).get(0);
      assertThat(north.getSubject()).isEqualTo("north");
      assertThat(north.getRecords()).as("private").isNull();
      assertThat(north.getCount().getValue()).isCloseTo(99, within(0.1));
      assertThat(north.getQuantiles()).hasSize(2);
      assertAt(north.getQuantiles().get(0), 0.5, 50 - 0.05);
      assertAt(north.getQuantiles().get(1), 0.9, 90 - 0.05);
      assertThat(north.getQuantiles()).noneMatch(Quantile::getClipped);
    }
  }

  @Test
  void shouldSayThatQuantilesMayLieBeyondTheBounds() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      for (int i = 0; i < 10; i++) {
        send(pipeline, "user" + i, "south", 1e6 + i);
      }
      pipeline.tick(12);
      QuantileRelease south = released(pipeline).get(1);
      assertThat(south.getQuantiles()).allMatch(Quantile::getClipped);
      assertThat(south.getQuantiles().get(0).getAt().getHigh()).isEqualTo(100);
    }
  }

  /** Of nobody a quantile may be anything. */
  @Test
  void shouldReleaseSubjectsWithoutRecords() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      pipeline.tick(12);
      assertThat(released(pipeline)).hasSize(2);
      for (QuantileRelease release : released(pipeline)) {
        assertThat(release.getCount().getValue()).isCloseTo(0, within(0.1));
        assertThat(release.getQuantiles().get(0).getAt().getLow()).isZero();
        assertThat(release.getQuantiles().get(0).getAt().getHigh()).isEqualTo(100);
      }
    }
  }

  @Test
  void shouldFindQuantilesOfOnePersonsNumbers() {
    String file =
        USERS
            .replace("subject: ward, user: who", "subject: who")
            .replace("contributions: { per-window: 1 }\n", "")
            .replace("subjects: [north, south]\n", "")
            .replace(", clock: ticks, begin: 2026-06-01", "")
            .replace("unit: user", "unit: record");
    try (Fixture pipeline = new Fixture(file, state)) {
      for (int i = 1; i <= 9; i++) {
        send(pipeline, "ann", "north", 10 * i + 0.02);
      }
      pipeline.tick(12);
      QuantileRelease ann = released(pipeline).get(0);
      assertThat(ann.getRecords()).isEqualTo(9);
      assertThat(ann.getCount().getLow()).isEqualTo(9);
      assertAt(ann.getQuantiles().get(0), 0.5, 50.02);
    }
  }

  /**
   * Two fields crossed: each cell has quantiles of its own, and all together those of the union.
   */
  @Test
  void shouldFindQuantilesOfEachCategoryOfUsers() {
    String file =
        USERS
            .replace(
                "values: [y, x] }",
                "values: [y, x], category: [kind, ward], categories: { kind: [tea, coffee], ward: [north, south] } }")
            .replace("value: x,", "value: x, by: category,");
    try (Fixture pipeline = new Fixture(file, state)) {
      for (int i = 1; i <= 99; i++) {
        sendKind(pipeline, "a" + i, "tea", i / 2.0 - 0.05);
      }
      for (int i = 1; i <= 102; i++) {
        sendKind(pipeline, "b" + i, "coffee", 50 + 0.4 * i - 0.05);
      }
      pipeline.tick(12);
      QuantileRelease north = released(pipeline).get(0);
      assertThat(north.getRecords()).as("private").isNull();
      assertThat(north.getCount().getValue()).isCloseTo(201, within(0.1));
      assertAt(north.getQuantiles().get(0), 0.5, 50.75);
      assertThat(north.getCategories())
          .extracting(QuantileRow::getCategory)
          .containsExactly("tea / north", "tea / south", "coffee / north", "coffee / south");
      QuantileRow tea = north.getCategories().get(0);
      assertThat(tea.getCount().getValue()).isCloseTo(99, within(0.1));
      assertAt(tea.getQuantiles().get(0), 0.5, 25 - 0.05);
      assertAt(tea.getQuantiles().get(1), 0.9, 45 - 0.05);
      QuantileRow coffee = north.getCategories().get(2);
      assertThat(coffee.getCount().getValue()).isCloseTo(102, within(0.1));
      assertAt(coffee.getQuantiles().get(1), 0.9, 86.75);
      QuantileRow nobody = north.getCategories().get(1);
      assertThat(nobody.getCount().getValue()).isCloseTo(0, within(0.1));
      assertThat(nobody.getQuantiles().get(0).getAt().getLow()).isZero();
      assertThat(nobody.getQuantiles().get(0).getAt().getHigh()).isEqualTo(100);
    }
  }

  private static void sendKind(Fixture pipeline, String who, String kind, double x) {
    pipeline.sendJson(1, "'who':'%s','ward':'north','kind':'%s','x':%s,'y':1", who, kind, x);
  }

  /** How many records a person has is public, how many of them are of a category is not. */
  @Test
  void shouldFindQuantilesOfEachCategoryOfOnePersonsNumbers() {
    String file =
        USERS
            .replace("subject: ward, user: who", "subject: who, category: kind, categories: [a, b]")
            .replace("contributions: { per-window: 1 }\n", "")
            .replace("subjects: [north, south]\n", "")
            .replace(", clock: ticks, begin: 2026-06-01", "")
            .replace("unit: user", "unit: record")
            .replace("value: x,", "value: x, by: category,");
    try (Fixture pipeline = new Fixture(file, state)) {
      for (int i = 1; i <= 9; i++) {
        sendKind(pipeline, "ann", i <= 6 ? "a" : "b", 10 * i + 0.02);
      }
      pipeline.tick(12);
      QuantileRelease ann = released(pipeline).get(0);
      assertThat(ann.getRecords()).isEqualTo(9);
      assertThat(ann.getCount().getLow()).isEqualTo(9);
      QuantileRow a = ann.getCategories().get(0);
      assertThat(a.getCount().getLow()).isLessThan(a.getCount().getHigh());
      assertThat(a.getCount().getValue()).isCloseTo(6, within(0.1));
      assertAt(ann.getCategories().get(1).getQuantiles().get(0), 0.5, 80.02);
    }
  }

  @Test
  void shouldTellNothingOfCategoriesWhereNobodyAsks() {
    String file =
        USERS.replace("values: [y, x] }", "values: [y, x], category: kind, categories: [a, b] }");
    try (Fixture pipeline = new Fixture(file, state)) {
      sendKind(pipeline, "ann", "b", 10.02);
      pipeline.tick(12);
      QuantileRelease north = released(pipeline).get(0);
      assertThat(north.getCategories()).isNull();
      assertThat(north.getCount().getValue()).isCloseTo(1, within(0.1));
    }
  }
}
