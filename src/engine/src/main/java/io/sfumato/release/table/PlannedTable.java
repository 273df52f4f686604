// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.Planned;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
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
 * Tables.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedTable(TableSpec spec, Planned<GridMeasurement<TableQuery>> plan)
    implements PlannedRelease {
  @Override
  public void digest(Framing digest) {
    digest.text("table").text(spec.shape().canonical());
  }

  @Override
  public Basis basis(Pipeline pipeline) {
    return Basis.of(
        "tables of the records' fields that agree with each other",
        pipeline.population(),
        new Basis.Source(
            "Theorem O: all tables for one charge", "our own proof", "tables-that-agree"),
        Basis.DISCRETE_NOISE);
  }

  @Override
  public Facts facts(Pipeline pipeline) {
    return new TableReport(pipeline, this).facts();
  }

  @Override
  public Caps caps(Pipeline pipeline) {
    long part =
        new TableWriter(spec.shape(), plan.mechanism().query().tables(), pipeline.format())
            .partBytes();
    return new Caps()
        .setting("input.categories", 1, "shorten the longest names")
        .bytes("tables", part);
  }

  @Override
  public Optional<Drawer> drawer(Pipeline pipeline) {
    return Optional.of(new TableDrawer(this, pipeline));
  }

  @Override
  public DrawJudge<ExactVector> judge() {
    return new GridJudge(plan.mechanism());
  }
}
