// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;

/** Draws a window's counts. */
final class CountSampler implements ReleaseSampler {
  private final CountMeasurement<CountQuery> mechanism;
  private final CountWriter writer;
  private final Optional<CellPlaces> cells;

  CountSampler(PlannedCount planned, Pipeline pipeline) {
    this.mechanism = planned.plan().mechanism();
    this.writer = new CountWriter(planned.spec());
    this.cells = pipeline.cells();
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    long halfWidth = mechanism.noise().halfWidth(1);
    return Prepared.of(
        mechanism,
        writer.exact(data, cells),
        (label, noisy) ->
            writer.write(label, new CountWriter.Told(windowStart, 1, noisy.values(), halfWidth)));
  }
}
