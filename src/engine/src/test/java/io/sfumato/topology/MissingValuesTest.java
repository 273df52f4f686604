// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.schema.MeanRelease;
import io.sfumato.schema.MeanRow;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records that lack a number: they count where the number does not matter. */
class MissingValuesTest {
  /** The noise is below a thousandth but for a chance below 1e-200. */
  private static final String USERS =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], other: b, values: [x, y] }
      contributions: { per-window: 1, subjects: 1 }
      subjects: [north]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 600000, delta: 3e-6, period: window }
      releases:
        - count: { name: numbers, by: total, method: laplace, share: { epsilon: 200000, delta: 1e-6 } }
        - mean: { name: of-x, by: total, value: x, bounds: [0, 10], share: { epsilon: 200000, delta: 1e-6 } }
        - mean: { name: of-both, by: total, values: [x, y], bounds: { x: [0, 10], y: [0, 100] }, share: { epsilon: 200000, delta: 1e-6 } }
      """;

  @TempDir Path state;

  private static List<MeanRow> rows(Fixture pipeline, String topic) {
    return pipeline.releases(topic, MeanRelease.class).get(0).getRows();
  }

  /** A mean of several numbers takes the records that have all of them. */
  @Test
  void shouldCountARecordWhoseNumberIsMissing() {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      pipeline.tick(0);
      pipeline.sendJson(1, "'who':'a','ward':'north','what':'a','x':2,'y':50");
      pipeline.sendJson(1, "'who':'b','ward':'north','what':'a','x':4,'y':null");
      pipeline.sendJson(1, "'who':'c','ward':'north','what':'a','y':100");
      pipeline.sendJson(1, "'who':'d','ward':'north','what':'a'");
      pipeline.tick(12);
      assertThat(pipeline.counts("numbers")).containsExactly("north [4]");
      MeanRow x = rows(pipeline, "of-x").get(0);
      assertThat(x.getCount().getValue()).isCloseTo(2, within(0.01));
      assertThat(x.getMean().getValue()).isCloseTo(3, within(0.01));
      List<MeanRow> both = rows(pipeline, "of-both");
      assertThat(both)
          .allSatisfy(row -> assertThat(row.getCount().getValue()).isCloseTo(1, within(0.01)));
      assertThat(both.get(0).getMean().getValue()).isCloseTo(2, within(0.01));
      assertThat(both.get(1).getMean().getValue()).isCloseTo(50, within(0.1));
      assertThat(pipeline.deadLetters()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"'12d'", "''", "true", "[1]", "{'a':1}", "1e13"})
  void shouldRefuseWhatIsNoNumber(String value) {
    try (Fixture pipeline = new Fixture(USERS, state)) {
      pipeline.tick(0);
      pipeline.sendJson(1, "'who':'a','ward':'north','what':'a','y':1,'x':" + value);
      assertThat(pipeline.deadLetters()).singleElement().asString().endsWith(":BAD_VALUE");
    }
  }

  /** There the number of records is exact, so a mean would go by records that have no number. */
  @Test
  void shouldRefuseAMissingNumberWhereRecordsAreProtected() {
    String records =
        """
        pipeline: test
        input: { topic: in, subject: ward, time: at, values: [x] }
        window: { size: 10s, grace: 2s, clock: records }
        budget: { name: test, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases:
          - mean: { name: means, value: x, bounds: [0, 10], share: { epsilon: 1, delta: 1e-6 } }
        """;
    try (Fixture pipeline = new Fixture(records, state)) {
      pipeline.sendJson(1, "'ward':'north'");
      assertThat(pipeline.deadLetters()).containsExactly("0:BAD_VALUE");
    }
  }
}
