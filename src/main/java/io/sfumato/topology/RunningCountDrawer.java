// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReleaseId;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedCounts;
import io.sfumato.topology.DatasetStore.Dataset;
import io.sfumato.topology.RunningStore.Running;

/**
 * Draws counts that run over windows: each window completes one node of the tree, which is the only
 * thing that is drawn then. A subject begins anew when the tree is full, and behind a window of
 * which nothing was drawn.
 */
final class RunningCountDrawer implements Drawer {
  private final Pipeline pipeline;
  private final CountMechanism mechanism;
  private final int windows;
  private final RunningStore store;
  private final Publisher publisher;
  private final CountWriter writer;

  RunningCountDrawer(
      Pipeline pipeline, PlannedCounts planned, RunningStore store, Publisher publisher) {
    this.pipeline = pipeline;
    this.mechanism = planned.plan().mechanism();
    this.windows = planned.spec().running().orElseThrow().windows();
    this.store = store;
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

  private byte[] draw(Counts window, ReleaseId id) {
    Running before =
        store
            .get(id.subject())
            .filter(running -> goesOn(running, id.windowStart()))
            .orElseGet(() -> new Running(id.windowStart(), RunningCount.START));
    Counts exact = before.count().completedBy(window);
    Framing input = new Framing();
    mechanism.frame(exact, input);
    publisher.tell(
        new Draw.OfNode(id, mechanism, exact, before.since(), before.count().windows() + 1));
    Counts noisy = mechanism.release(exact, publisher.randomness(id, input));
    RunningCount count = before.count().plus(new RunningCount.Node(exact, noisy));
    store.put(id.subject(), new Running(before.since(), count));
    return writer.write(
        id, before.since(), count.noisy(), mechanism.noise().halfWidth(count.draws()));
  }

  private boolean goesOn(Running running, long windowStart) {
    long size = pipeline.window().size().toMillis();
    return running.count().windows() < windows
        && running.since() + running.count().windows() * size == windowStart;
  }
}
