// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.bounds.BucketThreshold;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.pipeline.BoundsMemory;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.SizeBound;
import io.sfumato.pipeline.WindowLossChecker;
import io.sfumato.random.CanonicalEncoder;
import java.util.List;
import java.util.Optional;

/**
 * Bounds.
 *
 * @param spec of the file
 * @param plan the candidate with the lower threshold
 */
public record PlannedBounds(BoundsSpec spec, Calibrated<CountMeasurement<BucketQuery>> plan)
    implements PlannedRelease {
  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text("bounds").text(spec.rule().canonical()).number(threshold());
  }

  /** What a noisy count must reach, in records. */
  long threshold() {
    return BucketThreshold.of(plan.mechanism().noise());
  }

  /** Records of one bucket that let it pass in 97.5 of 100 draws. */
  long seen() {
    return BucketThreshold.seen(plan.mechanism().noise());
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "between which bounds the values of %s lie, to powers of two".formatted(spec.value()),
        pipeline.population(),
        new PrivacyRationale.Source(
            "noisy counts of 193 public ranges",
            "our own proof",
            "theory/moments-and-quantiles.md#unknown-bounds"),
        PrivacyRationale.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new BoundsReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return new Caps().text("value", spec.value()).items("rows", PowerBuckets.NUMBER);
  }

  @Override
  public List<SizeBound> rows(Pipeline pipeline) {
    long bytes = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + BoundsMemory.LARGEST;
    return List.of(new SizeBound(SizeBound.Kind.ROW, "running-store", bytes, List.of()));
  }

  @Override
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new BoundsSampler(this));
  }

  @Override
  public LossChecker<ExactVector> lossChecker() {
    return new WindowLossChecker<>(ExactVector::values);
  }
}
