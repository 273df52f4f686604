// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Draw;
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

  RunningCountDrawer(PlannedCounts planned, long windowMillis) {
    this.mechanism = planned.plan().mechanism();
    this.windows = planned.spec().windowsTold();
    this.windowMillis = windowMillis;
    this.writer = new CountWriter(planned.spec());
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Draws of(WindowData data, Optional<byte[]> memory) {
    return new NextNode(writer.exact(data), memory.map(Running::decode));
  }

  private final class NextNode implements Draws {
    private final Counts window;
    private final Optional<Running> last;

    NextNode(Counts window, Optional<Running> last) {
      this.window = window;
      this.last = last;
    }

    private Running before(ReleaseId id) {
      return last.filter(running -> goesOn(running, id.windowStart()))
          .orElseGet(() -> new Running(id.windowStart(), RunningCount.START));
    }

    private Counts exact(Running before) {
      return before.count().completedBy(window);
    }

    @Override
    public Draw exact(ReleaseId id) {
      Running before = before(id);
      return new NodeDraw(
          id, mechanism, exact(before), before.since(), before.count().windows() + 1);
    }

    @Override
    public void frame(ReleaseId id, Framing input) {
      mechanism.frame(exact(before(id)), input);
    }

    @Override
    public Drawn draw(OutputLabel label, ReplayableRandom random) {
      Running before = before(label.id());
      Counts exact = exact(before);
      Counts noisy = mechanism.release(exact, random);
      RunningCount count = before.count().plus(new RunningCount.Node(exact, noisy));
      return new Drawn(
          writer.write(
              label, before.since(), count.noisy(), mechanism.noise().halfWidth(count.draws())),
          Optional.of(new Running(before.since(), count).encode()));
    }
  }

  private boolean goesOn(Running running, long windowStart) {
    return running.count().windows() < windows
        && running.since() + running.count().windows() * windowMillis == windowStart;
  }
}
