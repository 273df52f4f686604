// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.console.Visible;
import io.sfumato.pipeline.Card;
import io.sfumato.pipeline.OutputView;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** The total and the tables of single fields in a line, all others as grids below it. */
final class TableView implements OutputView {
  private static final int IN_ROW = 4;
  private static final int ON_CARD = 40;

  @Override
  public Schema schema() {
    return TableRelease.getClassSchema();
  }

  @Override
  public Set<String> drawn() {
    return Set.of("tables");
  }

  @Override
  public int parts(IndexedRecord output) {
    return ((TableRelease) output).getParts();
  }

  /** All tables in one record, as if they were not too long for it. */
  @Override
  public IndexedRecord together(List<IndexedRecord> parts) {
    TableRelease whole = TableRelease.newBuilder((TableRelease) parts.get(0)).build();
    whole.setPart(0);
    whole.setParts(1);
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
    whole.setTables(tables);
    return whole;
  }

  @Override
  public String row(IndexedRecord output) {
    TableRelease release = (TableRelease) output;
    String part =
        release.getParts() == 1
            ? ""
            : "part %d of %d: ".formatted(release.getPart() + 1, release.getParts());
    return part
        + release.getTables().stream()
            .filter(table -> table.getColumns().size() <= 1)
            .map(TableView::line)
            .collect(Collectors.joining("; "))
        + ViewText.leftOut(release.getExampleLeftOut())
        + release.getTables().stream()
            .filter(table -> table.getColumns().size() > 1)
            .flatMap(table -> TableGrid.of(table).stream())
            .map(line -> System.lineSeparator() + line)
            .collect(Collectors.joining());
  }

  /** A card shows the tables of single fields, as far as there is room: the others are not kept. */
  @Override
  public IndexedRecord brief(IndexedRecord whole) {
    TableRelease brief = TableRelease.newBuilder((TableRelease) whole).build();
    List<CountTable> kept = new ArrayList<>();
    int left = ON_CARD;
    for (CountTable table : brief.getTables()) {
      if (table.getColumns().size() == 1) {
        List<CountRow> rows = table.getRows();
        rows = new ArrayList<>(rows.subList(0, Math.min(left, rows.size())));
        left -= rows.size();
        kept.add(new CountTable(table.getColumns(), rows));
      } else if (table.getColumns().isEmpty()) {
        kept.add(table);
      }
    }
    brief.setTables(kept);
    return brief;
  }

  private static String line(CountTable table) {
    if (table.getColumns().isEmpty()) {
      CountRow all = table.getRows().get(0);
      return ViewText.interval(all.getCount(), all.getLow(), all.getHigh()) + " records";
    }
    int rest = table.getRows().size() - IN_ROW;
    return Visible.of(table.getColumns().get(0))
        + table.getRows().stream()
            .limit(IN_ROW)
            .map(
                row ->
                    String.format(
                        Locale.ROOT, " %s %,d", Visible.of(row.getValues().get(0)), row.getCount()))
            .collect(Collectors.joining())
        + (rest > 0 ? " and %,d more".formatted(rest) : "");
  }

  private record Shown(CountTable table, CountRow row) {}

  @Override
  public Card card(IndexedRecord output, PlannedRelease planned) {
    TableRelease release = (TableRelease) output;
    List<Shown> shown =
        release.getTables().stream()
            .filter(table -> table.getColumns().size() == 1)
            .flatMap(table -> table.getRows().stream().map(row -> new Shown(table, row)))
            .limit(ON_CARD)
            .toList();
    double most = shown.stream().mapToLong(one -> one.row().getHigh()).max().orElse(1);
    List<Card.Row> rows = shown.stream().map(one -> bar(one.table(), one.row(), most)).toList();
    return new Card(
        release.getWindowStart(),
        release.getWindowEnd(),
        release.getRecords() == null ? OptionalLong.empty() : OptionalLong.of(release.getRecords()),
        ViewText.optional(release.getExampleLeftOut()),
        rows);
  }

  private static Card.Row bar(CountTable table, CountRow row, double most) {
    double scale = Math.max(1, most);
    return new Card.Row(
        Visible.of(table.getColumns().get(0)) + ": " + Visible.of(row.getValues().get(0)),
        row.getCount(),
        OptionalDouble.of(row.getCount() / scale),
        OptionalDouble.of((row.getHigh() - row.getLow()) / 2 / scale),
        ViewText.interval(row.getCount(), row.getLow(), row.getHigh()));
  }
}
