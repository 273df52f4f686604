// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.accounting.Period;
import io.sfumato.estimate.tables.TablesError;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Hierarchy;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.ReleaseReport;
import io.sfumato.pipeline.ReportText;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;

/** What a plan says of tables. */
final class TableReport implements ReleaseReport {
  private static final String TOTAL = "all";

  private final PlannedTable table;
  private final Period period;
  private final boolean ofUsers;
  private final Tables tables;
  private final GridMeasurement<TableQuery> mechanism;
  private final double[] shares;
  private final TablesError error;
  private final TablesError separate;

  TableReport(Pipeline pipeline, PlannedTable table) {
    this.table = table;
    this.period = pipeline.budget().period();
    this.ofUsers = pipeline.population().isPresent();
    this.mechanism = table.plan().mechanism();
    this.tables = mechanism.query().tables();
    this.shares = mechanism.query().weights().precisions();
    this.error = TablesError.of(mechanism);
    this.separate = TablesError.ofSeparate(mechanism);
  }

  private String name(int of) {
    List<String> fields = table.spec().shape().fieldsOf(tables, of);
    String between = table.spec().shape().columns() instanceof Hierarchy ? " > " : " x ";
    return fields.isEmpty() ? TOTAL : String.join(between, fields);
  }

  @Override
  public void text(StringBuilder text) {
    ReportText.head(text, "table", table);
    ReportText.line(
        text,
        "  method     discrete Gaussian noise on %,d cells of %,d tables for one charge, shared by what errs least; then made to agree",
        tables.cells(),
        tables.tables());
    ReportText.line(
        text, "  cost       %s", ReportText.lasts(period, table.plan().releases(), ofUsers));
    for (int of = 0; of < tables.tables(); of++) {
      ReportText.line(
          text,
          "  %-10s %s: %,d %s, %s of the noise's budget, 95%% within +-%s (as releases of their own +-%s)",
          of == 0 ? "error" : "",
          name(of),
          tables.size(of),
          tables.size(of) == 1 ? "cell" : "cells",
          ReportText.percent(shares[of]),
          ReportText.rounded(error.halfWidth()[of]),
          ReportText.rounded(separate.halfWidth()[of]));
    }
  }

  @Override
  public OptionalDouble countError() {
    return Arrays.stream(error.halfWidth()).max();
  }

  @Override
  public void json(ObjectNode node) {
    TableSpec spec = table.spec();
    node.put("name", spec.name()).put("topic", spec.topic()).put("method", mechanism.method());
    ReportText.share(node, table);
    node.put("mechanism", table.charge().mechanism())
        .put("windows", table.plan().releases())
        .put("deviation", mechanism.deviation())
        .put("cells", tables.cells());
    ArrayNode each = node.putArray("tables");
    for (int of = 0; of < tables.tables(); of++) {
      ObjectNode one = each.addObject();
      table.spec().shape().fieldsOf(tables, of).forEach(one.withArray("columns")::add);
      one.put("cells", tables.size(of))
          .put("share", shares[of])
          .put("rms_error", error.rms()[of])
          .put("error_95", error.halfWidth()[of])
          .put("separate_error_95", separate.halfWidth()[of]);
    }
  }
}
