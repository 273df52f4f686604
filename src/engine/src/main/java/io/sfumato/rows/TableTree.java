// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.RowTable.Cell;
import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All levels of a path as lines of text, each place behind and below what it lies in. */
final class TableTree {
  private static final String STEP = "  ";

  /** Most columns of a place on a terminal, its indentation included. */
  private static final int NAME = 56;

  private record Line(String name, String count) {}

  private TableTree() {}

  /** Its lines: on a terminal the largest places. */
  static List<String> lines(List<RowTable> levels, TextLength length) {
    List<RowTable> shown = length == TextLength.WHOLE ? levels : LargestCells.of(levels);
    Map<List<String>, List<Cell>> within =
        within(shown.stream().skip(1).flatMap(level -> level.cells().stream()));
    List<Line> lines = new ArrayList<>();
    lines.add(new Line(named(levels.get(levels.size() - 1).fields(), length), ""));
    collect(List.of(), within, length, lines);
    int width =
        lines.stream().mapToInt(line -> TerminalColumns.of(line.name())).max().orElseThrow();
    int counts = lines.stream().mapToInt(line -> line.count().length()).max().orElseThrow();
    List<String> text = new ArrayList<>();
    for (Line line : lines) {
      String count = " ".repeat(counts - line.count().length()) + line.count();
      text.add(
          (Flow.INDENT + TerminalColumns.padded(line.name(), width) + STEP + count)
              .stripTrailing());
    }
    int left = places(levels) - places(shown);
    if (left > 0) {
      text.add(Flow.INDENT + "and %,d more, none of them larger".formatted(left));
    }
    return text;
  }

  /** Places by what they lie in, in their order. */
  static Map<List<String>, List<Cell>> within(Stream<Cell> places) {
    return places.collect(Collectors.groupingBy(TableTree::above));
  }

  private static List<String> above(Cell row) {
    return row.values().subList(0, row.values().size() - 1);
  }

  private static int places(List<RowTable> levels) {
    return levels.stream().skip(1).mapToInt(level -> level.cells().size()).sum();
  }

  private static String named(List<String> fields, TextLength length) {
    String path = String.join(" > ", fields.stream().map(TerminalColumns::shown).toList());
    return length == TextLength.WHOLE ? path : TerminalColumns.cut(path, NAME);
  }

  private static void collect(
      List<String> place,
      Map<List<String>, List<Cell>> within,
      TextLength length,
      List<Line> lines) {
    for (Cell row : within.getOrDefault(place, List.of())) {
      String step = STEP.repeat(place.size());
      String name = TerminalColumns.shown(row.values().get(place.size()));
      String cut =
          length == TextLength.WHOLE ? name : TerminalColumns.cut(name, NAME - step.length());
      lines.add(new Line(step + cut, TableGrid.count(row.count())));
      collect(row.values(), within, length, lines);
    }
  }
}
