// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mean;

import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.moments.MomentMechanism;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.mechanism.moments.MomentSums;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.WindowData;

/** Draws the noisy parts of one dataset, whose bounds the file says. */
final class MeanDrawer implements Drawer {
  private final MeanSpec spec;
  private final MomentMechanism mechanism;
  private final MeanWriter writer;

  MeanDrawer(PlannedMean planned) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.writer = MeanWriter.of(spec);
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    MomentShape shape = spec.shape();
    return Prepared.of(
        mechanism,
        data.map(own -> new MomentSums(shape, own.tally(spec.rule()).dense(shape.size()))),
        (label, drawn) -> writer.write(label, mechanism, drawn));
  }
}
