// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Drawing.Bar;
import io.sfumato.rows.Drawing.Bars;
import io.sfumato.rows.Drawing.Grid;
import io.sfumato.rows.Drawing.Side;
import io.sfumato.rows.RowTable.Cell;
import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Tables as the operators' page draws them: pairs of fields as grids, else bars. */
final class TableDrawings {
  /** Most columns of a name: the page cuts it once more, and shows this where one points at it. */
  private static final int NAME = 40;

  private final List<RowTable> all;
  private final List<RowTable> tables;

  /**
   * @param all of an output, of which the {@link LargestCells} are drawn
   */
  TableDrawings(List<RowTable> all) {
    this.all = all;
    this.tables = LargestCells.of(all);
  }

  /** Grids first. */
  List<Drawing> drawn() {
    if (RowTable.arePath(tables)) {
      return List.of(path());
    }
    List<Drawing> drawings = new ArrayList<>();
    for (int i = 0; i < tables.size(); i++) {
      if (tables.get(i).fields().size() == 2) {
        drawings.add(grid(tables.get(i), all.get(i)));
      }
    }
    for (int i = 0; i < tables.size(); i++) {
      if (tables.get(i).fields().size() == 1) {
        drawings.add(bars(tables.get(i), all.get(i)));
      }
    }
    return drawings;
  }

  private static String shown(String name) {
    return TerminalColumns.cut(TerminalColumns.shown(name), NAME);
  }

  private static Drawing.Cell cell(Cell cell) {
    return new Drawing.Cell(cell.count(), cell.low(), cell.high());
  }

  private Grid grid(RowTable table, RowTable whole) {
    int across = table.across();
    Side columns = side(table, whole, across);
    Side rows = side(table, whole, 1 - across);
    List<Drawing.Cell> cells = new ArrayList<>();
    if (across == 1) {
      table.cells().forEach(each -> cells.add(cell(each)));
    } else {
      for (int i = 0; i < rows.values().size(); i++) {
        for (int j = 0; j < columns.values().size(); j++) {
          cells.add(cell(table.cells().get(j * rows.values().size() + i)));
        }
      }
    }
    long total = all.get(0).cells().get(0).count();
    long held = table.cells().stream().mapToLong(Cell::count).sum();
    return new Grid(rows, columns, cells, Math.min(1, held / (double) Math.max(1, total)));
  }

  private static Side side(RowTable table, RowTable whole, int column) {
    List<String> values = table.values(column);
    return new Side(
        shown(table.fields().get(column)),
        values.stream().map(TableDrawings::shown).toList(),
        whole.values(column).size() - values.size());
  }

  private static Bars bars(RowTable table, RowTable whole) {
    return new Bars(
        shown(table.fields().get(0)),
        table.cells().stream()
            .sorted(RowTable.LARGEST)
            .map(row -> new Bar(List.of(), shown(row.values().get(0)), cell(row)))
            .toList(),
        whole.cells().size() - table.cells().size());
  }

  private Bars path() {
    List<RowTable> levels = tables.subList(1, tables.size());
    Map<List<String>, List<Cell>> within =
        TableTree.within(
            levels.stream().flatMap(level -> level.cells().stream().sorted(RowTable.LARGEST)));
    List<Bar> bars = new ArrayList<>();
    collect(List.of(), within, bars);
    List<String> fields = tables.get(tables.size() - 1).fields();
    return new Bars(
        String.join(" > ", fields.stream().map(TableDrawings::shown).toList()),
        bars,
        cells(all) - cells(tables));
  }

  private static long cells(List<RowTable> tables) {
    return tables.stream().mapToLong(table -> table.cells().size()).sum();
  }

  private static void collect(
      List<String> above, Map<List<String>, List<Cell>> within, List<Bar> bars) {
    for (Cell row : within.getOrDefault(above, List.of())) {
      bars.add(
          new Bar(
              above.stream().map(TableDrawings::shown).toList(),
              shown(row.values().get(above.size())),
              cell(row)));
      collect(row.values(), within, bars);
    }
  }
}
