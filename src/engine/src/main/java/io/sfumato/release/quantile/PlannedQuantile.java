// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.Planned;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridJudge;
import io.sfumato.pipeline.Pipeline;
import java.util.Optional;

/**
 * Quantiles of all records together.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedQuantile(QuantileSpec spec, Planned<GridMeasurement<QuantileQuery>> plan)
    implements PlannedQuantiles {
  @Override
  public Facts facts(Pipeline pipeline) {
    return QuantileReport.of(pipeline, this).facts();
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new QuantileDrawer(this));
  }

  @Override
  public DrawJudge<ExactVector> judge() {
    return new GridJudge(plan.mechanism());
  }
}
