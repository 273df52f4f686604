// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.attack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Attacks catch what is broken, and leave what is not. */
class TwinsTest {
  private static final int NOISES = 1000;
  private static final int DRAWS = 1000;
  private static final Path DOCUMENT = Path.of("docs", "research", "attacks.md");

  /** That any honest one is caught: all together. */
  private static final double FAILURE = 1e-9;

  /** False-alarm rate of all attacks on all honest ones: 1e-9. */
  @Test
  void shouldCatchEveryBrokenTwinAndNoHonestOne() throws IOException {
    List<Twin> twins = Stream.of(CountTwins.all(), OtherTwins.all()).flatMap(List::stream).toList();
    double failure = FAILURE / (2 * twins.size());
    List<String> rows = new ArrayList<>();
    for (Twin twin : twins) {
      List<String> by = Found.exactly(twin.target(), NOISES, failure).refutations();
      if (by.isEmpty()) {
        // What sums do not see, draws must: of the honest one as well.
        by = drawn(twin.target(), failure);
        assertThat(drawn(twin.honest(), failure)).as(twin.honest().name()).isEmpty();
      }
      rows.add(
          "| %s | %s | %s |".formatted(twin.target().name(), twin.broken(), String.join(", ", by)));
      assertThat(Found.exactly(twin.honest(), NOISES, failure).refutations())
          .as(twin.honest().name())
          .isEmpty();
    }
    assertThat(rows).noneMatch(row -> row.endsWith("|  |"));
    assertThat(Files.readAllLines(DOCUMENT)).as("the table of twins").containsAll(rows);
  }

  private static List<String> drawn(AttackTarget target, double failure) {
    return Found.sampled(target, DRAWS, failure).stream().anyMatch(Found.Sampled::refutes)
        ? List.of("draws")
        : List.of();
  }
}
