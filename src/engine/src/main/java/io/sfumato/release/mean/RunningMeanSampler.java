// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.continual.Horizon;
import io.sfumato.estimate.moments.NoisyMoments;
import io.sfumato.estimate.moments.RunningMoments;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.RunningMemory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.moments.DrawnParts;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.OverWindows;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.window.WindowGrid;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Draws a row of parts of every window. A subject begins anew when as many windows are summed up as
 * the file says, and after a window of which nothing was drawn.
 */
final class RunningMeanSampler implements ReleaseSampler {
  private final MeanSpec spec;
  private final MomentShape shape;
  private final OverWindows over;
  private final RunningMechanism mechanism;
  private final RunningMoments moments;
  private final DrawnParts parts;
  private final PrivacyUnit unit;
  private final RunningMemory.Sequence sequence;
  private final MeanWriter writer;

  RunningMeanSampler(PlannedRunningMean planned, WindowGrid windows) {
    this.spec = planned.spec();
    this.shape = spec.shape();
    this.over = spec.over();
    this.mechanism = planned.plan().mechanism();
    this.moments = planned.moments();
    this.parts = planned.parts();
    this.unit = planned.window().unit();
    this.sequence =
        new RunningMemory.Sequence(
            mechanism,
            planned.told(),
            over.running().map(Horizon::most).orElse(Long.MAX_VALUE),
            windows,
            true);
    this.writer = MeanWriter.of(spec);
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    Secret<long[]> window = data.map(own -> parts.of(own.tally(spec.rule()).dense(shape.size())));
    OptionalLong records = Secret.publicSize(data.map(own -> own.tally(spec.rule())), unit);
    RunningMemory before = sequence.goingOn(memory, windowStart, parts.size());
    return Prepared.of(
        Measured.of(mechanism, before.rows(window)),
        (label, noisy) -> {
          int keep = over.last().orElse(1);
          RunningMemory now = before.plus(window, noisy, keep);
          return next(
              label,
              windowStart,
              records.isPresent() ? now.withRecords(records.getAsLong(), keep) : now);
        });
  }

  private Drawn next(OutputLabel label, long windowStart, RunningMemory now) {
    MeanWriter.Told told = over.running().isPresent() ? all(now) : ofLast(now, 1, windowStart);
    Optional<MeanWriter.Told> last =
        over.last().stream()
            .mapToObj(windows -> ofLast(now, windows, now.since(windows)))
            .findFirst();
    return new Drawn(writer.write(label, told, last), Optional.of(now.memory()));
  }

  private MeanWriter.Told all(RunningMemory now) {
    return told(now, now.since(), now.windows(), now.told(), now.records().all());
  }

  private MeanWriter.Told ofLast(RunningMemory now, int last, long since) {
    long windows = Math.min(last, now.windows());
    return told(now, since, windows, now.toldOf(last), now.records().ofLast(last));
  }

  private MeanWriter.Told told(
      RunningMemory now, long since, long windows, long[] steps, long records) {
    return new MeanWriter.Told(
        since,
        windows,
        moments.error(now.windows(), windows),
        new NoisyMoments(
            shape,
            parts.completed(steps, records),
            unit == PrivacyUnit.RECORD ? OptionalLong.of(records) : OptionalLong.empty()));
  }
}
