// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.console.Columns;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** Tables of two fields as a grid that fits a terminal of 80 columns; deeper levels as a list. */
final class TableGrid {
  /** So many rows and columns of a table are shown. */
  private static final int ROWS = 10;

  private static final int ACROSS = 6;

  private static final String INDENT = "    ";
  private static final int FIRST = 20;
  private static final int CELL = 8;

  private TableGrid() {}

  /** Its lines. */
  static List<String> of(CountTable table) {
    return table.getColumns().size() == 2 && isGrid(table) ? grid(table) : list(table);
  }

  /** Whether every value of the first field stands with the same ones of the second, in order. */
  private static boolean isGrid(CountTable table) {
    List<String> across = values(table, 1);
    List<CountRow> rows = table.getRows();
    return rows.size() == (long) values(table, 0).size() * across.size()
        && IntStream.range(0, rows.size())
            .allMatch(i -> rows.get(i).getValues().get(1).equals(across.get(i % across.size())));
  }

  private static List<String> values(CountTable table, int column) {
    return table.getRows().stream().map(row -> row.getValues().get(column)).distinct().toList();
  }

  private static List<String> grid(CountTable table) {
    List<String> across = values(table, 1);
    int down = values(table, 0).size();
    int shown = Math.min(ACROSS, across.size());
    List<String> lines = new ArrayList<>();
    StringBuilder head =
        new StringBuilder(first(table.getColumns().get(0) + " \\ " + table.getColumns().get(1)));
    across.stream().limit(shown).forEach(value -> head.append(' ').append(left(value)));
    lines.add(head + more(across.size() - shown));
    for (int row = 0; row < Math.min(ROWS, down); row++) {
      StringBuilder line = new StringBuilder();
      for (int column = 0; column < shown; column++) {
        CountRow cell = table.getRows().get(row * across.size() + column);
        line.append(column == 0 ? first(cell.getValues().get(0)) : "")
            .append(String.format(Locale.ROOT, " %," + CELL + "d", cell.getCount()));
      }
      lines.add(line.toString());
    }
    rest(down, lines);
    return lines;
  }

  private static List<String> list(CountTable table) {
    List<String> lines = new ArrayList<>();
    lines.add(first(String.join(" > ", table.getColumns())));
    for (CountRow row : table.getRows().subList(0, Math.min(ROWS, table.getRows().size()))) {
      lines.add(
          Columns.padded(
                  INDENT
                      + Columns.cut(Columns.shown(String.join(" > ", row.getValues())), 2 * FIRST),
                  INDENT.length() + 2 * FIRST)
              + String.format(Locale.ROOT, " %," + CELL + "d", row.getCount()));
    }
    rest(table.getRows().size(), lines);
    return lines;
  }

  private static void rest(int rows, List<String> lines) {
    if (rows > ROWS) {
      lines.add(INDENT + more(rows - ROWS).strip());
    }
  }

  private static String more(int left) {
    return left > 0 ? String.format(Locale.ROOT, " and %,d more", left) : "";
  }

  private static String first(String value) {
    return Columns.padded(
        INDENT + Columns.cut(Columns.shown(value), FIRST), INDENT.length() + FIRST);
  }

  private static String left(String value) {
    String cut = Columns.cut(Columns.shown(value), CELL);
    return " ".repeat(Math.max(0, CELL - Columns.of(cut))) + cut;
  }
}
