// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.BudgetShare;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyFilter;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.Calibrated;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PipelineFileException;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.release.count.PlannedCount;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

/** A kind keeps to its share and unit; a library's may not, and is refused before it is charged. */
class KindCheckTest {
  private static final String WARDS =
      """
      pipeline: wards
      input: { topic: visits, subject: ward, time: at, category: service, categories: [a, b], user: patient }
      window: { size: 1d, grace: 1h, clock: ticks }
      subjects: [north, south]
      contributions: { per-window: 3, subjects: 2 }
      budget: { name: wards, unit: user, epsilon: 1, delta: 1e-6, period: window }
      releases:
        - count: { name: mix, by: category, share: { epsilon: 1, delta: 1e-6 } }
      """;

  private record Charged(PrivacyCost charge) implements Mechanism<Histogram, NoisyVector> {
    @Override
    public String method() {
      return "other";
    }

    @Override
    public Map<String, Double> parameters() {
      return Map.of();
    }

    @Override
    public OutputDistribution<NoisyVector> distribution(Histogram dataset) {
      throw new UnsupportedOperationException();
    }
  }

  private static final class Spec implements ReleaseSpec {
    private final PlannedCount honest;
    private final Calibrated<?> plan;

    Spec(PlannedCount honest, Calibrated<?> plan) {
      this.honest = honest;
      this.plan = plan;
    }

    @Override
    public Head head() {
      return honest.spec().head().once();
    }

    @Override
    public Schema schema() {
      return honest.spec().schema();
    }

    @Override
    public PlannedRelease plan() {
      return new ReleaseLike(honest, plan, sampler -> sampler);
    }
  }

  /** Says nothing of its record's texts and lists. */
  private record Uncapped(PlannedCount honest) implements PlannedRelease {
    @Override
    public ReleaseSpec spec() {
      return honest.spec();
    }

    @Override
    public Calibrated<?> plan() {
      return honest.plan();
    }

    @Override
    public void digest(CanonicalEncoder digest) {
      honest.digest(digest);
    }

    @Override
    public Facts facts(Pipeline pipeline) {
      return honest.facts(pipeline);
    }

    @Override
    public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
      return honest.sampler(pipeline);
    }

    @Override
    public LossChecker<?> lossChecker() {
      return honest.lossChecker();
    }
  }

  private static void plan(PrivacyUnit unit, String epsilon) throws PipelineFileException {
    Pipeline pipeline = PipelineFile.parse("wards.yaml", WARDS);
    PlannedCount honest = Plan.of("wards.yaml", pipeline).all(PlannedCount.class).get(0);
    BudgetShare share = honest.share();
    PrivacyCost charge = PrivacyCost.pure("a randomised response", unit, 0.5);
    Calibrated<?> other =
        new Calibrated<>(
            new BudgetShare(share.name(), Epsilon.of(epsilon), Delta.of("1e-6"), share.filter()),
            new Charged(charge));
    Plan.of("wards.yaml", Foreigners.with(pipeline, new Spec(honest, other)));
  }

  @Test
  void datasetsOfSubjectsSayNothingAboutUsersWhoAreInSeveral() {
    assertThatThrownBy(() -> plan(PrivacyUnit.DATASET, "1"))
        .hasMessageContaining("protects the unit 'dataset', which says nothing about");
    assertThatThrownBy(() -> plan(PrivacyUnit.RECORD, "1")).hasMessageContaining("'record'");
  }

  @Test
  void aKindPlansWithTheShareThatItsFileGives() throws PipelineFileException {
    plan(PrivacyUnit.USER, "1");
    assertThatThrownBy(() -> plan(PrivacyUnit.USER, "3.9"))
        .hasMessageContaining("plans with the share 'mix' of epsilon 3.9");
    assertThat(PrivacyUnit.DATASET.implies(PrivacyUnit.USER))
        .as("where subjects are users")
        .isTrue();
  }

  /** Each loses 0.5, and the share has 1. */
  @Test
  void shouldRefuseAShareThatAdmitsTooMuch() throws PipelineFileException {
    planned(2);
    assertThatThrownBy(() -> planned(3))
        .hasMessageContaining(
            "release 'mix': its kind plans a share that admits more than epsilon 1");
  }

  @Test
  void shouldTellWhichFieldOfItsRecordHasNoCap() throws PipelineFileException {
    Pipeline pipeline = PipelineFile.parse("wards.yaml", WARDS);
    PlannedCount honest = Plan.of("wards.yaml", pipeline).all(PlannedCount.class).get(0);
    assertThat(KindCheck.problems(pipeline, honest)).isEmpty();
    assertThat(KindCheck.problems(pipeline, new Uncapped(honest)))
        .containsExactly(
            "release 'mix': its kind does not say how long its record may be: field 'categories' of io.sfumato.schema.CountRelease has no cap");
  }

  private static void planned(long releases) throws PipelineFileException {
    Pipeline pipeline = PipelineFile.parse("wards.yaml", WARDS);
    plan(pipeline, pipeline, 0.5, releases);
  }

  /** A kind whose release was planned for a pipeline, and admits so many charges in a file's. */
  private static void plan(Pipeline planned, Pipeline file, double each, long releases)
      throws PipelineFileException {
    PlannedCount honest = Plan.of("wards.yaml", planned).all(PlannedCount.class).get(0);
    BudgetShare share = honest.share();
    PrivacyCost charge = PrivacyCost.pure("a randomised response", PrivacyUnit.USER, each);
    PrivacyFilter filter = new PrivacyFilter.FixedCountFilter(charge.mechanism(), releases);
    Calibrated<?> other =
        new Calibrated<>(
            new BudgetShare(share.name(), share.epsilon(), share.delta(), filter),
            new Charged(charge));
    Plan.of("wards.yaml", Foreigners.with(file, new Spec(honest, other)));
  }

  /** Spans of two windows touch three. */
  private static Pipeline ofSpans() throws PipelineFileException {
    return PipelineFile.parse(
        "wards.yaml",
        WARDS
            .replace("period: window", "period: { any: 2d }")
            .replace("clock: ticks", "clock: ticks, begin: 2026-01-05"));
  }

  private static void planSpans(Pipeline planned, long cap) throws PipelineFileException {
    plan(planned, ofSpans(), 0.2, cap);
  }

  @Test
  void aKindPlansAllThatTheCalendarReleasesOfASpan() throws PipelineFileException {
    planSpans(ofSpans(), 3);
    assertThatThrownBy(() -> planSpans(ofSpans(), 2))
        .hasMessageContaining("a share that affords 2 charges, and a span needs 3");
    assertThatThrownBy(() -> planSpans(PipelineFile.parse("wards.yaml", WARDS), 3))
        .hasMessageContaining("plans 1 of the windows of a span")
        .hasMessageContaining("the calendar alone says which");
  }
}
