// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.count;

import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.gate.TreeMemory;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import java.util.Optional;

/**
 * Draws counts that run over windows: each window completes one node of the tree, which is the only
 * thing that is drawn then. A subject begins anew when the tree is full, and after a window of
 * which nothing was drawn.
 */
final class TreeSampler implements ReleaseSampler {
  private final CountMeasurement<CountQuery> mechanism;
  private final TreeMemory.Sequence sequence;
  private final CountWriter writer;

  TreeSampler(PlannedCount planned, CountTree tree, Pipeline pipeline) {
    this.mechanism = planned.plan().mechanism();
    this.sequence =
        new TreeMemory.Sequence(
            planned.told(pipeline),
            CountWriter.groups(planned.spec(), pipeline),
            tree.windows(),
            pipeline.window().grid());
    this.writer = new CountWriter(planned.spec());
  }

  @Override
  public boolean remembers() {
    return true;
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    TreeMemory before = sequence.goingOn(memory, windowStart);
    Secret<ExactVector> node = before.completedBy(writer.exact(data));
    return Prepared.of(
        Measured.of(
            mechanism,
            node,
            (id, exact) ->
                new NodeDraw(id, mechanism, exact, before.since(), before.windows() + 1)),
        (label, noisy) -> next(label, before.plus(node, noisy)));
  }

  private Drawn next(OutputLabel label, TreeMemory now) {
    return new Drawn(
        writer.write(
            label,
            new CountWriter.Told(
                now.since(),
                now.windows(),
                now.noisy().values(),
                mechanism.noise().halfWidth(now.draws()))),
        Optional.of(now.memory()));
  }
}
