// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.bounds.BucketSums;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.moments.DeferredBoundsMechanism;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.OpenSums;
import io.sfumato.pipeline.BoundsMemory;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowData;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws the noisy parts of one dataset by bounds that were found before it, or in its own window.
 *
 * @param planned the means
 * @param reads outputs that find the bounds, one a number
 * @param found what they left of a subject; empty until that is known
 */
record OpenMeanSampler(PlannedMean planned, List<String> reads, List<Memory> found)
    implements ReleaseSampler {
  OpenMeanSampler {
    reads = List.copyOf(reads);
    found = List.copyOf(found);
  }

  static OpenMeanSampler of(PlannedMean planned, Pipeline pipeline) {
    return new OpenMeanSampler(
        planned,
        planned.spec().boundsWanted().stream()
            .map(place -> pipeline.boundsOf(place).map(ReleaseSpec::name).orElseThrow())
            .toList(),
        List.of());
  }

  @Override
  public ReleaseSampler going(List<Memory> memories) {
    return new OpenMeanSampler(planned, reads, memories);
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    List<PowerBounds> bounds =
        found.stream()
            .map(left -> BoundsMemory.decode(left.published().orElseThrow()).bounds())
            .toList();
    MeanWriter writer =
        new MeanWriter(
            planned.spec(),
            bounds.stream().map(each -> new NumberBounds(each.low(), each.high())).toList());
    GridMeasurement<MomentQuery> moments = planned.plan().mechanism();
    return Prepared.of(
        new DeferredBoundsMechanism(planned.plan().mechanism()),
        data.map(own -> new OpenSums(planned.spec().shape(), buckets(own), bounds)),
        (label, drawn) -> writer.write(label, moments, NoisyMoments.of(moments.query(), drawn)));
  }

  /** In the order of groups, then numbers. */
  private List<BucketSums> buckets(WindowData data) {
    List<List<BucketSums>> numbers =
        planned.spec().openRules().stream().map(rule -> rule.of(data.tally(rule))).toList();
    List<BucketSums> ordered = new ArrayList<>();
    for (int group = 0; group < planned.spec().groups(); group++) {
      for (List<BucketSums> number : numbers) {
        ordered.add(number.get(group));
      }
    }
    return ordered;
  }
}
