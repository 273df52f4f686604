// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Measured;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.CountTree;
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
final class TreeDrawer implements Drawer {
  private final CountMechanism mechanism;
  private final int windows;
  private final long windowMillis;
  private final String told;
  private final CountWriter writer;

  TreeDrawer(PlannedCount planned, CountTree tree, long windowMillis) {
    this.mechanism = planned.plan().mechanism();
    this.windows = tree.windows();
    this.windowMillis = windowMillis;
    this.told = planned.spec().told();
    this.writer = new CountWriter(planned.spec());
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared<?> prepare(long windowStart, WindowData data, Optional<byte[]> memory) {
    TreeState before =
        memory
            .flatMap(TreeState::decode)
            .filter(running -> continues(running, windowStart))
            .orElseGet(() -> new TreeState(windowStart, told, RunningCount.START));
    Counts window = writer.exact(data);
    Counts node = before.count().completedBy(window);
    return new Prepared<>(
        Measured.of(
            mechanism,
            node,
            id -> new NodeDraw(id, mechanism, node, before.since(), before.count().windows() + 1)),
        (label, noisy) -> next(label, before, new RunningCount.Node(node, noisy)));
  }

  private boolean continues(TreeState running, long windowStart) {
    return running.told().equals(told)
        && running.count().windows() < windows
        && running.since() + running.count().windows() * windowMillis == windowStart;
  }

  private Drawn next(OutputLabel label, TreeState before, RunningCount.Node completed) {
    RunningCount count = before.count().plus(completed);
    return new Drawn(
        writer.write(
            label,
            new CountWriter.Told(
                before.since(),
                count.windows(),
                count.noisy().values(),
                mechanism.noise().halfWidth(count.draws()))),
        Optional.of(new TreeState(before.since(), told, count).encode()));
  }
}
