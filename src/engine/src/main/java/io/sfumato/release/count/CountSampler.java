// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;

/** Draws a window's counts. */
final class CountSampler implements ReleaseSampler {
  private final CountMeasurement<CountQuery> mechanism;
  private final CountWriter writer;

  CountSampler(PlannedCount planned) {
    this.mechanism = planned.plan().mechanism();
    this.writer = new CountWriter(planned.spec());
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    long halfWidth = mechanism.noise().halfWidth(1);
    return Prepared.of(
        mechanism,
        writer.exact(data),
        (label, noisy) ->
            writer.write(label, new CountWriter.Told(windowStart, 1, noisy.values(), halfWidth)));
  }
}
