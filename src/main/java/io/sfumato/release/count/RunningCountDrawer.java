// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;

/**
 * Draws counts that run over windows: each window completes one node of the tree, which is the only
 * thing that is drawn then. A subject begins anew when the tree is full, and after a window of
 * which nothing was drawn.
 */
final class RunningCountDrawer implements Drawer {
  private final CountMechanism mechanism;
  private final int windows;
  private final long windowMillis;
  private final CountWriter writer;

  RunningCountDrawer(PlannedCount planned, long windowMillis) {
    this.mechanism = planned.plan().mechanism();
    this.windows = planned.spec().windowsCounted();
    this.windowMillis = windowMillis;
    this.writer = new CountWriter(planned.spec());
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared<?> prepare(long windowStart, WindowData data, Optional<byte[]> memory) {
    Running before =
        memory
            .map(Running::decode)
            .filter(running -> continues(running, windowStart))
            .orElseGet(() -> new Running(windowStart, RunningCount.START));
    Counts window = writer.exact(data);
    Counts node = before.count().completedBy(window);
    return new Prepared<>(
        id -> new NodeDraw(id, mechanism, node, before.since(), before.count().windows() + 1),
        mechanism.law(node),
        (label, noisy) -> next(label, before, new RunningCount.Node(node, noisy)));
  }

  private boolean continues(Running running, long windowStart) {
    return running.count().windows() < windows
        && running.since() + running.count().windows() * windowMillis == windowStart;
  }

  private Drawn next(OutputLabel label, Running before, RunningCount.Node completed) {
    RunningCount count = before.count().plus(completed);
    return new Drawn(
        writer.write(
            label, before.since(), count.noisy(), mechanism.noise().halfWidth(count.draws())),
        Optional.of(new Running(before.since(), count).encode()));
  }
}
