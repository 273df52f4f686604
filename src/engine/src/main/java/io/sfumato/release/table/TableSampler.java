// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.tables.TablesEstimates;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseSampler;
import io.sfumato.pipeline.WindowData;

/** Draws all cells of one dataset's tables, and makes them agree. */
final class TableSampler implements ReleaseSampler {
  private final CellsRule rule;
  private final GridMeasurement<TableQuery> mechanism;
  private final Tables tables;
  private final TablesEstimates estimates;
  private final TableWriter writer;

  TableSampler(PlannedTable planned, Pipeline pipeline) {
    this.rule = planned.spec().rule();
    this.mechanism = planned.plan().mechanism();
    this.tables = mechanism.query().tables();
    this.estimates = new TablesEstimates(mechanism);
    this.writer = new TableWriter(planned.spec().shape(), tables, pipeline.format());
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        Measured.of(
            mechanism, data.map(own -> new ExactVector(own.tally(rule).dense(tables.cells())))),
        this::written);
  }

  private Drawn written(OutputLabel label, NoisyVector drawn) {
    return Drawn.inParts(
        writer.parts(estimates.of(drawn), drawn.records()).stream()
            .<Part>map(part -> part::on)
            .toList());
  }
}
