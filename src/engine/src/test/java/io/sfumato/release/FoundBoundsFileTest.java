// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.ReleaseSpec;
import java.util.Arrays;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files whose means go by bounds that another release finds. */
class FoundBoundsFileTest {
  private static final String FILE =
      """
      pipeline: p
      input: { topic: t, user: who, subject: shop, time: at, category: what, categories: [a, b], values: [x, visit.Y] }
      contributions: { per-window: 3, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-04 }
      budget: { name: p, unit: user, epsilon: 4, delta: 1e-6, period: 30d }
      releases:
        - mean: { name: means, values: [x, visit.Y], bounds: auto, share: { epsilon: 2 } }
        - bounds: { name: range, value: x, share: { epsilon: 0.5 } }
        - bounds: { name: other, value: visit.Y, share: { epsilon: 0.5 } }
      """;

  @Test
  void shouldPlanWhatItTakesToFindBounds() throws Exception {
    Plan plan = plan(FILE);
    // Laplace noise of scale 6: 193 e^(-k / 6) / (1 + e^(-1 / 6)) falls below 0.001 at k = 70.
    assertThat(PlanReport.text(plan))
        .contains("a power passes from 70 records (noisy count)")
        .doesNotContain("so longer shares are wasted")
        .contains("drawn once, in the first window of each period of 30d")
        .contains("x, number of records +-")
        .contains("bounds auto, mean within ");
    JsonNode json = new ObjectMapper().readTree(PlanReport.json(plan));
    JsonNode found = json.findParent("threshold");
    assertThat(found.get("threshold").asLong()).isEqualTo(70);
    assertThat(found.get("records_seen_97_5").asLong()).isGreaterThan(70);
    assertThat(json.findValues("mean_error_95_of_range")).hasSize(2);
    assertThat(plan.releases().get(1).plan().releases()).as("once a period").isEqualTo(1);
  }

  @Test
  void shouldShareWhatIsKeptOfANumber() throws Exception {
    assertThat(plan(FILE).pipeline().tallies()).hasSize(4);
    assertThat(plan(FILE.replace("bounds: auto", "bounds: auto, by: total")).pipeline().tallies())
        .hasSize(2);
  }

  /**
   * A wider window than a period, or none that begins with one, has a first window all the same.
   */
  @ParameterizedTest
  @CsvSource({"window, 0 1 2 3 4 5 6 7", "3d, 0 2 5", "lifetime, 0", "30d, 0"})
  void shouldFindBoundsByTheCalendar(String period, String days) throws Exception {
    String yaml =
        FILE.replace("period: 30d", "period: " + period)
            .replace(
                "share: { epsilon: 2 }",
                "share: { epsilon: 2 }" + (period.equals("lifetime") ? ", windows: 9" : ""));
    Plan plan = plan(yaml);
    long begin = plan.pipeline().window().begin().orElseThrow();
    long day = plan.pipeline().window().grid().longest().toMillis();
    ReleaseSpec bounds = plan.releases().get(1).spec();
    ReleaseSpec means = plan.releases().get(0).spec();
    assertThat(LongStream.range(0, 8).filter(i -> plan.pipeline().isDue(bounds, begin + i * day)))
        .containsExactlyElementsOf(Arrays.stream(days.split(" ")).map(Long::valueOf).toList());
    assertThat(LongStream.range(0, 8).allMatch(i -> plan.pipeline().isDue(means, begin + i * day)))
        .isTrue();
  }

  /** Two plans of one file are one; other bounds are another. */
  @Test
  void shouldDigestWhoseBoundsCount() throws Exception {
    assertThat(plan(FILE).digestText()).isEqualTo(plan(FILE).digestText());
    String known = FILE.replace("bounds: auto", "bounds: { x: [0, 1], visit.Y: [0, 1] }");
    assertThat(plan(known).digestText()).isNotEqualTo(plan(FILE).digestText());
    assertThat(plan(known).layout()).isNotEqualTo(plan(FILE).layout());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "- bounds: { name: other, value: visit.Y, share: { epsilon: 0.5 } } | | release "
            + "'means': it needs discovered bounds of 'visit.Y'; add to 'releases': - bounds: "
            + "{name: range-of-visit-y, value: visit.Y, share: {epsilon: 0.5}}",
        "value: visit.Y | value: x | two releases discover the bounds of 'x'",
        "value: visit.Y | value: z | found 'z', allowed is one of 'input.values': x, visit.Y",
        ", begin: 2026-11-04 | | field 'window.begin': is missing",
        "value: x, share: { epsilon: 0.5 } | value: x | field 'releases[1].bounds.share': is"
            + " missing",
        "bounds: auto | bounds: { x: auto, visit.Y: [0, 1] } | with a release 'bounds' that finds"
            + " them",
        "bounds: auto | bounds: none | allowed is a mapping of fields",
        "value: x, share | value: x, windows: 3, share | field 'releases[1].bounds.windows':"
            + " unknown"
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThat(FILE).contains(part);
    String changed = FILE.replace(part, other == null ? "" : other);
    assertThatThrownBy(() -> plan(changed))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }
}
