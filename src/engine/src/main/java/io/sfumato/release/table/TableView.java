// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.rows.Column;
import io.sfumato.rows.Column.Style;
import io.sfumato.rows.Group;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.OutputRows;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.Reading;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Counts by several fields of the records. */
final class TableView implements OutputView {
  private static final String COUNT = "count";

  @Override
  public Schema schema() {
    return TableRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("tables");
  }

  /** Of all tables of the pipeline: they have one schema. */
  @Override
  public List<String> categoryFields(Pipeline pipeline) {
    return pipeline.releases().stream()
        .filter(TableSpec.class::isInstance)
        .map(release -> ((TableSpec) release).shape())
        .flatMap(shape -> shape.chosen().stream().map(shape.columns().fields()::get))
        .distinct()
        .toList();
  }

  @Override
  public int parts(IndexedRecord output) {
    return ((TableRelease) output).getParts();
  }

  @Override
  public int part(IndexedRecord output) {
    return ((TableRelease) output).getPart();
  }

  /** All tables in one record, as if they were not too long for it. */
  @Override
  public IndexedRecord together(List<IndexedRecord> parts) {
    List<CountTable> tables = new ArrayList<>();
    for (IndexedRecord part : parts) {
      for (CountTable table : ((TableRelease) part).getTables()) {
        CountTable last = tables.isEmpty() ? null : tables.get(tables.size() - 1);
        if (last != null && last.getColumns().equals(table.getColumns())) {
          last.getRows().addAll(table.getRows());
        } else {
          tables.add(new CountTable(table.getColumns(), new ArrayList<>(table.getRows())));
        }
      }
    }
    TableRelease whole = with((TableRelease) parts.get(0), tables);
    whole.setPart(0);
    whole.setParts(1);
    return whole;
  }

  /** The same with other tables; Avro's own copy would copy all cells. */
  private static TableRelease with(TableRelease release, List<CountTable> tables) {
    TableRelease copy = new TableRelease();
    for (Schema.Field field : TableRelease.getClassSchema().getFields()) {
      copy.put(field.pos(), release.get(field.pos()));
    }
    copy.setTables(tables);
    return copy;
  }

  @Override
  public List<OutputRow> rows(IndexedRecord output, Optional<PlannedRelease> planned) {
    TableRelease release = (TableRelease) output;
    OutputRows rows =
        OutputRows.of(output).sharing(NoiseScope.WINDOW).records(release.getRecords());
    if (release.getParts() > 1) {
      rows.fact(Reading.PART, Quantity.of((long) release.getPart()))
          .fact("parts", Quantity.of((long) release.getParts()));
    }
    for (CountTable table : release.getTables()) {
      for (CountRow row : table.getRows()) {
        rows.drawn(new Group(table.getColumns(), row.getValues()), COUNT, count(row));
      }
    }
    return rows.all();
  }

  private static Quantity count(CountRow row) {
    Quantity count = Quantity.between(row.getCount(), row.getLow(), row.getHigh());
    return row.getClamped() ? count.asClamped() : count;
  }

  @Override
  public Reading reading(IndexedRecord output) {
    TableRelease release = (TableRelease) output;
    return Reading.of(Column.of(COUNT, Reading.RECORDS, Style.INTERVAL).worded("%s records"))
        .saying(
            release.getParts() == 1
                ? ""
                : "part %d of %d:".formatted(release.getPart() + 1, release.getParts()),
            "")
        .withCommonBound();
  }
}
