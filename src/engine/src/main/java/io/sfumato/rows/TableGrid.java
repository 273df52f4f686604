// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.RowTable.Cell;
import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A table of two fields as a grid of text: one field down, the other across. */
final class TableGrid {
  /** So many rows and columns are shown where they have to fit a terminal. */
  private static final int ROWS = 10;

  private static final int ACROSS = 6;

  /** Most letters of a name beside a row on a terminal. */
  private static final int FIRST = 24;

  /** So many letters of a name over a column, even if fewer columns have room then. */
  private static final int HEAD = 12;

  private final RowTable table;
  private final TextLength length;
  private final List<String> down;
  private final List<String> across;

  private TableGrid(RowTable table, TextLength length) {
    this.table = table;
    this.length = length;
    this.down = table.values(0);
    this.across = table.values(1);
  }

  /** Its lines. */
  static List<String> lines(RowTable table, TextLength length) {
    return new TableGrid(table, length).lines();
  }

  /** A count as it stands in a column. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private Cell cell(int row, int column) {
    return table.cells().get(row * across.size() + column);
  }

  private List<String> lines() {
    int rows = Math.min(length == TextLength.WHOLE ? down.size() : ROWS, down.size());
    List<String> first = new ArrayList<>();
    first.add(cut(table.fields().get(0) + " \\ " + table.fields().get(1), FIRST));
    down.stream().limit(rows).forEach(value -> first.add(cut(value, FIRST)));
    int width = first.stream().mapToInt(TerminalColumns::of).max().orElseThrow();
    int room = Flow.TERMINAL - Flow.INDENT.length() - width;
    int most = Math.max(HEAD, room / Math.min(ACROSS, across.size()) - 2);
    GridText grid = new GridText(first, length);
    int shown = 0;
    while (shown < (length == TextLength.WHOLE ? across.size() : Math.min(ACROSS, across.size()))) {
      List<String> column = new ArrayList<>(List.of(cut(across.get(shown), most)));
      for (int row = 0; row < rows; row++) {
        column.add(count(cell(row, shown).count()));
      }
      List<String> aligned = GridText.rightAligned(column);
      if (shown > 0 && !grid.hasRoom(aligned)) {
        break;
      }
      grid.add(aligned);
      shown++;
    }
    List<String> lines = new ArrayList<>(grid.lines());
    lines.addAll(rest(rows, shown));
    return lines;
  }

  private String cut(String name, int most) {
    String shown = TerminalColumns.shown(name);
    return length == TextLength.WHOLE ? shown : TerminalColumns.cut(shown, most);
  }

  private List<String> rest(int rows, int shown) {
    List<String> rest = new ArrayList<>();
    if (down.size() > rows) {
      rest.add("%,d more rows".formatted(down.size() - rows));
    }
    if (across.size() > shown) {
      rest.add("%,d more columns".formatted(across.size() - shown));
    }
    return rest.isEmpty() ? List.of() : List.of(Flow.INDENT + "and " + String.join(", ", rest));
  }
}
