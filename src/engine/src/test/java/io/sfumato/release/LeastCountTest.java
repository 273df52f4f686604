// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.mechanism.Histogram;
import io.sfumato.release.histogram.PlannedHistogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Counts that are raised to a public least one: a word of the file, and what it changes. */
class LeastCountTest {
  private static final String YAML =
      """
      pipeline: wards
      input: { topic: in, subject: ward, time: at, category: what, categories: [a, b, c] }
      window: { size: 1d }
      budget: { name: wards, unit: record, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - histogram: { name: mix, method: dirichlet, share: { epsilon: 1, delta: 1e-6 }, plan-size: 900, plan: [5, 3, 1], least-count: 100 }
      """;

  private static PlannedHistogram histogram(Plan plan) {
    return (PlannedHistogram) plan.releases().get(0);
  }

  @Test
  void errsLessAtTheSamePriceForAllNeighbours() throws Exception {
    Plan with = plan(YAML);
    Plan without = plan(YAML.replace(", least-count: 100", ""));
    assertThat(with.digestText()).isNotEqualTo(without.digestText());
    PlannedHistogram planned = histogram(with);
    assertThat(planned.best().expectedKl())
        .isLessThan(0.5 * histogram(without).best().expectedKl());
    assertThat(planned.charge().mechanism()).contains("replace-one least-count-100");
    // Datasets that are far from the promise lose no more than was charged.
    for (long[][] pair :
        new long[][][] {
          {{0, 0, 1}, {0, 1, 0}}, {{99, 100, 3}, {100, 99, 3}}, {{100, 101, 9}, {101, 100, 9}}
        }) {
      double lost =
          planned
              .best()
              .mechanism()
              .divergence(4, new Histogram(pair[0]), new Histogram(pair[1]))
              .orElseThrow();
      assertThat(lost).isLessThanOrEqualTo(planned.charge().curve().at(4));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "least-count: 100|least-count: 101|where the plan has a count of 100",
        "least-count: 100|least-count: 0|allowed is a whole number from 1",
        "method: dirichlet|method: gaussian|with methods dirichlet and best"
      })
  void whatCannotBeMeantIsRefused(String old, String other, String message) {
    assertThatThrownBy(() -> plan(YAML.replace(old, other))).hasMessageContaining(message);
  }
}
