// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.features.NoisySums;
import io.sfumato.inference.FeatureLikelihood;
import io.sfumato.inference.Inference;
import io.sfumato.inference.ReleaseInference;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.modeller.PseudoData;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridLossChecker;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;

/**
 * Noisy sums of features.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedFeatureSums(
    FeatureSumsSpec spec, Calibrated<GridMeasurement<FeatureQuery>> plan)
    implements PlannedRelease {
  /** Standard deviation of the noise of the number of records; 0 where it is public. */
  double recordsDeviation() {
    return plan.mechanism().query().recordsDeviation(plan.mechanism().noise());
  }

  /** Which features are kept bears on what sums mean. */
  @Override
  public void digest(CanonicalEncoder digest) {
    digest
        .number(spec.kept().count())
        .number(Double.doubleToLongBits(spec.kept().bandwidth()))
        .text(spec.kept().seed());
  }

  @Override
  public boolean hasLikelihood() {
    return true;
  }

  @Override
  public Optional<Inference> inference(Pipeline pipeline) {
    GridMeasurement<FeatureQuery> mechanism = plan.mechanism();
    RandomFeatures features = spec.kept().features(spec.dimensions());
    return Optional.of(
        new ReleaseInference(
            (int) Math.min(Integer.MAX_VALUE, spec.planSize()),
            (window, random) -> {
              ExactVector exact = FeatureQuery.rounded(FeatureSum.of(features, rows(window)));
              NoisySums drawn =
                  NoisySums.of(mechanism.query(), mechanism.distribution(exact).draw(random));
              return new FeatureLikelihood(
                  features,
                  drawn.sums(),
                  mechanism.deviation(),
                  drawn.records(),
                  recordsDeviation());
            }));
  }

  private double[][] rows(PseudoData window) {
    if (window instanceof PseudoData.Numbers numbers && numbers.dimensions() == spec.dimensions()) {
      return numbers.rows();
    }
    throw new IllegalArgumentException(
        "the output '%s' is about records of %d numbers: take a simulator that gives them"
            .formatted(spec.name(), spec.dimensions()));
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "one noisy statistic of the records' numbers, which any number of models can be held against",
        pipeline.population(),
        new PrivacyRationale.Source(
            "Theorem H: sums of random features",
            "Rahimi, Recht 2007, Random Features for Large-Scale Kernel Machines; our own proof",
            "theory/feature-sums.md#theorem-h-feature-sums"),
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new FeatureSumsReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    List<String> values = pipeline.input().values();
    return new Caps()
        .text("seed", spec.kept().seed())
        .setting("features.count", spec.kept().count())
        .items("sums", spec.kept().count())
        .setting("input.values", values.size())
        .texts("values", values);
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new FeatureSumsSampler(plan.mechanism(), spec.kept()));
  }

  @Override
  public LossChecker<ExactVector> lossChecker() {
    return new GridLossChecker(plan.mechanism());
  }
}
