// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.quantile.CategoryEstimates;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.quantile.CategoryCounts;
import io.sfumato.mechanism.quantile.CategoryQuantiles;
import io.sfumato.mechanism.quantile.NoisyCategories;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.WindowData;
import io.sfumato.schema.QuantileRelease;

/** Draws the noisy bins of one dataset's categories, and estimates all quantiles from them. */
final class CategoryQuantileDrawer implements Drawer {
  private final QuantileSpec spec;
  private final CategoryQuantiles mechanism;
  private final CategoryEstimates estimates;
  private final double[] quantiles;
  private final QuantileWriter writer;

  CategoryQuantileDrawer(PlannedCategoryQuantiles planned) {
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
        data.map(
            own ->
                CategoryCounts.of(
                    own.tally(spec.rule()).dense(spec.rule().places()), spec.bins().number())),
        this::written);
  }

  private QuantileRelease written(OutputLabel label, NoisyCategories drawn) {
    QuantileRelease release = writer.write(label, drawn.records(), estimates.all(drawn, quantiles));
    release.setCategories(writer.categories(label, estimates.each(drawn, quantiles)));
    return release;
  }
}
