// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.pipeline.ViewText;
import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import io.sfumato.schema.TableRelease;
import io.sfumato.text.Columns;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A release as lines: its total, a line for each single field, then grids, or a tree. */
final class TableText {
  /** So many tables of two fields are shown on a terminal: eight fields have 28. */
  private static final int GRIDS = 6;

  private static final int FIELD = 16;
  private static final int VALUE = 20;

  private final List<CountTable> tables;
  private final Extent extent;

  private TableText(List<CountTable> tables, Extent extent) {
    this.tables = tables;
    this.extent = extent;
  }

  static String of(TableRelease release, Extent extent) {
    String part =
        release.getParts() == 1
            ? ""
            : "part %d of %d: ".formatted(release.getPart() + 1, release.getParts());
    List<CountTable> tables = release.getTables();
    String first =
        part
            + tables.stream()
                .filter(table -> table.getColumns().isEmpty())
                .map(table -> total(table.getRows().get(0)))
                .collect(Collectors.joining("; "))
            + ViewText.leftOut(release.getExampleLeftOut());
    List<String> lines = new ArrayList<>(List.of(first));
    within(tables).ifPresent(said -> lines.add(TableGrid.INDENT + said));
    lines.addAll(new TableText(tables, extent).lines());
    return String.join(System.lineSeparator(), lines);
  }

  /** How far intervals of single cells reach at most, which have no room of their own. */
  private static Optional<String> within(List<CountTable> tables) {
    long most =
        tables.stream()
            .filter(table -> !table.getColumns().isEmpty())
            .flatMap(table -> table.getRows().stream())
            .mapToLong(
                row -> Math.max(row.getCount() - row.getLow(), row.getHigh() - row.getCount()))
            .max()
            .orElse(0);
    return most == 0
        ? Optional.empty()
        : Optional.of(
            "each of these counts is within +-%s (95%%)".formatted(TableGrid.count(most)));
  }

  /** A count and its interval: whole numbers. */
  static String interval(CountRow row) {
    String count = TableGrid.count(row.getCount());
    return row.getLow() == row.getHigh()
        ? count
        : "%s (%s to %s)"
            .formatted(count, TableGrid.count(row.getLow()), TableGrid.count(row.getHigh()));
  }

  private static String total(CountRow all) {
    return interval(all) + " records";
  }

  private List<String> lines() {
    if (LargestCells.isPath(tables)) {
      return TableTree.lines(tables, extent);
    }
    int width = of(1).stream().mapToInt(table -> Columns.of(field(table))).max().orElse(0);
    List<String> lines = new ArrayList<>();
    of(1).forEach(table -> lines.add(single(table, width)));
    List<CountTable> grids =
        tables.stream().filter(table -> table.getColumns().size() > 1).toList();
    int shown = Math.min(grids.size(), extent == Extent.WHOLE ? grids.size() : GRIDS);
    for (CountTable table : grids.subList(0, shown)) {
      if (TableGrid.isGrid(table)) {
        lines.addAll(TableGrid.lines(table, extent));
      } else {
        // A part of a longer list.
        table.getRows().forEach(row -> lines.add(TableGrid.INDENT + named(row)));
      }
    }
    if (shown < grids.size()) {
      lines.add(TableGrid.INDENT + "and %,d more tables".formatted(grids.size() - shown));
    }
    return lines;
  }

  private List<CountTable> of(int fields) {
    return tables.stream().filter(table -> table.getColumns().size() == fields).toList();
  }

  private String cut(String name, int most) {
    String shown = Columns.shown(name);
    return extent == Extent.WHOLE ? shown : Columns.cut(shown, most);
  }

  private String field(CountTable table) {
    return cut(table.getColumns().get(0), FIELD);
  }

  private String named(CountRow row) {
    String values =
        row.getValues().stream().map(value -> cut(value, VALUE)).collect(Collectors.joining(" > "));
    return values + " " + TableGrid.count(row.getCount());
  }

  /** As many values as a terminal's line has room for: one at least. */
  private String single(CountTable table, int width) {
    List<String> values = table.getRows().stream().map(this::named).toList();
    StringBuilder line =
        new StringBuilder(TableGrid.INDENT).append(Columns.padded(field(table), width));
    String last = " and %,d more".formatted(values.size());
    int told = 0;
    for (String value : values) {
      int room = told == values.size() - 1 ? 0 : last.length();
      if (extent == Extent.TERMINAL
          && told > 0
          && Columns.of(line.toString()) + 2 + Columns.of(value) + room > TableGrid.TERMINAL) {
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
