// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code sampler: best} chooses stays the same. */
class BestSamplerTest {
  private static final String PLANE =
      """
      pipeline: trips
      input: { topic: trips, subject: rider, time: at, values: [x, y] }
      window: { size: 7d, grace: 1d, clock: ticks, begin: 2026-01-05 }
      subjects: roster
      budget: { name: trips, unit: dataset, epsilon: 2, period: window }
      releases:
        - mollifier: { name: place, share: { epsilon: 2 }, sampler: best, plan-size: 50, reference: { gaussians: [ { mean: [0, 0], deviation: [6, 6] } ] } }
      """;

  /** Many numbers around two places, and less epsilon: another candidate is the best. */
  private static final String MANY =
      PLANE
          .replace("[x, y]", "[a, b, c, d, e, f, g, h]")
          .replace("epsilon: 2", "epsilon: 1")
          .replace("plan-size: 50", "plan-size: 100")
          .replace(
              "{ mean: [0, 0], deviation: [6, 6] }",
              "{ weight: 1, mean: [0, 0, 0, 0, 0, 0, 0, 0], deviation: [6, 6, 1, 1, 1, 1, 1, 1] },"
                  + " { weight: 2, mean: [9, 0, 0, 0, 0, 0, 0, 0], deviation: [1, 6, 1, 1, 1, 1, 1, 1] }");

  private static String yaml(boolean plane) {
    return plane ? PLANE : MANY;
  }

  @Test
  void theChoiceStays() {
    assertThat(words(Fixture.plan(PLANE).releases().get(0)))
        .isEqualTo(
            "projection epsilon=0x1.0p1 lower=0x1.78b56362cef38p-2 estimator=logistic features=120 bandwidth=1.2 ridge=0.001 pool=4096");
    assertThat(words(Fixture.plan(MANY).releases().get(0)))
        .isEqualTo(
            "projection epsilon=0x1.0p0 lower=0x1.368b2fc6f960ap-1 estimator=kernel 1 pool=4096");
  }

  private static String words(PlannedRelease release) {
    String mechanism = release.charge().mechanism();
    return mechanism.substring(0, mechanism.indexOf(" reference="));
  }

  /** The digest holds the sampler that was chosen, not the word: whoever names it runs the same. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"true | projection, estimator: logistic", "false | projection"})
  void aNamedSamplerIsTheSame(boolean plane, String sampler) {
    String named = yaml(plane).replace("sampler: best", "sampler: " + sampler);
    assertThat(Fixture.plan(named).digestText()).isEqualTo(Fixture.plan(yaml(plane)).digestText());
  }

  /** What plan prints can be pasted into the file. */
  @Tag("deep")
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void thePlanNamesTheChoiceAsAFileWould(boolean plane) {
    Plan plan = Fixture.plan(yaml(plane));
    String line =
        PlanReport.text(plan).lines().filter(l -> l.contains(" chose ")).findFirst().get();
    String words = line.substring(line.indexOf("sampler: "));
    assertThat(PlanReport.json(plan)).contains("\"best\" : \"" + words + "\"");
    assertThat(Fixture.plan(yaml(plane).replace("sampler: best", words)).digestText())
        .isEqualTo(plan.digestText());
  }

  /** Who names no sampler gets the best; who has settings of boosting gets boosting. */
  @Test
  void aFileWithoutASamplerTakesTheBest() {
    assertThat(Fixture.plan(PLANE.replace("sampler: best, ", "")).digestText())
        .isEqualTo(Fixture.plan(PLANE).digestText());
    assertThat(words(Fixture.plan(PLANE.replace("sampler: best", "rounds: 3")).releases().get(0)))
        .startsWith("boosted mollifier");
  }
}
