// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.history.LearningCounts;
import io.sfumato.estimate.history.ReleaseHistory;
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
import io.sfumato.schema.HistoryCountRelease;
import io.sfumato.window.WindowGrid;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Draws noisy counts, publishes them, and makes estimates of them and of what was published of the
 * subject before. What it remembers follows from outputs alone.
 */
final class LearningCountSampler implements ReleaseSampler {
  private final CountMeasurement<CountQuery> mechanism;
  private final LearningCounts learning;
  private final CountWriter writer;
  private final int groups;
  private final WindowGrid windows;
  private final Optional<CellPlaces> cells;

  LearningCountSampler(PlannedCount planned, Pipeline pipeline) {
    this.mechanism = planned.plan().mechanism();
    this.learning = new LearningCounts(mechanism.noise());
    this.writer = new CountWriter(planned.spec());
    this.groups = writer.groups(pipeline);
    this.windows = pipeline.window().grid();
    this.cells = pipeline.cells();
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
    ReleaseHistory past =
        memory
            .published()
            .map(bytes -> ReleaseHistory.decode(bytes, groups))
            .orElseGet(() -> ReleaseHistory.none(groups));
    long window = windows.number(windowStart);
    return Prepared.of(
        Measured.of(mechanism, writer.exact(data, cells)),
        (label, noisy) -> drawn(label, noisy, learning.made(past, window, noisy.values())));
  }

  private Drawn drawn(OutputLabel label, NoisyVector noisy, LearningCounts.Made made) {
    HistoryCountRelease release = label.on(new HistoryCountRelease());
    release.setCategories(
        writer.spec().isByCategory() ? label.pipeline().input().allCategories() : List.of());
    release.setEstimates(made.counts());
    release.setError95(made.errors());
    release.setNoisyCounts(Arrays.stream(noisy.values()).boxed().toList());
    release.setLearnedFrom(made.learned());
    release.setExampleLeftOut(writer.exampleLeftOut(label));
    return new Drawn(release, Optional.of(Memory.ofOutputs(made.past().encode())));
  }
}
