// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.estimate.Planned;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridJudge;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import java.util.Optional;

/**
 * Quantiles of all records, or of each category's.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedQuantile(QuantileSpec spec, Planned<GridMeasurement<QuantileQuery>> plan)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    spec.digest(digest);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new QuantileReport(pipeline, this).facts();
  }

  @Override
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "quantiles of " + spec.value() + (spec.isByCategory() ? " in each category" : ""),
        pipeline.population(),
        Basis.ROOT,
        Basis.DISCRETE_NOISE);
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    return new QuantileWriter(spec).caps(pipeline);
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new QuantileDrawer(this));
  }

  /** All rows of all categories: a record may leave those of one for those of another. */
  @Override
  public DrawJudge<ExactVector> judge() {
    return new GridJudge(plan.mechanism());
  }
}
