// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.quantile.CategoryEstimates;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.QuantileRelease;

/** Draws the noisy bins of one dataset's categories, and estimates all quantiles from them. */
final class QuantileSampler implements ReleaseSampler {
  private final QuantileSpec spec;
  private final GridMeasurement<QuantileQuery> mechanism;
  private final CategoryEstimates estimates;
  private final double[] quantiles;
  private final QuantileWriter writer;

  QuantileSampler(PlannedQuantile planned) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.estimates = new CategoryEstimates(mechanism);
    this.quantiles = spec.asked();
    this.writer = new QuantileWriter(spec);
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        mechanism,
        data.map(own -> new ExactVector(own.tally(spec.rule()).dense(spec.rule().places()))),
        this::written);
  }

  private QuantileRelease written(OutputLabel label, NoisyVector drawn) {
    QuantileRelease release = writer.write(label, drawn.records(), estimates.all(drawn, quantiles));
    if (spec.isByCategory()) {
      release.setCategories(writer.categories(label, estimates.each(drawn, quantiles)));
    }
    return release;
  }
}
