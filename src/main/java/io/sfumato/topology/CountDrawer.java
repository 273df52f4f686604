// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedCounts;
import io.sfumato.topology.DatasetStore.Dataset;

/** Draws a window's counts. */
final class CountDrawer implements Drawer {
  private final CountMechanism mechanism;
  private final Publisher publisher;
  private final CountWriter writer;

  CountDrawer(Pipeline pipeline, PlannedCounts planned, Publisher publisher) {
    this.mechanism = planned.plan().mechanism();
    this.publisher = publisher;
    this.writer = new CountWriter(pipeline, planned, publisher);
  }

  @Override
  public int draws() {
    return 1;
  }

  @Override
  public Draws of(Dataset dataset) {
    return id -> draw(writer.exact(dataset), id);
  }

  private byte[] draw(Counts exact, ReleaseId id) {
    Framing input = new Framing();
    mechanism.frame(exact, input);
    publisher.tell(new Draw.OfCounts(id, mechanism, exact));
    Counts noisy = mechanism.release(exact, publisher.randomness(id, input));
    return writer.write(id, id.windowStart(), noisy, mechanism.noise().halfWidth(1));
  }
}
