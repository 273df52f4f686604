// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.estimate.additive.NoiseSum;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.release.Plans;
import io.sfumato.release.count.TotalChoices.Choice;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** C, D and the part of the share by total error, against every choice that there is. */
class TotalChoicesTest {
  private static final String FILE =
      """
      pipeline: wards
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 4, plan-records: [1, 1, 2, 3, 30], left-out: 8 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: wards, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: all, by: total, method: laplace, share: { epsilon: 0.8, delta: 5e-7 } }
        - count: { name: lost, by: left-out, method: laplace, share: { epsilon: 0.2, delta: 5e-7 } }
      """;

  private static final String ALONE =
      FILE.replace(", left-out: 8", "").replaceFirst("(?m)^.*by: left-out.*\n", "");

  private static TotalChoices choices(String yaml) throws Exception {
    Plan plan = Plans.plan(yaml);
    return TotalChoices.of(plan.all(PlannedCount.class).get(0), plan.pipeline()).orElseThrow();
  }

  @Test
  void shouldSayWhatTheFileComesTo() throws Exception {
    Choice file = choices(FILE).all().get(0);
    assertThat(file.isOfFile()).isTrue();
    assertThat(List.of(file.perWindow(), file.leftOut(), file.part())).containsExactly(4, 8, 20);
    // Twelve of thirty count or are left out: 18 of 37 are cut off.
    assertThat(file.cutOff()).isEqualTo(18 / 37.0);
    Plan plan = Plans.plan(FILE);
    List<PlannedCount> counts = plan.all(PlannedCount.class);
    assertThat(file.noise())
        .isEqualTo(
            new NoiseSum(
                    counts.get(0).plan().mechanism().noise(),
                    counts.get(1).plan().mechanism().noise())
                .halfWidth());
    Choice alone = choices(ALONE).all().get(0);
    assertThat(List.of(alone.perWindow(), alone.leftOut())).containsExactly(4, 0);
    assertThat(alone.noise())
        .isEqualTo(
            Plans.plan(ALONE)
                .all(PlannedCount.class)
                .get(0)
                .plan()
                .mechanism()
                .noise()
                .halfWidth(1));
  }

  /** What another bound comes to is what a file with it would say: no other noise is meant. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace", "best"})
  void shouldCompareBoundsByTheMethodOfTheFile(String method) throws Exception {
    String yaml = ALONE.replace("laplace", method);
    for (Choice choice : choices(yaml).all()) {
      if (choice.leftOut() == 0) {
        String other = yaml.replace("per-window: 4", "per-window: " + choice.perWindow());
        assertThat(choice.noise())
            .as("per-window " + choice.perWindow())
            .isEqualTo(
                Plans.plan(other)
                    .all(PlannedCount.class)
                    .get(0)
                    .plan()
                    .mechanism()
                    .noise()
                    .halfWidth(1));
      }
    }
  }

  /** The search by deviations loses little against all bounds and parts with exact intervals. */
  @ParameterizedTest
  @ValueSource(longs = {100, 1_000, 10_000})
  void shouldFindABoundAndAPartThatAreHardlyWorseThanTheBest(long truth) throws Exception {
    TotalChoices choices = choices(FILE);
    long best = Long.MAX_VALUE;
    for (int lost : new int[] {1, 2, 3, 5, 8, 10, 14, 20, 26}) {
      for (int part = 5; part <= 50; part += 5) {
        best = Math.min(best, choices.planned(lost, part).orElseThrow().at(truth));
      }
    }
    Choice found = choices.withLeftOut(List.of(truth)).get(0);
    assertThat(found.at(truth)).isLessThanOrEqualTo((long) (1.1 * best) + 1);
  }

  /**
   * The one of two noises that is wider is at least as wide as that of C + D with all the share.
   */
  @Test
  void shouldNeedLessNoiseForALargerBoundThanForTwoOutputs() throws Exception {
    TotalChoices choices = choices(FILE);
    for (int lost : new int[] {1, 4, 26}) {
      long together = new LaplaceNoise((long) (LaplaceNoise.STEPS / (4.0 + lost))).halfWidth(1);
      for (int part : TotalChoices.PARTS) {
        assertThat(choices.planned(lost, part).orElseThrow().noise())
            .isGreaterThan(together * 9 / 10);
      }
    }
  }

  @Test
  void shouldMarkTheLeastTotalErrorAndTellPrograms() throws Exception {
    String text = PlanReport.text(Plans.plan(FILE));
    assertThat(text)
        .contains("choices    of 'per-window' and 'left-out' for this total")
        .contains(
            "noise and cut-off records together, where the true total is 100 or 1,000 or 10,000")
        .contains("per-window 4, left-out 8, for 20% of the share")
        .contains("(the file's)");
    JsonNode table =
        new ObjectMapper().readTree(PlanReport.json(Plans.plan(FILE))).at("/releases/0/choices");
    assertThat(table.size()).isGreaterThan(5);
    for (String truth : List.of("100", "1000", "10000")) {
      long least = Long.MAX_VALUE;
      for (JsonNode row : table) {
        least = Math.min(least, row.at("/total_error_95/" + truth).asLong());
      }
      String shown = "%,d".formatted(Long.parseLong(truth));
      for (JsonNode row : table) {
        boolean isBest = List.of(row.path("best_of").asText().split(" and ")).contains(shown);
        assertThat(isBest)
            .as("%s of %s", row, truth)
            .isEqualTo(row.at("/total_error_95/" + truth).asLong() == least);
      }
    }
  }

  /** Where nothing is counted in all, or nobody gave an example, there is nothing to choose by. */
  @Test
  void shouldSayNothingWithoutAnExampleOrATotal() throws Exception {
    for (String yaml :
        List.of(
            FILE.replace("plan-records: [1, 1, 2, 3, 30], ", ""),
            FILE.replace("by: total", "by: category"))) {
      assertThat(PlanReport.text(Plans.plan(yaml))).doesNotContain("choices");
    }
  }
}
