// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.pipeline.Draw;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;

/** Draws a window's counts. */
final class CountDrawer implements Drawer {
  private final CountMechanism mechanism;
  private final CountWriter writer;

  CountDrawer(PlannedCounts planned) {
    this.mechanism = planned.plan().mechanism();
    this.writer = new CountWriter(planned.spec());
  }

  @Override
  public Draws of(WindowData data, Optional<byte[]> memory) {
    return new OneDraw(writer.exact(data));
  }

  private final class OneDraw implements Draws {
    private final Counts exact;

    OneDraw(Counts exact) {
      this.exact = exact;
    }

    @Override
    public Draw exact(ReleaseId id) {
      return new CountDraw(id, mechanism, exact);
    }

    @Override
    public void frame(ReleaseId id, Framing input) {
      mechanism.frame(exact, input);
    }

    @Override
    public Drawn draw(OutputLabel label, ReplayableRandom random) {
      Counts noisy = mechanism.release(exact, random);
      return new Drawn(
          writer.write(label, label.id().windowStart(), noisy, mechanism.noise().halfWidth(1)));
    }
  }
}
