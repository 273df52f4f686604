// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.estimate.Planned;
import io.sfumato.estimate.bounds.BucketThreshold;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.BoundsMemory;
import io.sfumato.pipeline.Bytes;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.FieldLimits;
import io.sfumato.pipeline.Footprint;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.WindowJudge;
import java.util.List;
import java.util.Optional;

/**
 * Bounds.
 *
 * @param spec of the file
 * @param plan the candidate with the lower threshold
 */
public record PlannedBounds(BoundsSpec spec, Planned<CountMeasurement<BucketQuery>> plan)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
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
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "between which bounds the values of %s lie, to powers of two".formatted(spec.value()),
        pipeline.population(),
        new Basis.Source(
            "noisy counts of 193 public ranges", "our own proof", "bounds-that-nobody-knows"),
        Basis.DISCRETE_NOISE);
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
  public List<Footprint> rows(Pipeline pipeline) {
    long bytes = Bytes.text(spec.memory()) + FieldLimits.SUBJECT + BoundsMemory.LARGEST;
    return List.of(new Footprint(Footprint.Kind.ROW, "running-store", bytes, List.of()));
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new BoundsDrawer(this));
  }

  @Override
  public DrawJudge<ExactVector> judge() {
    return new WindowJudge<>(ExactVector::values);
  }
}
