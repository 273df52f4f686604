// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.pipeline.DiscoveryLimits;
import io.sfumato.pipeline.FactJson;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.release.subjects.PlannedSubjects;
import io.sfumato.release.subjects.SubjectsSpec;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a file says of subjects that nobody listed. */
class SubjectsFileTest {
  private static final String FILE =
      """
      pipeline: visits
      input: { topic: in, subject: place, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 4, subjects: 2 }
      subjects: { discover: { share: { epsilon: 1, delta: 1e-7 } } }
      window: { size: 1d, clock: ticks, begin: 2026-11-02 }
      budget: { name: visits, unit: user, epsilon: 2, delta: 1e-6, period: 30d }
      """;

  private static final String COUNT =
      """
      releases:
        - count: { name: n, share: { epsilon: 1, delta: 1e-7 } }
      """;

  private static String refused(String yaml) {
    try {
      PipelineFile.parse("visits.yaml", yaml);
    } catch (PipelineFileException e) {
      return e.getMessage();
    }
    throw new AssertionError("was read");
  }

  @Test
  void theSectionIsTheFirstRelease() {
    Pipeline pipeline = Plans.valid(FILE + COUNT).pipeline();
    assertThat(pipeline.subjects()).isEqualTo(Pipeline.Subjects.DISCOVERED);
    assertThat(pipeline.releases())
        .extracting(release -> release.name() + " " + release.topic())
        .containsExactly("subjects subjects", "n n");
    SubjectsSpec spec = (SubjectsSpec) pipeline.releases().get(0);
    assertThat(spec.finding()).isEqualTo(new DiscoveryLimits(1000, OptionalInt.empty()));
    assertThat(spec.noise()).isEqualTo(SubjectsSpec.Noise.BEST);
    assertThat(spec.horizon()).as("windows of a period").isEqualTo(30);
  }

  @Test
  void itNeedsNoOtherRelease() {
    assertThat(Plans.valid(FILE).releases()).hasSize(1);
    assertThat(refused(FILE.replace("{ discover: { share: { epsilon: 1, delta: 1e-7 } } }", "[a]")))
        .contains("field 'releases': is missing")
        .doesNotContain("subjects: {name");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "delta: 1e-7 } } }|delta: 1e-7 }, mots: 3 } }|'subjects.discover.mots': unknown, allowed are name, topic, share, windows, most, noise, forget-names",
        "delta: 1e-7 } } }|delta: 1e-7 } }, by: x }|'subjects.by': unknown, allowed are discover",
        "{ discover: { share: { epsilon: 1, delta: 1e-7 } } }|{ }|'subjects.discover': is missing",
        "{ discover: { share: { epsilon: 1, delta: 1e-7 } } }|{ discover: true }|'subjects.discover': found 'true', allowed is a mapping",
        ", delta: 1e-7 } } }|} } }|'subjects.discover.share.delta': is missing",
        "delta: 1e-7 } } }|delta: 1e-7 }, most: 0 } }|'subjects.discover.most': found '0', allowed is a whole number from 1 to 100000",
        "delta: 1e-7 } } }|delta: 1e-7 }, forget-names: 0 } }|'subjects.discover.forget-names': found '0'",
        "delta: 1e-7 } } }|delta: 1e-7 }, noise: loud } }|'subjects.discover.noise': found 'loud', allowed is one of laplace, gaussian, best",
        "delta: 1e-7 } } }|delta: 1e-7 }, name: n } }|two releases are named 'n'",
        ", user: who|''|'subjects.discover.share': found subjects to discover without 'input.user', allowed is only with 'input.user' and 'contributions'",
        "epsilon: 2, |epsilon: 1, |the shares add up to 2, the budget is 1"
      })
  void whatIsWrongIsSaid(String found, String instead, String told) {
    assertThat(refused((FILE + COUNT).replace(found, instead))).contains(told);
  }

  @Test
  void itIsNoneOfTheReleases() {
    assertThat(refused(FILE + COUNT.replace("count:", "subjects:")))
        .contains("'releases[0].subjects': unknown");
  }

  /** Of one user's 30 windows: the threshold of each is that of a part of the delta. */
  @Test
  void thePlanTellsOfTheWholeShare() throws Exception {
    Plan plan = Plans.valid(FILE + COUNT);
    PlannedSubjects found = (PlannedSubjects) plan.releases().get(0);
    assertThat(found.share().delta().value()).isEqualByComparingTo("1e-7");
    assertThat(found.share().filter()).isInstanceOf(PrivacyFilter.FixedCountFilter.class);
    assertThat(found.plan().releases()).isEqualTo(30);
    ObjectNode json = FactJson.of(found.facts(plan.pipeline()));
    assertThat(json.get("threshold").asLong())
        .isEqualTo(found.plan().mechanism().threshold().least())
        .isEqualTo(json.get("half_point").asLong());
    assertThat(
            json.get("threshold_delta").decimalValue().add(json.get("noise_delta").decimalValue()))
        .isEqualByComparingTo("1e-7");
    assertThat(FactText.of(found.facts(plan.pipeline())))
        .contains(
            "threshold  " + found.plan().mechanism().threshold().least() + " users (noisy count)")
        .contains("at most 1,000 subjects of a partition");
  }

  @Test
  void whoIsReleasedBelongsToTheLayoutAndTheRestToTheDigest() {
    Plan plan = Plans.valid(FILE + COUNT);
    assertThat(plan.layout()).containsEntry("subjects", "DISCOVERED");
    for (String subjects : new String[] {"roster", "[north]"}) {
      assertThat(
              Plans.valid(
                      (FILE + COUNT)
                          .replace(
                              "{ discover: { share: { epsilon: 1, delta: 1e-7 } } }", subjects))
                  .layout())
          .as("no version goes on with the state")
          .isNotEqualTo(plan.layout());
    }
    for (String more : new String[] {"most: 7", "forget-names: 3", "noise: laplace"}) {
      assertThat(
              Plans.valid(
                      (FILE + COUNT)
                          .replace("delta: 1e-7 } } }", "delta: 1e-7 }, " + more + " } }"))
                  .digestText())
          .as(more)
          .isNotEqualTo(plan.digestText());
    }
  }

  @Test
  void aShareThatIsTooSmallIsRefused() throws PipelineFileException {
    Pipeline pipeline =
        PipelineFile.parse(
            "visits.yaml", FILE.replace("epsilon: 1, delta: 1e-7", "epsilon: 1e-12, delta: 1e-13"));
    assertThatThrownBy(() -> Plan.of("visits.yaml", pipeline))
        .hasMessageContaining("cannot afford 30 releases");
  }

  @Test
  void everyPlannedReleaseHasASamplerOfHiddenSubjectsOrNone() {
    for (PlannedRelease release : Plans.valid(FILE + COUNT).releases()) {
      assertThat(
              release
                  .sampler(Plans.valid(FILE + COUNT).pipeline())
                  .orElseThrow()
                  .ofHidden()
                  .isPresent())
          .isEqualTo(release.spec().findsSubjects().isPresent());
    }
  }
}
