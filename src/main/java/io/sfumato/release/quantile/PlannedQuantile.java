// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.quantile;

import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.mechanism.quantile.QuantileMechanism;
import io.sfumato.noise.Framing;
import io.sfumato.pipeline.Basis;
import io.sfumato.pipeline.DrawJudge;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.Footprint.Part;
import io.sfumato.pipeline.GridJudge;
import io.sfumato.pipeline.OutputBytes;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ReleaseReport;
import java.util.List;
import java.util.Optional;

/**
 * Quantiles of all records together.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedQuantile(QuantileSpec spec, Planned<QuantileMechanism> plan)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    spec.digest(digest);
  }

  @Override
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "quantiles of " + spec.value(), pipeline.population(), Basis.ROOT, Basis.DISCRETE_NOISE);
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return QuantileReport.of(pipeline, this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    return new QuantileWriter(spec).size(out, pipeline);
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new QuantileDrawer(this));
  }

  @Override
  public DrawJudge<RowCounts> judge() {
    QuantileMechanism mechanism = plan.mechanism();
    return new GridJudge<>(
        counts -> mechanism.rows().root().times(counts), mechanism.rows().sensitivity());
  }
}
