// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.estimate.tables.TablesError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Hierarchy;
import io.sfumato.pipeline.Pipeline;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** What a plan says of tables. */
final class TableReport {
  private static final String TOTAL = "all";

  private final Pipeline pipeline;
  private final PlannedTable table;
  private final Tables tables;
  private final GridMeasurement<TableQuery> mechanism;
  private final TablesError error;
  private final TablesError separate;

  TableReport(Pipeline pipeline, PlannedTable table) {
    this.pipeline = pipeline;
    this.table = table;
    this.mechanism = table.plan().mechanism();
    this.tables = mechanism.query().tables();
    this.error = TablesError.of(mechanism);
    this.separate = TablesError.ofSeparate(mechanism);
  }

  Facts facts() {
    return Facts.of("table", table.spec())
        .row("method")
        .words("", "method", mechanism.method())
        .say(
            "discrete noise on the cells of %,d tables for one charge, weighted for the least error; then the tables are made consistent",
            tables.tables())
        .share(table)
        .mechanism(table)
        .lasts(pipeline, table)
        .row("noise")
        .number("standard deviation", "deviation", mechanism.deviation(), "records at full weight")
        .number("", "cells", tables.cells(), "cells in all")
        .row("error")
        .table("tables", IntStream.range(0, tables.tables()).mapToObj(this::one).toList())
        .countError("numbers of records", Arrays.stream(error.halfWidth()).max().orElseThrow());
  }

  private Facts one(int of) {
    List<String> fields = table.spec().shape().fieldsOf(tables, of);
    String between = table.spec().shape().columns() instanceof Hierarchy ? " > " : " x ";
    return Facts.of()
        .say("%s", fields.isEmpty() ? TOTAL : String.join(between, fields))
        .forPrograms()
        .many("", "columns", fields)
        .row("error")
        .number("", "cells", tables.size(of), "cells")
        .percent("weight", "share", mechanism.query().weights().precisions()[of])
        .number("root mean square error", "rms_error", error.rms()[of])
        .bar("95% within", "error_95", error.halfWidth()[of], "")
        .bar("as a release of its own", "separate_error_95", separate.halfWidth()[of], "");
  }
}
