// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.histogram;

import io.sfumato.estimate.history.EmpiricalBayesHistogram;
import io.sfumato.estimate.history.ReleaseHistory;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.HistoryRelease;
import io.sfumato.window.WindowGrid;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Draws noisy counts, publishes them, and makes shares of them and of what was published of the
 * subject before. What it remembers follows from outputs alone.
 */
final class LearningSampler implements ReleaseSampler {
  private final NoisyHistogram mechanism;
  private final EmpiricalBayesHistogram learning;
  private final int categories;
  private final WindowGrid windows;

  LearningSampler(PlannedHistogram planned, WindowGrid windows) {
    this.mechanism = planned.noisy();
    this.learning = new EmpiricalBayesHistogram(mechanism);
    this.categories = planned.spec().model().shares().size();
    this.windows = windows;
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
            .map(bytes -> ReleaseHistory.decode(bytes, categories))
            .orElseGet(() -> ReleaseHistory.none(categories));
    long window = windows.number(windowStart);
    OptionalLong size = Secret.publicSize(data, mechanism.charge().unit());
    return Prepared.of(
        Measured.of(
            mechanism.counts(),
            data.map(own -> ExactVector.byCategory(own.histogram().orElseThrow()))),
        (label, noisy) -> drawn(label, noisy.values(), size, window, past));
  }

  /**
   * @param size N, where it is public
   */
  private Drawn drawn(
      OutputLabel label, long[] noisy, OptionalLong size, long window, ReleaseHistory past) {
    EmpiricalBayesHistogram.Made made = learning.made(past, window, noisy, size.orElse(0));
    HistoryRelease release = label.on(new HistoryRelease());
    release.setRecords(size.isPresent() ? (Long) size.getAsLong() : null);
    release.setCategories(label.pipeline().input().allCategories());
    release.setProbabilities(shares(made));
    release.setError95(made.errors());
    release.setExampleLeftOut(label.exampleLeftOut());
    release.setNoisyCounts(Arrays.stream(noisy).boxed().toList());
    release.setLearnedFrom(made.learned());
    return new Drawn(release, Optional.of(Memory.ofOutputs(made.past().encode())));
  }

  private List<Double> shares(EmpiricalBayesHistogram.Made made) {
    Double[] shares = new Double[categories];
    Arrays.setAll(shares, made.shares()::share);
    return List.of(shares);
  }
}
