// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.abc;

import io.sfumato.estimate.Calibrated;
import io.sfumato.inference.Inference;
import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.abc.DistanceMeasure;
import io.sfumato.mechanism.abc.QueryMechanism;
import io.sfumato.mechanism.abc.Summaries;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;

/**
 * Queries.
 *
 * @param spec of the file
 * @param plan of each query
 */
public record PlannedAbc(AbcSpec spec, Calibrated<QueryMechanism> plan) implements PlannedRelease {
  @Override
  public void digest(CanonicalEncoder digest) {
    digest
        .text(canonical(spec.measure()))
        .number(spec.candidates())
        .number(spec.keep())
        .text(spec.waiting().canonical());
  }

  /** Live states hang on these texts, so that they never change. */
  private static String canonical(DistanceMeasure measure) {
    return measure.choose(
        new DistanceMeasure.Cases<String, RuntimeException>() {
          @Override
          public String features() {
            return "FEATURES";
          }

          @Override
          public String categories() {
            return "CATEGORIES";
          }

          @Override
          public String summaries(Summaries summaries) {
            return "SUMMARIES " + summaries.canonical();
          }
        });
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "answers to a modeller's candidates: whether, or how well, each fits the records",
        pipeline.population(),
        new PrivacyRationale.Source(
            "noisy distances, the sparse vector, or Theorem D (Gaussian answers), by its method",
            "Park, Vinaroz, Jitkrittum 2020, ABCDP",
            "theory/abc.md#methods"));
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new AbcReport(this, pipeline.input(), pipeline.budget()).facts();
  }

  /** Of summaries nothing is rehearsed: what a model's would be, no plan knows. */
  @Override
  public Optional<Inference> inference(Pipeline pipeline) {
    return spec.measure() instanceof DistanceMeasure.OfSummaries
        ? Optional.empty()
        : Optional.of(
            new AbcInference(
                spec,
                plan.mechanism(),
                pipeline.features().map(kept -> kept.features(pipeline.input().values().size()))));
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return new Caps()
        .anyText("query_id", 0, FieldLimits.QUERY_ID)
        .setting("parameters of a candidate", FieldLimits.PARAMETERS)
        .items("parameters", FieldLimits.PARAMETERS);
  }

  /** Answers are drawn when they are asked for, not when windows close. */
  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.empty();
  }

  @Override
  public LossChecker<ExactData> lossChecker() {
    return new AbcLossChecker();
  }
}
