// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.OutputSpec;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.SizeBound;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says of lists of the largest counts. */
class TopFileTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: land, user: who, time: at, category: what, categories: { discover: { name: terms, share: { epsilon: 1, delta: 1e-6 } } } }
      contributions: { per-window: 4 }
      subjects: [west]
      window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 2, delta: 2e-6, period: window }
      releases:
        - count: { name: n, by: total, share: { epsilon: 1, delta: 1e-6 } }
        - top: { %s }
      """;

  private static final String GOOD = "name: best, k: 20, of: terms";

  private static Plan with(String top) throws PipelineFileException {
    return plan(FILE.formatted(top));
  }

  private static String without() {
    return FILE.substring(0, FILE.indexOf("  - top"));
  }

  @Test
  void itCostsNothing() throws Exception {
    Plan plan = with(GOOD);
    assertThat(plan.releases())
        .as("what is charged")
        .extracting(release -> release.spec().name())
        .containsExactly("terms", "n");
    assertThat(plan.pipeline().outputs())
        .as("what is published")
        .extracting(OutputSpec::name)
        .containsExactly("terms", "n", "best");
    assertThat(PlanReport.text(plan))
        .contains("\ntop        best -> topic best\n")
        .contains("  rows       at most 20, of each list of 'terms', the largest counts first\n")
        .endsWith("  cost       none: computed from the output 'terms' publishes\n");
    JsonNode json = new ObjectMapper().readTree(PlanReport.json(plan));
    assertThat(json.get("releases")).hasSize(2);
    assertThat(json.get("derived").get(0).toString())
        .isEqualTo(
            "{\"name\":\"best\",\"topic\":\"best\",\"kind\":\"top\",\"of\":\"terms\",\"k\":20}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "name: best, k: 20, of: words | no output is named 'words'",
        "name: best, k: 20, of: n | 'n' publishes no names",
        "name: best, k: 20, of: best | no output is named 'best'",
        "name: best, k: 0, of: terms | 1 to 1000",
        "name: best, k: 1001, of: terms | 1 to 1000",
        "name: best, of: terms | 'releases[1].top.k'",
        "name: best, k: 20 | 'releases[1].top.of'",
        "name: n, k: 20, of: terms | two releases are named 'n'",
        "name: best, topic: terms, k: 20, of: terms | topic 'terms' is used twice",
        "name: best, topic: in, k: 20, of: terms | topic 'in' is used twice",
        "name: best, k: 20, of: terms, share: { epsilon: 1 } | for free",
        "name: best, k: 20, of: terms, windows: 3 | windows",
      })
  void whatCannotBeIsRefused(String top, String said) {
    assertThatThrownBy(() -> with(top))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(said);
  }

  /** A state goes on with a file if the digest is the same: k is part of what is released. */
  @Test
  void itIsPartOfTheDigest() throws Exception {
    assertThat(with(GOOD).digestText())
        .isNotEqualTo(plan(without()).digestText())
        .isNotEqualTo(with("name: best, k: 21, of: terms").digestText())
        .isNotEqualTo(with("name: best, topic: b, k: 20, of: terms").digestText())
        .isEqualTo(with(GOOD).digestText());
  }

  @Test
  void itsRecordsHaveASizeThatRowsDecide() throws Exception {
    assertThat(size("name: best, k: 20, of: terms")).isLessThan(16_000);
    assertThat(size("name: best, k: 1000, of: terms")).isBetween(256_000L, 400_000L);
    assertThat(plan(FILE.formatted("name: best, k: 1000, of: terms") + "format: json\n").releases())
        .as("JSON takes at most two characters for each of a name")
        .isNotEmpty();
  }

  private static long size(String top) throws PipelineFileException {
    return OutputSizes.of(plan(FILE.formatted(top) + "format: avro\n")).stream()
        .filter(output -> output.name().equals("best"))
        .mapToLong(SizeBound::bytes)
        .findFirst()
        .orElseThrow();
  }
}
