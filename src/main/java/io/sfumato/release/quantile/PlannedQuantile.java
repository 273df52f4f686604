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
 * Quantiles.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedQuantile(QuantileSpec spec, Planned<QuantileMechanism> plan)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest.text("quantile").text(spec.rule().canonical());
    spec.quantiles().forEach(q -> digest.number(Double.doubleToLongBits(q)));
  }

  @Override
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "quantiles of " + spec.value(), pipeline.population(), Basis.ROOT, Basis.DISCRETE_NOISE);
  }

  @Override
  public ReleaseReport report(Pipeline pipeline) {
    return new QuantileReport(pipeline, this);
  }

  @Override
  public List<Part> size(OutputBytes out, Pipeline pipeline) {
    out.text("value", spec.value())
        .decimal("lowest")
        .decimal("highest")
        .whole("bins")
        .text("scale", Scales.word(spec.bins().scale()))
        .whole("records")
        .nested("count")
        .decimal("value")
        .decimal("low")
        .decimal("high")
        .list("quantiles")
        .decimal("example_left_out");
    // In JSON with names: of, at {value, low, high}, clipped.
    long each =
        4 * out.ofDecimal()
            + Long.BYTES
            + out.ofFields("of", "at", "value", "low", "high", "clipped");
    int count = spec.quantiles().size();
    return List.of(Part.of("of", count, count * each));
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
