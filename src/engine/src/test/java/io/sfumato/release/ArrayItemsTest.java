// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.Population;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each item of an array counts in populations alone, and no more of a record than a file says. */
class ArrayItemsTest {
  private static final String POPULATION =
      """
      pipeline: p
      input: { topic: t, user: who, subject: shop, time: at, category: "tags[]", categories: [a, b] }
      contributions: { per-window: 4 }
      subjects: [north, south]
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: numbers, share: { epsilon: 0.5, delta: 1e-7 } }
      """;

  private static int most(String yaml) throws PipelineFileException {
    return PipelineFile.parse("p", yaml).population().orElseThrow().items().orElseThrow();
  }

  @Test
  void shouldTakeAHundredItemsUnlessMoreMayCount() throws Exception {
    assertThat(most(POPULATION)).isEqualTo(100);
    assertThat(most(POPULATION.replace("per-window: 4", "per-window: 400"))).isEqualTo(400);
    String told =
        POPULATION.replace("per-window: 4", "per-window: 60, left-out: 70")
            + "  - count: { name: lost, by: left-out, share: { epsilon: 0.5, delta: 1e-7 } }\n";
    assertThat(most(told)).isEqualTo(130);
    assertThat(most(POPULATION.replace("per-window: 4", "per-window: 4, max-items: 7")))
        .isEqualTo(7);
  }

  @Test
  void shouldSayInThePlanHowThePathWasUnderstood() throws Exception {
    assertThat(PlanReport.text(plan(POPULATION)))
        .contains("fields     category: each item of tags, at most 100 of a record");
  }

  /** What a user's window may do is bounded as it was, so it costs what it did. */
  @Test
  void shouldChargeAndNoiseAsForRecordsOfOneCategory() throws Exception {
    String one = POPULATION.replace("tags[]", "tag");
    assertThat(plan(POPULATION).releases().get(0).charge())
        .isEqualTo(plan(one).releases().get(0).charge());
  }

  /** How many items count bears on what is released; other files keep the digest they had. */
  @Test
  void shouldBePartOfTheDigest() throws Exception {
    assertThat(plan(POPULATION).digestText())
        .isNotEqualTo(
            plan(POPULATION.replace("per-window: 4", "per-window: 4, max-items: 7")).digestText());
    assertThat(CanonicalText.of(new Population("who", 4, 1)))
        .isEqualTo("Population[user=who, records=4, subjects=1]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per-window: 4, max-items: 3 | 'contributions.max-items': found 3, allowed is at least 4, per-window and left-out together",
        "per-window: 4, max-items: 0 | 'contributions.max-items': found '0', allowed is a whole number from 1 to 10000",
        "per-window: 4, max-items: 10001 | 'contributions.max-items': found '10001', allowed is a whole number",
      })
  void shouldRefuseABoundOutOfRange(String bounds, String expected) {
    assertThatThrownBy(() -> plan(POPULATION.replace("per-window: 4", bounds)))
        .hasMessageContaining(expected);
  }

  @Test
  void shouldRefuseABoundOfItemsWhereARecordHasOneCategory() {
    String one =
        POPULATION.replace("tags[]", "tag").replace("per-window: 4", "per-window: 4, max-items: 9");
    assertThatThrownBy(() -> plan(one))
        .hasMessageContaining("'contributions.max-items': found without '[]' in 'input.category'");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a[].b[]", "tags[*]", "[]", "/tags/[]", "tags[ ]", "tags[]x"})
  void shouldRefuseWhatIsNotOneArray(String category) {
    assertThatThrownBy(() -> plan(POPULATION.replace("tags[]", category)))
        .hasMessageContaining("found '" + category + "', allowed is one '[]', behind the field");
  }

  @Test
  void shouldAcceptArraysWithinFieldsAndFieldsWithinItems() throws Exception {
    for (String category : new String[] {"order.lines[].product", "a[0].b[]", "a[].b[0]"}) {
      assertThat(most(POPULATION.replace("tags[]", category))).isEqualTo(100);
    }
  }

  @Test
  void shouldSayWhereEachItemMayCount() {
    String records =
        """
        pipeline: p
        input: { topic: t, subject: who, time: at, category: "tags[]", categories: [a, b] }
        window: { size: 1h }
        budget: { name: p, unit: record, epsilon: 2, delta: 1e-6, period: window }
        releases: [ { histogram: { name: mix, share: { epsilon: 2, delta: 1e-6 }, plan-size: 20 } } ]
        """;
    assertThatThrownBy(() -> plan(records))
        .hasMessageContaining("found 'tags[]', allowed is one item, such as 'tags[0]'")
        .hasMessageContaining("one record would change a release more than its noise hides")
        .hasMessageContaining("Where 'input.user' and 'contributions' bound");
  }

  /** A user, a subject and a time are one each. */
  @ParameterizedTest
  @ValueSource(strings = {"user: who", "subject: shop", "time: at"})
  void shouldRefuseEachItemOfAnythingElse(String field) {
    assertThatThrownBy(() -> plan(POPULATION.replace(field, field.split(":")[0] + ": \"ids[]\"")))
        .hasMessageContaining("found 'ids[]', allowed is one item, such as 'ids[0]'");
  }
}
