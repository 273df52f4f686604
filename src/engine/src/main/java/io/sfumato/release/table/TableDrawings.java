// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Drawing;
import io.sfumato.pipeline.Drawing.Bar;
import io.sfumato.pipeline.Drawing.Bars;
import io.sfumato.pipeline.Drawing.Cell;
import io.sfumato.pipeline.Drawing.Grid;
import io.sfumato.pipeline.Drawing.Side;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.text.Columns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Tables as the operators' page draws them: pairs of fields as grids, else bars. */
final class TableDrawings {
  /** Most columns of a name: the page cuts it once more, and shows this where one points at it. */
  private static final int NAME = 40;

  private final List<CountTable> tables;

  /** How many cells the plan says that a table has, by its fields. */
  private final Map<List<String>, Integer> sizes = new HashMap<>();

  /**
   * @param tables a release's {@link LargestCells}
   * @param planned the release that published them
   */
  TableDrawings(List<CountTable> tables, TableShape shape, Tables planned) {
    this.tables = tables;
    for (int table = 0; table < planned.tables(); table++) {
      sizes.put(shape.fieldsOf(planned, table), planned.size(table));
    }
  }

  /** Grids first. */
  List<Drawing> all() {
    if (LargestCells.isPath(tables)) {
      return List.of(path());
    }
    List<Drawing> all = new ArrayList<>();
    tables.stream()
        .filter(table -> table.getColumns().size() == 2 && !table.getRows().isEmpty())
        .forEach(table -> all.add(grid(table)));
    tables.stream()
        .filter(table -> table.getColumns().size() == 1)
        .forEach(table -> all.add(bars(table)));
    return all;
  }

  private static String shown(String name) {
    return Columns.cut(Columns.shown(name), NAME);
  }

  private static Cell cell(CountRow row) {
    return new Cell(row.getCount(), row.getLow(), row.getHigh());
  }

  private long more(CountTable table, int shown) {
    return Math.max(0, sizes.getOrDefault(table.getColumns(), 0) - shown);
  }

  private Grid grid(CountTable table) {
    int across = TableGrid.across(table);
    Side columns = side(table, across);
    Side rows = side(table, 1 - across);
    List<Cell> cells = new ArrayList<>();
    if (across == 1) {
      table.getRows().forEach(row -> cells.add(cell(row)));
    } else {
      for (int i = 0; i < rows.values().size(); i++) {
        for (int j = 0; j < columns.values().size(); j++) {
          cells.add(cell(table.getRows().get(j * rows.values().size() + i)));
        }
      }
    }
    long all = tables.get(0).getRows().get(0).getCount();
    long held = table.getRows().stream().mapToLong(CountRow::getCount).sum();
    return new Grid(rows, columns, cells, Math.min(1, held / (double) Math.max(1, all)));
  }

  private Side side(CountTable table, int column) {
    String field = table.getColumns().get(column);
    List<String> values = TableGrid.values(table, column);
    long more = sizes.getOrDefault(List.of(field), 0) - values.size();
    return new Side(
        shown(field), values.stream().map(TableDrawings::shown).toList(), Math.max(0, more));
  }

  private Bars bars(CountTable table) {
    return new Bars(
        shown(table.getColumns().get(0)),
        table.getRows().stream()
            .sorted(LargestCells.LARGEST)
            .map(row -> new Bar(List.of(), shown(row.getValues().get(0)), cell(row)))
            .toList(),
        more(table, table.getRows().size()));
  }

  private Bars path() {
    List<CountTable> levels = tables.subList(1, tables.size());
    Map<List<String>, List<CountRow>> within =
        TableTree.within(
            levels.stream()
                .flatMap(level -> level.getRows().stream().sorted(LargestCells.LARGEST)));
    List<Bar> bars = new ArrayList<>();
    collect(List.of(), within, bars);
    List<String> fields = tables.get(tables.size() - 1).getColumns();
    return new Bars(
        String.join(" > ", fields.stream().map(TableDrawings::shown).toList()),
        bars,
        levels.stream().mapToLong(level -> more(level, level.getRows().size())).sum());
  }

  private static void collect(
      List<String> above, Map<List<String>, List<CountRow>> within, List<Bar> bars) {
    for (CountRow row : within.getOrDefault(above, List.of())) {
      bars.add(
          new Bar(
              above.stream().map(TableDrawings::shown).toList(),
              shown(row.getValues().get(above.size())),
              cell(row)));
      collect(row.getValues(), within, bars);
    }
  }
}
