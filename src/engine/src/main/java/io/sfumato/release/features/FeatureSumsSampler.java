// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.features;

import io.sfumato.estimate.features.NoisySums;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.pipeline.FeatureSpec;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.FeatureRelease;
import java.util.Arrays;

/** Draws the noisy sums of one dataset. */
record FeatureSumsSampler(GridMeasurement<FeatureQuery> mechanism, FeatureSpec kept)
    implements ReleaseSampler {
  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        mechanism,
        data.map(own -> FeatureQuery.rounded(own.features().orElseThrow())),
        (label, sums) -> write(label, NoisySums.of(mechanism.query(), sums)));
  }

  private FeatureRelease write(OutputLabel label, NoisySums drawn) {
    FeatureRelease release = label.on(new FeatureRelease());
    release.setRecords(drawn.records());
    release.setRecordsDeviation(mechanism.query().recordsDeviation(mechanism.noise()));
    release.setSums(Arrays.stream(drawn.sums()).boxed().toList());
    release.setBandwidth(kept.bandwidth());
    release.setSeed(kept.seed());
    release.setValues(label.pipeline().input().values());
    release.setDeviation(mechanism.deviation());
    return release;
  }
}
