// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.client.ModelOutlook.Learned;
import io.sfumato.pipeline.FactText;
import io.sfumato.release.Plans;
import io.sfumato.testkit.Numerical;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What a plan says of posteriors, on made-up windows with public seeds: the same every time. */
@Numerical
class ModelOutlookTest {
  private static final String NUMBERS =
      """
      pipeline: p
      input: { topic: in, subject: who, time: at, values: [x] }
      features: { count: 50, bandwidth: 0.6 }
      window: { size: 91d }
      budget: { name: p, unit: record, epsilon: 4, delta: 1e-5, period: window }
      releases:
        - features: { name: sums, share: { epsilon: 2, delta: 1e-6 }, plan-size: 400 }
        - abc: { name: ask, method: soft, threshold: 0.1, share: { epsilon: 2, delta: 1e-6 }, queries: 1, candidates: 200, plan-size: 400 }
      """;

  @Test
  void shouldSayThatAHistogramWouldErrLessThanQueries() throws Exception {
    ModelOutlook outlook =
        ModelOutlook.of(Plans.example("diary-model.yaml"), Optional.empty()).orElseThrow();
    assertThat(outlook.learned()).extracting(Learned::kind).containsExactly("histogram", "abc");
    double histogram = outlook.learned().get(0).error();
    double queries = outlook.learned().get(1).error();
    assertThat(histogram).isLessThan(queries / 2);
    assertThat(queries).isLessThan(outlook.priorError() / 2);
    assertThat(outlook.warnings())
        .singleElement()
        .asString()
        .contains("'histogram' in place of 'model-check'");
  }

  @Test
  void shouldRehearseFeaturesWhereAModelOfNumbersIsNamed() throws Exception {
    assertThat(ModelOutlook.of(Plans.plan(NUMBERS), Optional.empty())).isEmpty();
    ModelOutlook outlook =
        ModelOutlook.of(Plans.plan(NUMBERS), Optional.of("mixture-of-uniforms")).orElseThrow();
    assertThat(outlook.learned()).extracting(Learned::kind).containsExactly("features", "abc");
    assertThat(outlook.learned().get(0).error()).isLessThan(outlook.learned().get(1).error());
    assertThat(outlook.instead()).extracting(Learned::kind).containsExactly("features");
  }

  /** As whole plans do (LanguageTest), without a rehearsal. */
  @Test
  void shouldReadTheSameEverywhere() {
    ModelOutlook outlook =
        new ModelOutlook(
            "event-rates",
            0.1,
            List.of(new Learned("asked", "abc", 0.0375)),
            List.of(new Learned("asked", "histogram", 0.0125)));
    Locale before = Locale.getDefault();
    try {
      for (String tag : List.of("en-US", "de-DE", "ar-EG")) {
        Locale.setDefault(Locale.forLanguageTag(tag));
        assertThat(FactText.of(outlook.facts()))
            .contains("in 12 simulated windows, prior mean 0.1\n")
            .contains("output asked, abc, error 0.0375\n")
            .contains("would have an error of 0.0125 instead of 0.0375");
      }
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  void shouldSayWhichModelDoesNotFit() {
    assertThatThrownBy(() -> ModelOutlook.of(Plans.plan(NUMBERS), Optional.of("nonsense")))
        .hasMessageContaining("no simulator 'nonsense'");
    assertThatThrownBy(() -> ModelOutlook.of(Plans.plan(NUMBERS), Optional.of("event-rates")))
        .hasMessageContaining("categories");
    assertThatThrownBy(
            () ->
                ModelOutlook.of(
                    Plans.example("diary-model.yaml"), Optional.of("mixture-of-uniforms")))
        .hasMessageContaining("take event-rates");
  }
}
