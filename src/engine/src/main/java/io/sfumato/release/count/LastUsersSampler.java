// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.LastUsersMemory;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.pipeline.CellPlaces;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;

/**
 * Draws how many distinct users the last windows have together, with noise of its own in every
 * window. A subject begins anew after a window of which nothing was drawn.
 */
final class LastUsersSampler implements ReleaseSampler {
  private final CountMeasurement<CountQuery> mechanism;
  private final LastUsersMemory.Sequence sequence;
  private final CountWriter writer;
  private final CellPlaces cells;
  private final boolean byCategory;
  private final int last;

  LastUsersSampler(PlannedCount planned, Pipeline pipeline) {
    CountSpec spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.writer = new CountWriter(spec);
    this.cells = pipeline.cells().orElseThrow();
    this.byCategory = spec.isByCategory();
    this.last = spec.over().last().orElseThrow();
    this.sequence =
        new LastUsersMemory.Sequence(
            planned.told(pipeline), writer.groups(pipeline), last, pipeline.window().grid());
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    LastUsersMemory before = sequence.goingOn(memory, windowStart);
    Secret<long[][]> arrived =
        data.map(own -> cells.arrived(own.cells().orElseThrow(), byCategory, last));
    return Prepared.of(
        Measured.of(mechanism, before.countedWith(arrived)),
        (label, noisy) -> drawn(label, noisy, before.plus(arrived)));
  }

  private Drawn drawn(OutputLabel label, NoisyVector noisy, LastUsersMemory now) {
    CountWriter.Told told =
        new CountWriter.Told(
            now.sinceLast(),
            Math.min(last, now.windows()),
            noisy.values(),
            mechanism.noise().halfWidth(1));
    return new Drawn(writer.writeLast(label, told), Optional.of(now.memory()));
  }
}
