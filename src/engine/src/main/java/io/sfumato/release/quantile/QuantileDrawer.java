// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.WindowData;

/** Draws the noisy bins of one dataset, and estimates all quantiles from them. */
final class QuantileDrawer implements Drawer {
  private final QuantileSpec spec;
  private final GridMeasurement<QuantileQuery> mechanism;
  private final QuantileEstimates estimates;
  private final double[] quantiles;
  private final QuantileWriter writer;

  QuantileDrawer(PlannedQuantile planned) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.estimates = new QuantileEstimates(mechanism);
    this.quantiles = spec.asked();
    this.writer = new QuantileWriter(spec);
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        mechanism,
        data.map(own -> new ExactVector(own.tally(spec.rule()).dense(spec.bins().number()))),
        (label, drawn) -> writer.write(label, drawn.records(), estimates.told(drawn, quantiles)));
  }
}
