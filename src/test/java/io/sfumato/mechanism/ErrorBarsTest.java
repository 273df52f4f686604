// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.PipelineFile;
import io.sfumato.pipeline.Plan;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ErrorBarsTest {
  private static final int DRAWS = 4_000;

  /**
   * Of 4,000 draws with a fixed seed, 95% lie as near to the truth as the bar around them says,
   * give or take 2.5 points: more than 7 standard deviations of that count, so below 1e-9 by chance
   * alone; what is left of it is room for the normal approximation. The Dirichlet draw's pull
   * towards uniform is added in full, so that its bars may hold more.
   */
  @ParameterizedTest
  @CsvSource({"dirichlet, 1", "gaussian, 0.975", "laplace, 0.975"})
  void shouldHoldTheTruthInNinetyFiveOfAHundredDraws(String method, double most) throws Exception {
    HistogramMechanism mechanism = mechanism(method);
    Histogram histogram = new Histogram(220, 120, 60);
    ReplayableRandom random = ReplayableRandom.ofPublicSeed("error bars " + method);
    for (int category = 0; category < 3; category++) {
      double truth = histogram.count(category) / (double) histogram.size();
      int inside = 0;
      for (int i = 0; i < DRAWS; i++) {
        double share = ((Distribution) mechanism.release(histogram, random)).share(category);
        double half = mechanism.halfWidth(share, histogram.size(), 3);
        inside += Math.abs(share - truth) <= half ? 1 : 0;
      }
      assertThat((double) inside / DRAWS).as("category " + category).isBetween(0.925, most);
    }
  }

  private static HistogramMechanism mechanism(String method) throws Exception {
    String yaml =
        """
        pipeline: bars
        input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
        window: { size: 10s }
        budget: { name: bars, unit: record, epsilon: 4, delta: 1e-6 }
        releases:
          - histogram: { name: mix, method: %s, share: { epsilon: 4, delta: 1e-6 }, windows: 4, plan-size: 400 }
        """
            .formatted(method);
    return Plan.of("bars.yaml", PipelineFile.parse("bars.yaml", yaml))
        .histograms()
        .get(0)
        .plan()
        .mechanism();
  }
}
