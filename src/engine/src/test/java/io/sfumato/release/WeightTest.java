// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static io.sfumato.release.Plans.plan;
import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.CanonicalText;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.SchemaSource;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Records weigh differently in populations alone, and no more than a file says. */
class WeightTest {
  private static final String WEIGHED =
      """
      pipeline: p
      input: { topic: t, user: who, subject: shop, time: at, category: what, categories: [a, b], weight: visit.minutes }
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
  void shouldTakeAHundredUnitsUnlessMoreMayCount() throws Exception {
    assertThat(most(WEIGHED)).isEqualTo(100);
    assertThat(most(WEIGHED.replace("per-window: 4", "per-window: 480"))).isEqualTo(480);
    assertThat(most(WEIGHED.replace("per-window: 4", "per-window: 4, max-weight: 1440")))
        .isEqualTo(1440);
  }

  @Test
  void shouldSayInThePlanWhatTheWeightIs() throws Exception {
    assertThat(PlanReport.text(plan(WEIGHED)))
        .contains("fields     weight: field minutes within visit, at most 100 units of a record");
    assertThat(PlanReport.text(plan(WEIGHED.replace("visit.minutes", "minutes"))))
        .contains("fields     weight: field minutes, at most 100 units of a record");
  }

  /** What a user's window may do is bounded as it was, so it costs what it did. */
  @Test
  void shouldChargeAndNoiseAsForRecordsOfOneWeight() throws Exception {
    assertThat(plan(WEIGHED).releases().get(0).charge())
        .isEqualTo(plan(WEIGHED.replace(", weight: visit.minutes", "")).releases().get(0).charge());
  }

  /** It bears on what is released; other files keep the digest and the layout that they had. */
  @Test
  void shouldBePartOfTheDigestAndTheLayout() throws Exception {
    Plan bounded = plan(WEIGHED.replace("per-window: 4", "per-window: 4, max-weight: 7"));
    Plan without = plan(WEIGHED.replace(", weight: visit.minutes", ""));
    assertThat(plan(WEIGHED).digestText())
        .isNotEqualTo(bounded.digestText())
        .isNotEqualTo(without.digestText());
    assertThat(plan(WEIGHED).layout()).containsEntry("input.weight", "visit.minutes");
    assertThat(without.layout()).doesNotContainKey("input.weight");
    assertThat(CanonicalText.of(without.pipeline().input()))
        .endsWith("values=[], maxBytes=1000000]");
    assertThat(CanonicalText.of(bounded.pipeline().input()))
        .endsWith("values=[], weight=visit.minutes, maxBytes=1000000]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "per-window: 4 | per-window: 4, max-weight: 3 | 'contributions.max-weight': found 3, allowed is at least 4, per-window and left-out together",
        "per-window: 4 | per-window: 4, max-weight: 0 | 'contributions.max-weight': found '0', allowed is a whole number from 1 to 10000",
        "per-window: 4 | per-window: 4, max-items: 9 | 'contributions.max-items': found without '[]' in 'input.category'",
        "category: what | category: 'what[]' | 'input.weight': found with '[]' in 'input.category', allowed is only where a record has one category",
        "visit.minutes | \"tags[]\" | 'input.weight': found 'tags[]'",
        "visit.minutes | who | 'input.weight': found 'who', allowed is a field of its own, which holds nothing but a number",
        "visit.minutes | shop | 'input.weight': found 'shop', allowed is a field of its own",
        "visit.minutes | what | 'input.weight': found 'what', allowed is a field of its own",
        "visit.minutes | $key | 'input.weight': found '$key', allowed is the name of a field",
        "visit.minutes | '' | 'input.weight': found ''",
      })
  void shouldRefuse(String part, String other, String expected) {
    assertThatThrownBy(() -> plan(WEIGHED.replace(part, other))).hasMessageContaining(expected);
  }

  private static final long NOW = Instant.parse("2026-11-02T12:00:00Z").toEpochMilli();

  private static int units(String weight) throws Exception {
    String record =
        "{\"who\":1,\"shop\":\"north\",\"at\":%d,\"what\":\"a\",\"visit\":{\"minutes\":%s}}"
            .formatted(NOW, weight);
    return EventReader.of(PipelineFile.parse("p", WEIGHED), SchemaSource.none())
        .read(record(null, record.getBytes(StandardCharsets.UTF_8), NOW))
        .orElseThrow()
        .items()
        .size();
  }

  /** The nearest double of a long fraction is the next whole number. */
  @ParameterizedTest
  @CsvSource({
    "2.9999999999999999999, 2",
    "299999999999999999999e-20, 2",
    "3.0000000000000000001, 3",
    "3, 3",
    "1e1, 10",
    "1e11, 100",
  })
  void shouldRoundDownByTheDigits(String weight, int units) throws Exception {
    assertThat(units(weight)).isEqualTo(units);
    assertThat(units("\" " + weight + " \"")).isEqualTo(units);
    assertThat(units("{\"$numberDecimal\":\"" + weight + "\"}")).isEqualTo(units);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.99999999999999999999", "0", "-1", "1e-99999999999", "1e13", "\"1d\""})
  void shouldRefuseWeightsThatAreNoWholeUnit(String weight) {
    assertThatThrownBy(() -> units(weight)).hasMessage("BAD_VALUE");
  }

  @Test
  void shouldRefuseABoundWithoutWeights() {
    String plain =
        WEIGHED
            .replace(", weight: visit.minutes", "")
            .replace("per-window: 4", "per-window: 4, max-weight: 9");
    assertThatThrownBy(() -> plan(plain))
        .hasMessageContaining("'contributions.max-weight': found without 'input.weight'");
  }

  /**
   * There the record is what is protected, and it would weigh as much as somebody cares to write.
   */
  @Test
  void shouldRefuseWeightsWhereNoUserIsBounded() {
    String records =
        """
        pipeline: p
        input: { topic: t, subject: shop, time: at, category: what, categories: [a, b], weight: minutes }
        window: { size: 1d }
        budget: { name: p, unit: record, epsilon: 1, delta: 1e-6, period: window }
        releases:
          - histogram: { name: numbers, share: { epsilon: 0.5, delta: 1e-7 } }
        """;
    assertThatThrownBy(() -> plan(records))
        .hasMessageContaining(
            "'input.weight': found without 'input.user', allowed is only where 'contributions' bound");
  }
}
