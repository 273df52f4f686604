// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.tables.TablesEstimates;
import io.sfumato.gate.Measured;
import io.sfumato.gate.Memory;
import io.sfumato.gate.Secret;
import io.sfumato.mechanism.tables.NoisyTables;
import io.sfumato.mechanism.tables.TableCounts;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.mechanism.tables.TablesMechanism;
import io.sfumato.pipeline.Drawer;
import io.sfumato.pipeline.OutputLabel;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.WindowData;

/** Draws all cells of one dataset's tables, and makes them agree. */
final class TableDrawer implements Drawer {
  private final CellsRule rule;
  private final TablesMechanism mechanism;
  private final Tables tables;
  private final TablesEstimates estimates;
  private final TableWriter writer;

  TableDrawer(PlannedTable planned, Pipeline pipeline) {
    this.rule = planned.spec().rule();
    this.mechanism = planned.plan().mechanism();
    this.tables = mechanism.tables();
    this.estimates = new TablesEstimates(mechanism);
    this.writer = new TableWriter(planned.spec().shape(), tables, pipeline.format());
  }

  @Override
  public Prepared prepare(long windowStart, Secret<? extends WindowData> data, Memory memory) {
    return Prepared.of(
        Measured.of(
            mechanism,
            data.map(own -> new TableCounts(tables, own.tally(rule).dense(tables.cells())))),
        this::written);
  }

  private Drawn written(OutputLabel label, NoisyTables drawn) {
    return Drawn.inParts(
        writer.parts(estimates.of(drawn), drawn.records()).stream()
            .<Part>map(part -> part::on)
            .toList());
  }
}
