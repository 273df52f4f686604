// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

/** A table of two fields as a grid of text: one field down, the other across. */
final class TableGrid {
  /** So many rows and columns are shown where they have to fit a terminal. */
  private static final int ROWS = 10;

  private static final int ACROSS = 6;

  /** Most letters of a name beside a row on a terminal. */
  private static final int FIRST = 24;

  /** So many letters of a name over a column, even if fewer columns have room then. */
  private static final int HEAD = 12;

  static final int TERMINAL = 80;
  static final String INDENT = "    ";

  private final CountTable table;
  private final Extent extent;
  private final List<String> down;
  private final List<String> across;

  private TableGrid(CountTable table, Extent extent) {
    this.table = table;
    this.extent = extent;
    this.down = values(table, 0);
    this.across = values(table, 1);
  }

  /** Its lines. */
  static List<String> lines(CountTable table, Extent extent) {
    return new TableGrid(table, extent).lines();
  }

  /** Whether every value of the first field stands with the same ones of the second, in order. */
  static boolean isGrid(CountTable table) {
    if (table.getColumns().size() != 2) {
      return false;
    }
    List<String> across = values(table, 1);
    List<CountRow> rows = table.getRows();
    return rows.size() == (long) values(table, 0).size() * across.size()
        && IntStream.range(0, rows.size())
            .allMatch(i -> rows.get(i).getValues().get(1).equals(across.get(i % across.size())));
  }

  /** The values of one field, in their order. */
  static List<String> values(CountTable table, int column) {
    return table.getRows().stream().map(row -> row.getValues().get(column)).distinct().toList();
  }

  /** On a screen that scrolls down, the field with fewer values goes across. */
  static int across(CountTable table) {
    return values(table, 1).size() > values(table, 0).size() ? 0 : 1;
  }

  /** A count as it stands in a column. */
  static String count(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }

  private CountRow cell(int row, int column) {
    return table.getRows().get(row * across.size() + column);
  }

  private List<String> lines() {
    int rows = Math.min(extent == Extent.WHOLE ? down.size() : ROWS, down.size());
    List<String> first = new ArrayList<>();
    first.add(cut(table.getColumns().get(0) + " \\ " + table.getColumns().get(1), FIRST));
    down.stream().limit(rows).forEach(value -> first.add(cut(value, FIRST)));
    int width = first.stream().mapToInt(Columns::of).max().orElseThrow();
    int room = TERMINAL - INDENT.length() - width;
    int most = Math.max(HEAD, room / Math.min(ACROSS, across.size()) - 2);
    List<String> heads = across.stream().map(value -> cut(value, most)).toList();
    List<Integer> widths =
        IntStream.range(0, across.size())
            .mapToObj(column -> width(heads.get(column), column, rows))
            .toList();
    int shown = fitting(widths, room);
    List<String> lines = new ArrayList<>();
    for (int row = -1; row < rows; row++) {
      StringBuilder line =
          new StringBuilder(INDENT).append(Columns.padded(first.get(row + 1), width));
      for (int column = 0; column < shown; column++) {
        String text = row < 0 ? heads.get(column) : count(cell(row, column).getCount());
        line.append(" ".repeat(2 + widths.get(column) - Columns.of(text))).append(text);
      }
      lines.add(line.toString());
    }
    rest(rows, shown).forEach(lines::add);
    return lines;
  }

  private String cut(String name, int most) {
    String shown = Columns.shown(name);
    return extent == Extent.WHOLE ? shown : Columns.cut(shown, most);
  }

  private int width(String head, int column, int rows) {
    return IntStream.range(0, rows)
        .map(row -> count(cell(row, column).getCount()).length())
        .reduce(Columns.of(head), Math::max);
  }

  /** How many columns fit: one at least. */
  private int fitting(List<Integer> widths, int room) {
    if (extent == Extent.WHOLE) {
      return widths.size();
    }
    int shown = 0;
    int left = room;
    while (shown < Math.min(ACROSS, widths.size())) {
      left -= 2 + widths.get(shown);
      if (left < 0 && shown > 0) {
        break;
      }
      shown++;
    }
    return shown;
  }

  private List<String> rest(int rows, int shown) {
    List<String> rest = new ArrayList<>();
    if (down.size() > rows) {
      rest.add("%,d more rows".formatted(down.size() - rows));
    }
    if (across.size() > shown) {
      rest.add("%,d more columns".formatted(across.size() - shown));
    }
    return rest.isEmpty() ? List.of() : List.of(INDENT + "and " + String.join(", ", rest));
  }
}
