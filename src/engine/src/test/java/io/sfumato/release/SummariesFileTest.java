// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.mechanism.abc.Summary;
import io.sfumato.mechanism.abc.Summary.OfAll;
import io.sfumato.mechanism.abc.Summary.Statistic;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.release.abc.AbcSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SummariesFileTest {
  private static final String YAML =
      """
      pipeline: q
      input: { topic: in, subject: who, time: at, category: what, categories: [33, b], values: [x, y] }
      window: { size: 7d }
      budget: { name: q, unit: record, epsilon: 4, delta: 1e-6 }
      releases:
        - abc:
            name: fit
            threshold: 1.5
            distance: summaries
            clip: 3
            summaries:
              - { mean: x, scale: 20 }
              - { largest: y, scale: 0.5 }
              - { quantile: x, at: 0.25, scale: 5 }
              - { share: 33, scale: 0.1 }
            share: { epsilon: 4, delta: 1e-6 }
            queries: 1
      """;

  @Test
  void shouldReadSummaries() throws Exception {
    Pipeline pipeline = PipelineFile.parse("q.yaml", YAML);
    AbcSpec fit = AbcSpec.of(pipeline).get(0);
    assertThat(fit.measure())
        .isEqualTo(
            new DistanceMeasure.OfSummaries(
                new Summaries(
                    List.of(
                        new OfAll(Statistic.MEAN, 0, 20),
                        new OfAll(Statistic.LARGEST, 1, 0.5),
                        new Summary.Quantile(0, 0.25, 5),
                        new Summary.Share(0, 0.1)),
                    3)));
    assertThat(fit.clip()).isEqualTo(3);
    assertThat(fit.candidateNumbers(pipeline)).isEqualTo(4);
    assertThat(pipeline.sums().orElseThrow().exponents().keySet()).containsExactly(0, 1);
    assertThat(pipeline.reservoir()).contains(256);
    String exact = YAML.replace("        - { quantile: x, at: 0.25, scale: 5 }\n", "");
    assertThat(PipelineFile.parse("q.yaml", exact).reservoir()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "clip: 3 | keep: 3 | 'releases[0].abc.clip': is missing",
        "clip: 3 | clip: 1 | 'releases[0].abc.threshold': found 1.5, allowed is at most the clip, 1.0",
        "mean: x | mean: z | 'releases[0].abc.summaries[0].mean': found 'z', allowed is one of x, y",
        "share: 33 | share: 34 | 'releases[0].abc.summaries[3].share': found '34', allowed is one of 33, b",
        "mean: x, scale | scale | 'releases[0].abc.summaries[0]': found [], allowed is one of mean, deviation, smallest, largest, quantile, share",
        "mean: x | median: x | 'releases[0].abc.summaries[0].median': unknown, allowed are mean, deviation",
        "mean: x | mean: x, smallest: x | found [mean, smallest], allowed is one of mean",
        "scale: 20 | at: 0.3, scale: 20 | 'releases[0].abc.summaries[0].at': found with 'mean', allowed is with quantile only",
        "mean: x, scale: 20 | mean: x | 'releases[0].abc.summaries[0].scale': is missing",
        "scale: 20 | scale: 1e-13 | allowed is a number from 1e-12",
        "scale: 20 | scale: .inf | not YAML",
        "at: 0.25 | at: 1.25 | 'releases[0].abc.summaries[2].at': found 1.25, allowed is a share above 0, at most 1",
        "at: 0.25, | ~~ | 'releases[0].abc.summaries[2].at': is missing",
        "distance: summaries | distance: categories | 'releases[0].abc.summaries': found a list, allowed is with 'distance: summaries' only",
        "distance: summaries | distance: sums | one of features, categories, summaries",
        ", values: [x, y] | ~~ | 'releases[0].abc.summaries[0].mean': found 'x', allowed is a field of 'input.values', which are numbers; records have none",
        "unit: record | unit: user | which only the unit 'record' leaves public",
      })
  void shouldNameWhatIsWrong(String good, String bad, String expected) {
    assertThat(YAML).contains(good);
    assertThatThrownBy(
            () -> PipelineFile.parse("q.yaml", YAML.replace(good, bad == null ? "" : bad)))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void shouldRefuseNoneAndTooMany() {
    String head = YAML.substring(0, YAML.indexOf("      summaries:"));
    String tail = YAML.substring(YAML.indexOf("      share:"));
    for (String list :
        List.of("[]", "{ mean: x }", "[" + "{ mean: x, scale: 1 },".repeat(101) + "]")) {
      assertThatThrownBy(
              () -> PipelineFile.parse("q.yaml", head + "      summaries: " + list + "\n" + tail))
          .isInstanceOf(PipelineFileException.class)
          .hasMessageContaining("'releases[0].abc.summaries': found");
    }
    assertThatThrownBy(() -> PipelineFile.parse("q.yaml", head + tail))
        .hasMessageContaining("'releases[0].abc.summaries': is missing");
  }
}
