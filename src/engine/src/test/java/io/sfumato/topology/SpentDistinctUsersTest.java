// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.schema.CountRelease;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Users who have spent their share are no distinct users either. */
class SpentDistinctUsersTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1 }
      subjects: [west]
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 900000, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, of: users, by: total%s, share: { epsilon: 900000, delta: 1e-6 }, windows: 2 }
      """;

  @TempDir Path state;

  @ParameterizedTest
  @ValueSource(strings = {"", ", over: 2"})
  void shouldNotCountUsersWhoseShareIsSpent(String over) {
    try (Fixture pipeline = new Fixture(FILE.formatted(over), state)) {
      for (int window = 0; window < 5; window++) {
        pipeline.sendJson(window * 10 + 1, "'who':'u','ward':'west','what':'a'");
        pipeline.tick(window * 10L + 12);
      }
      assertThat(pipeline.releases("n", CountRelease.class))
          .extracting(r -> over.isEmpty() ? r.getCounts() : r.getLastCounts())
          .as("two windows are paid for; over two windows the second one lasts one more")
          .containsExactly(
              List.of(1L),
              List.of(1L),
              List.of(over.isEmpty() ? 0L : 1L),
              List.of(0L),
              List.of(0L));
    }
  }
}
