// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.bounds;

import io.sfumato.estimate.bounds.NoisyBuckets;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.pipeline.BoundsMemory;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.BoundsRelease;
import io.sfumato.schema.BoundsRow;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Draws the noisy counts of one dataset's powers of two. What passes holds from this very window
 * on, and what held before goes on where nothing does.
 */
final class BoundsSampler implements ReleaseSampler {
  private final BoundsSpec spec;
  private final CountMeasurement<BucketQuery> mechanism;
  private final long threshold;

  BoundsSampler(PlannedBounds planned) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.threshold = planned.threshold();
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public boolean remembersData() {
    return false;
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        Measured.of(
            mechanism, data.map(own -> spec.rule().of(own.tally(spec.rule())).get(0).counts())),
        (label, drawn) -> {
          NoisyBuckets buckets = new NoisyBuckets(drawn, threshold);
          return new Drawn(
              write(label, buckets),
              buckets.bounds().map(found -> Memory.ofOutputs(new BoundsMemory(found).encode())));
        });
  }

  private BoundsRelease write(OutputLabel label, NoisyBuckets drawn) {
    BoundsRelease release = label.on(new BoundsRelease());
    List<Integer> passed = drawn.passed();
    Optional<PowerBounds> bounds = drawn.bounds();
    OptionalLong records = drawn.counts().records();
    release.setValue(spec.value());
    release.setRecords(records.isPresent() ? (Long) records.getAsLong() : null);
    release.setLowest(bounds.map(PowerBounds::low).orElse(null));
    release.setHighest(bounds.map(PowerBounds::high).orElse(null));
    release.setPassed(passed.size());
    release.setThreshold(drawn.threshold());
    release.setDeviation(mechanism.noise().deviation());
    release.setRows(
        passed.stream()
            .map(
                bucket ->
                    new BoundsRow(
                        PowerBuckets.lower(bucket),
                        PowerBuckets.upper(bucket),
                        drawn.counts().of(bucket)))
            .toList());
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }
}
