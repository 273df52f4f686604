// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.mechanism.quantile.NoisyBins;
import io.sfumato.mechanism.quantile.QuantileEstimate;
import io.sfumato.mechanism.quantile.QuantileEstimate.Place;
import io.sfumato.mechanism.quantile.QuantileEstimates;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.Estimate;
import io.sfumato.schema.Quantile;
import io.sfumato.schema.QuantileRelease;
import java.util.Optional;
import java.util.OptionalLong;

/** Draws the noisy bins of one dataset, and estimates all quantiles from them. */
final class QuantileDrawer implements Drawer {
  private final QuantileSpec spec;
  private final QuantileMechanism mechanism;
  private final QuantileEstimates estimates;
  private final double[] quantiles;

  QuantileDrawer(PlannedQuantile planned) {
    this.spec = planned.spec();
    this.mechanism = planned.plan().mechanism();
    this.estimates = new QuantileEstimates(mechanism);
    this.quantiles = spec.quantiles().stream().mapToDouble(Double::doubleValue).toArray();
  }

  @Override
  public Prepared<?> prepare(long windowStart, WindowData data, Optional<byte[]> memory) {
    return Prepared.of(
        mechanism,
        new RowCounts(data.tally(spec.rule()).dense(spec.bins().number())),
        (label, drawn) -> write(label, drawn));
  }

  private QuantileRelease write(OutputLabel label, NoisyBins drawn) {
    QuantileRelease release = label.on(new QuantileRelease());
    release.setValue(spec.value());
    release.setLowest(spec.bins().edge(0));
    release.setHighest(spec.bins().edge(spec.bins().number()));
    release.setBins(spec.bins().number());
    release.setScale(Scales.word(spec.bins().scale()));
    OptionalLong records = drawn.records();
    release.setRecords(records.isPresent() ? (Long) records.getAsLong() : null);
    QuantileEstimates.Told told = estimates.told(drawn, quantiles);
    release.setCount(written(told.count()));
    release.setQuantiles(told.quantiles().stream().map(QuantileDrawer::written).toList());
    release.setExampleLeftOut(label.exampleLeftOut());
    return release;
  }

  private static Estimate written(io.sfumato.mechanism.Estimate estimate) {
    return new Estimate(estimate.value(), estimate.low(), estimate.high());
  }

  private static Quantile written(QuantileEstimate estimate) {
    return new Quantile(
        estimate.q(),
        new Estimate(estimate.value(), estimate.low(), estimate.high()),
        estimate.place() != Place.BETWEEN);
  }
}
