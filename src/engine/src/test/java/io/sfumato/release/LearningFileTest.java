// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.inference.Likelihood;
import io.sfumato.inference.ReleaseInference;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.FactJson;
import io.sfumato.random.KeyedRandom;
import io.sfumato.release.histogram.PlannedHistogram;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Files whose histograms learn from their own past. */
class LearningFileTest {
  private static final String FILE =
      """
      pipeline: test
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c, d, e, f, g, h] }
      window: { size: 1h }
      budget: { name: test, unit: record, epsilon: 0.01, delta: 1e-6, period: lifetime }
      releases:
        - histogram: { name: mix, method: %s, share: { epsilon: 0.01, delta: 1e-6 }, windows: 2, plan-size: 20 }
      """;

  private static Plan plan(String method) throws Exception {
    String text = FILE.formatted(method);
    return Plans.plan(text);
  }

  private static PlannedHistogram histogram(Plan plan) {
    return (PlannedHistogram) plan.releases().get(0);
  }

  @Test
  void bestIsAmongThoseThatHaveNoisyCounts() throws Exception {
    assertThat(histogram(plan("best")).candidates())
        .extracting(candidate -> candidate.mechanism().method())
        .contains("dirichlet");
    PlannedHistogram learning = histogram(plan("best, post-processing: history"));
    assertThat(learning.candidates())
        .extracting(candidate -> candidate.mechanism().method())
        .containsExactlyInAnyOrder("gaussian", "laplace");
  }

  /** A live state is refused a file that makes something else of the same noise. */
  @Test
  void eachWordHasADigestOfItsOwn() throws Exception {
    Set<String> digests = new TreeSet<>();
    for (String word : List.of("posterior-mean", "floor", "history")) {
      digests.add(plan("gaussian, post-processing: " + word).digestText());
    }
    assertThat(digests).hasSize(3).contains(plan("gaussian").digestText());
    assertThat(plan("laplace").digestText())
        .isNotEqualTo(plan("laplace, post-processing: history").digestText());
  }

  @Test
  void runningCountsHaveNoUseForIt() {
    String text =
        """
        pipeline: test
        input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
        contributions: { per-window: 2, subjects: 1 }
        subjects: [north]
        window: { size: 1h, clock: ticks, begin: 2026-06-01 }
        budget: { name: test, unit: user, epsilon: 1, delta: 1e-6, period: window }
        releases:
          - count: { name: n, %s, share: { epsilon: 1, delta: 1e-6 } }
        """;
    assertThatThrownBy(
            () ->
                PipelineFile.parse(
                    "test.yaml", text.formatted("running: 4, post-processing: history")))
        .hasMessageContaining("found 'history' with 'running', allowed is for the windows' own");
    assertThatThrownBy(
            () -> PipelineFile.parse("test.yaml", text.formatted("post-processing: floor")))
        .hasMessageContaining("found 'floor', allowed is one of history");
  }

  /** Models are held against the noisy counts; of so much budget they are the counts. */
  @Test
  void outlooksAreThoseOfTheNoisyCounts() throws Exception {
    String text = FILE.replace("0.01", "200").formatted("laplace, post-processing: history");
    Plan plan = Plans.plan(text);
    ReleaseInference asked =
        (ReleaseInference) histogram(plan).inference(plan.pipeline()).orElseThrow();
    PseudoData.Counts window = new PseudoData.Counts(new long[] {9, 4, 3, 2, 2, 0, 0, 0});
    Likelihood likelihood = asked.released().apply(window, KeyedRandom.ofPublicSeed("outlook"));
    assertThat(likelihood.records()).isEqualTo(20);
    PseudoData.Counts other = new PseudoData.Counts(new long[] {8, 4, 3, 2, 2, 1, 0, 0});
    // One record is elsewhere: two counts are off by one, which costs 1/b each.
    NoisyHistogram mechanism = (NoisyHistogram) histogram(plan).plan().mechanism();
    double rate = mechanism.noise().steps() / (double) LaplaceNoise.STEPS;
    assertThat(rate).as("of so much budget").isGreaterThan(40);
    assertThat(likelihood.log(window) - likelihood.log(other)).isCloseTo(2 * rate, within(1e-9));
  }

  /** It costs nothing, and no more is promised than of one window. */
  @Test
  void plansSayWhatTheyWouldWithoutHistory() throws Exception {
    PlannedHistogram plain = histogram(plan("laplace"));
    PlannedHistogram learning = histogram(plan("laplace, post-processing: history"));
    assertThat(learning.charge()).usingRecursiveComparison().isEqualTo(plain.charge());
    assertThat(learning.best().expectedKl()).isEqualTo(plain.best().expectedKl());
    ObjectNode node =
        FactJson.of(learning.facts(plan("laplace, post-processing: history").pipeline()));
    assertThat(node.get("post_processing").asText()).isEqualTo("history");
    assertThat(node.get("learns_from").asInt()).isEqualTo(64);
  }
}
