// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.topology.lineage.BudgetTerms;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code sampler: best} chooses stays the same, and where it does not, a live state does. */
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

  private static List<PlannedRelease> all(Plan plan) {
    PlannedRelease chosen = plan.releases().get(0);
    return Stream.concat(Stream.of(chosen), chosen.formerly().stream()).toList();
  }

  /**
   * The words of charges, the reference left out. Whoever changes one takes it from live states,
   * which look for theirs among them: a new candidate comes beside the old ones.
   */
  @Test
  void theChoiceStays() {
    assertThat(all(Fixture.plan(PLANE)))
        .extracting(BestSamplerTest::words)
        .containsExactly(
            "projection epsilon=0x1.0p1 lower=0x1.78b56362cef38p-2 estimator=logistic features=120 bandwidth=1.2 ridge=0.001 pool=4096",
            "projection epsilon=0x1.0p1 lower=0x1.78b56362cef38p-2 estimator=kernel 1 pool=4096",
            "projection epsilon=0x1.0p1 lower=0x1.1ca9292f64583p-1 estimator=logistic features=120 bandwidth=1.2 ridge=0.001 pool=4096",
            "projection epsilon=0x1.0p1 lower=0x1.1ca9292f64583p-1 estimator=kernel 1 pool=4096",
            "boosted mollifier epsilon=2 rounds=3 learner=logistic features=32 bandwidth=0.7 ridge=0.001 pool=256");
    assertThat(words(Fixture.plan(MANY).releases().get(0)))
        .isEqualTo(
            "projection epsilon=0x1.0p0 lower=0x1.368b2fc6f960ap-1 estimator=kernel 1 pool=4096");
  }

  private static String words(PlannedRelease release) {
    String mechanism = release.charge().mechanism();
    return mechanism.substring(0, mechanism.indexOf(" reference="));
  }

  /**
   * A program that chooses otherwise goes on with what a state was granted for, with its digest.
   */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLiveStateKeepsWhatItBeganWith(boolean plane) {
    Plan today = Fixture.plan(yaml(plane));
    for (PlannedRelease began : all(today)) {
      Plan live = today.with(release -> began);
      Plan next = BudgetTerms.of(live).goingOn(today, Long.MIN_VALUE);
      assertThat(next.digestText()).isEqualTo(live.digestText());
      assertThat(next.digestText().equals(today.digestText()))
          .isEqualTo(began == today.releases().get(0));
    }
    Plan other =
        Fixture.plan(yaml(plane).replace("sampler: best", "sampler: projection, pool: 64"));
    assertThat(BudgetTerms.of(other).goingOn(today, Long.MIN_VALUE).digestText())
        .as("what was never a choice is not gone on with")
        .isEqualTo(today.digestText());
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
