// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.release.Plan;
import io.sfumato.release.PlanReport;
import io.sfumato.release.count.NextBound.Threshold;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The bound of the next version, from numbers of users beyond others. */
class NextBoundTest {
  private static final String YAML =
      """
      pipeline: desk
      input: { topic: in, subject: desk, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 4, left-out: 2 }
      subjects: [north]
      window: { size: 1d, grace: 2h, clock: ticks, begin: 2026-11-02 }
      budget: { name: desk, unit: user, epsilon: 5, delta: 5e-6, period: window }
      releases:
        - count: { name: day, by: total, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: lost, by: left-out, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: far, by: beyond, contributions: { per-window: 16 }, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: more, by: beyond, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
        - count: { name: some, by: beyond, where: { what: a }, contributions: { per-window: 1 }, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private static Optional<NextBound> of(Plan plan) {
    return NextBound.of(plan.pipeline(), plan.releases());
  }

  private static NextBound bound() throws Exception {
    return of(plan(YAML)).orElseThrow();
  }

  /** Those of all records, each by its own bounds; noise of scale 1 is within 4. */
  @Test
  void shouldReadTheCountsThatAreAboutTheRecordsOfTheTotal() throws Exception {
    NextBound bound = bound();
    assertThat(bound.thresholds()).extracting(Threshold::output).containsExactly("more", "far");
    assertThat(bound.thresholds()).extracting(Threshold::records).containsExactly(6, 16);
    assertThat(bound.perWindow()).isEqualTo(4);
    assertThat(bound.noise()).isEqualTo(4);
  }

  /** C and D together let so many records count. */
  @Test
  void shouldLeaveRoomForWhatIsCountedAsLeftOut() throws Exception {
    assertThat(bound().proposed(new TreeMap<>(Map.of(6, 2.0, 16, 0.0)))).isEqualTo(4);
    assertThat(bound().proposed(new TreeMap<>(Map.of(6, 40.0, 16, 4.0)))).isEqualTo(14);
    assertThat(bound().proposed(new TreeMap<>(Map.of(6, 40.0, 16, 20.0)))).isEqualTo(30);
    assertThat(bound().proposed(new TreeMap<>(Map.of(6, 40.0)))).isEqualTo(10);
  }

  /** What a larger C would not win back. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "subjects: [north]|subjects: [north, south]|one subject",
        "subjects: [north]|subjects: roster|one subject",
        "name: day, by: total|name: day, by: category|a count 'by: total'",
      })
  void shouldSayWhyNothingIsProposed(String old, String other, String why) throws Exception {
    Plan plan = plan(YAML.replace(old, other));
    assertThat(of(plan)).isEmpty();
    assertThat(NextBound.obstacle(plan.pipeline(), plan.releases()).orElseThrow()).contains(why);
  }

  @ParameterizedTest
  @ValueSource(strings = {"name: day, by: total", "name: (far|more|some), by: beyond"})
  void shouldHaveNothingToSayWithoutATotalOrUsersBeyond(String count) throws Exception {
    String yaml = YAML.replaceAll("(?m)^  - count: \\{ " + count + ".*\n", "");
    assertThat(yaml).isNotEqualTo(YAML);
    assertThat(of(plan(yaml))).isEmpty();
  }

  /** D stays in the file, and takes its part of the share. */
  @Test
  void shouldSayThatWhatIsCountedAsLeftOutStays() throws Exception {
    assertThat(bound().hint(14).orElseThrow())
        .contains("'left-out: 2' stays in the file", "'per-window: 16' without 'left-out'");
    assertThat(bound().hint(4)).as("nothing changes").isEmpty();
    String alone = YAML.replace(", left-out: 2", "").replaceAll("(?m)^.*name: lost.*\n", "");
    assertThat(of(plan(alone)).orElseThrow().hint(14)).isEmpty();
  }

  /** Records say nothing of it, so the description does. */
  @Test
  void shouldStateTheThresholdWhereAnOutputIsDescribed() throws Exception {
    Plan plan = plan(YAML);
    assertThat(plan.release("more").rationale(plan.pipeline()).toString())
        .contains("how many users have more than 6 records in a window");
    assertThat(plan.release("far").rationale(plan.pipeline()).toString())
        .contains("how many users have more than 16 records in a window");
  }

  /** What was left out is not left out of itself, over however many windows. */
  @ParameterizedTest
  @ValueSource(strings = {"", ", running: 30", ", over: 7"})
  void shouldTellNoBiasOfWhatWasLeftOut(String over) throws Exception {
    String yaml =
        YAML.replace("left-out: 2 }", "left-out: 2, plan-records: [1, 2, 30] }")
            .replace("period: window", "period: 30d")
            .replace("by: left-out", "by: left-out" + over);
    String lost = PlanReport.text(plan(yaml)).replaceAll("(?s).*-> topic lost", "");
    assertThat(lost.substring(0, lost.indexOf("-> topic")))
        .contains("records that 'contributions' leaves out")
        .doesNotContain("off by");
    assertThat(PlanReport.text(plan(yaml))).as("of the count itself").contains("are off by up to");
  }
}
