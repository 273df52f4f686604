// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.ExampleUsers;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Population;
import io.sfumato.release.count.PlannedCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExampleUsersTest {
  private static final String FILE =
      """
      pipeline: wards
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 4, plan-records: [1, 1, 2, 12] }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: wards, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: numbers, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
      """;

  @ParameterizedTest
  @CsvSource({"'1,1,2,12', 4, 0.5", "'1, 1, 2, 12', 12, 0", "8, 2, 0.75", "'3,3', 1000, 0"})
  void whatLiesBeyondTheBoundIsLeftOut(String users, int bound, double leftOut) {
    assertThat(ExampleUsers.parse(users).leftOut(bound)).isEqualTo(leftOut);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "0", "-1", "1,,2", "many", "1.5", "1000001", "9999999999"})
  void anythingElseIsRefused(String users) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ExampleUsers.parse(users))
        .withMessageContaining("from 1 to 1000000");
  }

  @Test
  void thePlanSaysTheBiasBesideTheNoiseAndWhatOtherBoundsWouldCost() throws Exception {
    String text = PlanReport.text(plan(FILE));
    assertThat(text).contains("left out   50% of the records of the public example");
    long noise = plan(FILE).all(PlannedCount.class).get(0).plan().mechanism().noise().halfWidth(1);
    assertThat(text)
        .contains(
            "in the public example counts are too low by 50%%, which exceeds the noise's +-%d for true counts above %d"
                .formatted(noise, 2 * noise))
        .contains(
            "4 (the file's) leaves out 50%%, +-%d: off by %d of 1,000 in all"
                .formatted(noise, 500 + noise))
        .contains(
            "  total      numbers of records are off by up to (%d of 100, %d of 1,000, %,d of 10,000), over all subjects and categories, by noise, and by the 50%% that are left out as in the public example, if no user has records of more than 1 subject in a window"
                .formatted(50 + noise, 500 + noise, 5_000 + noise))
        .contains("1 leaves out 75%, +-")
        .contains("20 leaves out 0%, +-")
        .doesNotContain("50 leaves out");
    JsonNode json = new ObjectMapper().readTree(PlanReport.json(plan(FILE)));
    assertThat(json.at("/example_left_out").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/releases/0/total_error_95/1000").asLong()).isEqualTo(500 + noise);
  }

  @Test
  void theNoiseOfAnotherBoundIsTheOneThatAFileWithItPlans() throws Exception {
    long other =
        plan(FILE.replace("per-window: 4", "per-window: 10"))
            .all(PlannedCount.class)
            .get(0)
            .plan()
            .mechanism()
            .noise()
            .halfWidth(1);
    assertThat(PlanReport.text(plan(FILE))).contains("10 leaves out 12.5%, +-" + other);
  }

  @Test
  void withoutAnExampleThePlanSaysThatTheBiasIsUnknown() throws Exception {
    String text = PlanReport.text(plan(FILE.replace(", plan-records: [1, 1, 2, 12]", "")));
    assertThat(text)
        .contains("left out   unknown: records of a user beyond 4")
        .doesNotContain("bias ")
        .doesNotContain("  total ");
    assertThat(PlanReport.json(plan(FILE.replace(", plan-records: [1, 1, 2, 12]", ""))))
        .doesNotContain("total_error_95");
  }

  @Test
  void filesWithoutAnExampleKeepTheirDigestAndOneIsPartOfIt() throws Exception {
    assertThat(CanonicalText.of(new Population("who", 4, 1)))
        .isEqualTo("Population[user=who, records=4, subjects=1]");
    assertThat(plan(FILE).digest())
        .isNotEqualTo(plan(FILE.replace("2, 12]", "2, 13]")).digest())
        .isNotEqualTo(plan(FILE.replace(", plan-records: [1, 1, 2, 12]", "")).digest());
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "[0]", "x", "1.5", "[1, two]"})
  void aWrongExampleIsNamed(String users) {
    assertThatThrownBy(() -> plan(FILE.replace("[1, 1, 2, 12]", users)))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining("contributions.plan-records")
        .hasMessageContaining("records each of some example users has");
  }
}
