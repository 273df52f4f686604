// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.RowTable.Cell;
import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Counts by different fields as lines: one for each single field, then grids, or a tree. */
final class TablesText {
  /** So many tables of two fields are shown on a terminal: eight fields have 28. */
  private static final int GRIDS = 6;

  private static final int FIELD = 16;
  private static final int VALUE = 20;

  private final List<RowTable> tables;
  private final TextLength length;

  TablesText(List<RowTable> tables, TextLength length) {
    this.tables = tables;
    this.length = length;
  }

  /** How far intervals of single cells reach at most, which have no room of their own. */
  private Optional<String> within() {
    long most =
        tables.stream()
            .filter(table -> !table.fields().isEmpty())
            .flatMap(table -> table.cells().stream())
            .mapToLong(Cell::half)
            .max()
            .orElse(0);
    return most == 0
        ? Optional.empty()
        : Optional.of(
            "each of these counts is within +-%s (95%%)".formatted(TableGrid.count(most)));
  }

  /** All but the total. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    within().ifPresent(said -> lines.add(Flow.INDENT + said));
    lines.addAll(RowTable.arePath(tables) ? TableTree.lines(tables, length) : singlesAndGrids());
    return lines;
  }

  private List<String> singlesAndGrids() {
    int width = of(1).stream().mapToInt(table -> TerminalColumns.of(field(table))).max().orElse(0);
    List<String> lines = new ArrayList<>();
    of(1).forEach(table -> lines.add(single(table, width)));
    List<RowTable> grids = tables.stream().filter(table -> table.fields().size() > 1).toList();
    int shown = Math.min(grids.size(), length == TextLength.WHOLE ? grids.size() : GRIDS);
    for (RowTable table : grids.subList(0, shown)) {
      if (table.isGrid()) {
        lines.addAll(TableGrid.lines(table, length));
      } else {
        // A part of a longer list.
        table.cells().forEach(row -> lines.add(Flow.INDENT + named(row)));
      }
    }
    if (shown < grids.size()) {
      lines.add(Flow.INDENT + "and %,d more tables".formatted(grids.size() - shown));
    }
    return lines;
  }

  private List<RowTable> of(int fields) {
    return tables.stream().filter(table -> table.fields().size() == fields).toList();
  }

  private String cut(String name, int most) {
    String shown = TerminalColumns.shown(name);
    return length == TextLength.WHOLE ? shown : TerminalColumns.cut(shown, most);
  }

  private String field(RowTable table) {
    return cut(table.fields().get(0), FIELD);
  }

  private String named(Cell row) {
    String values =
        row.values().stream().map(value -> cut(value, VALUE)).collect(Collectors.joining(" > "));
    return values + " " + TableGrid.count(row.count());
  }

  /** As many values as a terminal's line has room for: one at least. */
  private String single(RowTable table, int width) {
    List<String> values = table.cells().stream().map(this::named).toList();
    StringBuilder line =
        new StringBuilder(Flow.INDENT).append(TerminalColumns.padded(field(table), width));
    String last = " and %,d more".formatted(values.size());
    int told = 0;
    for (String value : values) {
      int room = told == values.size() - 1 ? 0 : last.length();
      if (length == TextLength.TERMINAL
          && told > 0
          && TerminalColumns.of(line.toString()) + 2 + TerminalColumns.of(value) + room
              > Flow.TERMINAL) {
        break;
      }
      line.append("  ").append(value);
      told++;
    }
    return told == values.size()
        ? line.toString()
        : line + " and %,d more".formatted(values.size() - told);
  }
}
