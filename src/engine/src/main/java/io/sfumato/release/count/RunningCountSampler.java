// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.RunningMemory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Draws a row of every window. A subject begins anew when as many windows are counted as the file
 * says, and after a window of which nothing was drawn.
 */
final class RunningCountSampler implements ReleaseSampler {
  private final RunningMechanism mechanism;
  private final Optional<Horizon> running;
  private final OptionalInt over;
  private final RunningMemory.Sequence sequence;
  private final RowErrorBars bars;
  private final CountWriter writer;
  private final int groups;

  RunningCountSampler(PlannedRunningCount planned, Pipeline pipeline) {
    CountSpec spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.running = spec.over().running();
    this.over = spec.over().last();
    this.sequence =
        new RunningMemory.Sequence(
            mechanism,
            spec.told(),
            running.map(Horizon::most).orElse(Long.MAX_VALUE),
            pipeline.window().grid(),
            false);
    this.bars = new RowErrorBars(mechanism);
    this.writer = new CountWriter(spec);
    this.groups = writer.groups(pipeline);
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    Secret<long[]> window = writer.exact(data).map(ExactVector::values);
    RunningMemory before = sequence.goingOn(memory, windowStart, groups);
    return Prepared.of(
        Measured.of(mechanism, before.rows(window)),
        (label, noisy) -> next(label, windowStart, before.plus(window, noisy, over.orElse(1))));
  }

  private Drawn next(OutputLabel label, long windowStart, RunningMemory now) {
    CountWriter.Told counts =
        running.isPresent() ? told(now, now.since(), now.windows()) : told(now, windowStart, 1);
    Optional<CountWriter.Told> last =
        over.stream().mapToObj(windows -> told(now, now.since(windows), windows)).findFirst();
    return new Drawn(writer.write(label, counts, last), Optional.of(now.memory()));
  }

  private CountWriter.Told told(RunningMemory now, long since, long last) {
    long windows = Math.min(last, now.windows());
    return new CountWriter.Told(
        since,
        windows,
        now.toldOf(windows),
        RunningSums.TOLD_DIGITS,
        bars.halfWidth(now.windows(), windows));
  }
}
