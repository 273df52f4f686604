// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.SizeBound;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Users' records have numbers where their features are released, and nowhere else. */
class NumbersOfUsersTest {
  private static final String NUMBERS =
      """
      pipeline: p
      input: { topic: t, user: who, subject: shop, time: at, category: what, categories: [a, b], values: [x, y] }
      features: { count: 40, bandwidth: 0.6 }
      contributions: { per-window: 4, subjects: 2 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: p, unit: user, epsilon: 4, delta: 1e-6, period: window }
      releases:
        - features: { name: sums, share: { epsilon: 1, delta: 1e-7 } }
        - count: { name: numbers, share: { epsilon: 1, delta: 1e-7 } }
      """;

  @Test
  void shouldProtectAllThatAUserDid() throws Exception {
    Plan plan = plan(NUMBERS);
    assertThat(plan.releases().get(0).charge().unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(plan.releases().get(0).charge().mechanism()).contains("add-or-remove-4-of-2 m=40");
    assertThat(PlanReport.text(plan))
        .contains("sums, each with a standard deviation of ")
        .contains("on the number of records")
        .contains("all that any ONE user did in one window");
  }

  /** Numbers alone will do, as they do where one record is protected. */
  @Test
  void shouldTakeRecordsWithoutACategory() throws Exception {
    Plan plan = Plans.example("ward-model.yaml");
    assertThat(plan.pipeline().input().allCategories()).isEmpty();
    assertThat(plan.layout()).containsEntry("input.values", "[score]");
  }

  /** A version may drop the last output that is about them: what is kept does not change. */
  @Test
  void shouldWarnOfNumbersThatNoOutputIsAbout() throws Exception {
    String part = "- features: { name: sums, share: { epsilon: 1, delta: 1e-7 } }";
    assertThat(NUMBERS).contains(part);
    Plan plan =
        plan(NUMBERS.replace(part, "- histogram: { name: h, share: { epsilon: 1, delta: 1e-7 } }"));
    assertThat(PlanReport.warnings(plan))
        .anyMatch(it -> it.contains("no output is about 'input.values'"));
    assertThat(plan.layout())
        .containsEntry("input.values", plan(NUMBERS).layout().get("input.values"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "category: what | category: 'what[]' | field 'input.values': found with '[]' in 'input.category', allowed is only where a record counts as one",
        "- count: { name: numbers, | - abc: { name: ask, method: soft, distance: features, threshold: 0.4, queries: 1, | abc answers tell how many records a window has",
        "- count: { name: numbers, share: { epsilon: 1, delta: 1e-7 } } | - mollifier: { name: item, share: { epsilon: 1 }, reference: { uniform: { low: [0, 0], high: [1, 1] } } } | items are of subjects that are users",
        "features: { count: 40, bandwidth: 0.6 } | | field 'features': is missing",
        "values: [x, y] | other: rest | found features without 'input.values'",
        "category: what, categories: [a, b], | | found a count without 'input.category'",
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThat(NUMBERS).contains(part);
    String changed = NUMBERS.replace(part, other == null ? "" : other);
    assertThatThrownBy(() -> plan(changed))
        .isInstanceOf(PipelineFileException.class)
        .hasMessageContaining(expected);
  }

  /** One line each, however much of a file is wrong. */
  @Test
  void shouldSayOnceWhatHasNoNumbers() {
    assertThatThrownBy(() -> plan(NUMBERS.replace("category: what", "category: 'what[]'")))
        .satisfies(e -> assertThat(((PipelineFileException) e).problems()).hasSize(1));
  }

  /** Held until a window closes: C records for each of S subjects, each with its numbers. */
  @Test
  void shouldSayWhichSettingMakesARowOfNumbersTooLarge() throws Exception {
    StringBuilder many = new StringBuilder("[x0");
    for (int i = 1; i < 500; i++) {
      many.append(", x").append(i);
    }
    String wide = NUMBERS.replace("[x, y]", many + "]");
    long row =
        WorstCase.of(plan(wide)).of(SizeBound.Kind.ROW, "contribution-store").orElseThrow().bytes();
    assertThat(row).isBetween(4 * 2 * 500 * 8L, 4 * 2 * 500 * 8L + 2_000);
    assertThatThrownBy(() -> plan(wide.replace("per-window: 4", "per-window: 150")))
        .hasMessageContaining("a row of 'contribution-store' may take")
        .hasMessageContaining("lower 'input.values' from 500 to ")
        .hasMessageContaining("lower 'contributions.per-window'");
  }

  /** Files of users without numbers plan what they always did. */
  @Test
  void shouldLeaveSizesOfOtherFilesAlone() throws Exception {
    Plan wards = Plans.example("wards.yaml");
    assertThat(
            WorstCase.of(wards).of(SizeBound.Kind.ROW, "contribution-store").orElseThrow().bytes())
        .isEqualTo(855);
  }
}
