// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.estimate.running.ErrorBars;
import io.sfumato.estimate.running.Extent;
import io.sfumato.gate.Measured;
import io.sfumato.mechanism.running.NoisyRunningRows;
import io.sfumato.mechanism.running.Rows;
import io.sfumato.mechanism.running.RunningMechanism;
import io.sfumato.mechanism.running.RunningSums;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.RunningMemory;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Draws a row of every window. A subject begins anew when as many windows are counted as the file
 * says, and after a window of which nothing was drawn.
 */
final class RunningCountDrawer implements Drawer {
  private final RunningMechanism mechanism;
  private final Optional<Extent> running;
  private final OptionalInt over;
  private final RunningMemory.Sequence sequence;
  private final ErrorBars bars;
  private final CountWriter writer;

  RunningCountDrawer(PlannedRunningCount planned, long windowMillis) {
    CountSpec spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.running = spec.over().running();
    this.over = spec.over().last();
    this.sequence =
        new RunningMemory.Sequence(mechanism, spec.told(), spec.over().running(), windowMillis);
    this.bars = new ErrorBars(mechanism);
    this.writer = new CountWriter(spec);
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared<?> prepare(long windowStart, WindowData data, Optional<byte[]> memory) {
    long[] window = writer.exact(data).values();
    RunningMemory before = sequence.goingOn(memory, windowStart, window.length);
    Rows exact = before.sums().rows(window);
    return new Prepared<>(
        Measured.of(mechanism, exact),
        (label, noisy) -> next(label, windowStart, before, window, noisy));
  }

  private Drawn next(
      OutputLabel label,
      long windowStart,
      RunningMemory before,
      long[] window,
      NoisyRunningRows noisy) {
    RunningMemory now = before.plus(window, noisy, mechanism.digits(), over.orElse(1));
    CountWriter.Told counts =
        running.isPresent()
            ? told(now, now.since(), now.sums().windows())
            : told(now, windowStart, 1);
    Optional<CountWriter.Told> last =
        over.stream()
            .mapToObj(windows -> told(now, sequence.since(now, windows), windows))
            .findFirst();
    return new Drawn(writer.write(label, counts, last), Optional.of(now.encode()));
  }

  private CountWriter.Told told(RunningMemory now, long since, long last) {
    RunningSums sums = now.sums();
    long windows = Math.min(last, sums.windows());
    return new CountWriter.Told(
        since,
        windows,
        windows == sums.windows() ? sums.told() : sums.toldOf((int) windows),
        RunningSums.TOLD_DIGITS,
        bars.halfWidth(sums.windows(), windows));
  }
}
