// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;

/** Draws the noisy parts of one dataset, whose bounds the file says. */
final class MeanSampler implements ReleaseSampler {
  private final MeanSpec spec;
  private final GridMeasurement<MomentQuery> mechanism;
  private final MeanWriter writer;

  MeanSampler(PlannedMean planned) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.writer = MeanWriter.of(spec);
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        mechanism,
        data.map(own -> new ExactVector(own.tally(spec.rule()).dense(spec.shape().size()))),
        (label, drawn) ->
            writer.write(label, mechanism, NoisyMoments.of(mechanism.query(), drawn)));
  }
}
