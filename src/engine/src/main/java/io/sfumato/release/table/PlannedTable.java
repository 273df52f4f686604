// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.Calibrated;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.pipeline.Caps;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.GridLossChecker;
import io.sfumato.pipeline.LossChecker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.PrivacyRationale;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.random.CanonicalEncoder;
import java.util.Optional;

/**
 * Tables.
 *
 * @param spec of the file
 * @param plan whose share counts windows
 */
public record PlannedTable(TableSpec spec, Calibrated<GridMeasurement<TableQuery>> plan)
    implements PlannedRelease {
  @Override
  public void digest(CanonicalEncoder digest) {
    digest.text("table").text(spec.shape().canonical());
  }

  @Override
  public PrivacyRationale rationale(Pipeline pipeline) {
    return PrivacyRationale.of(
        "tables of the records' fields that agree with each other",
        pipeline.population(),
        new PrivacyRationale.Source(
            "Theorem O: all tables for one charge",
            "our own proof",
            "theory/tables.md#theorem-o-consistent-tables"),
        PrivacyRationale.DISCRETE_NOISE);
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
  public Optional<ReleaseSampler> sampler(Pipeline pipeline) {
    return Optional.of(new TableSampler(this, pipeline));
  }

  @Override
  public LossChecker<ExactVector> lossChecker() {
    return new GridLossChecker(plan.mechanism());
  }
}
