// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.RowTable.Cell;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * As much of an output's tables as the operators' page shows: it sends every card once a second to
 * whoever looks, and tables may have 100,000 cells. What is left out is no larger than what is
 * shown; what is shown stays in its order.
 */
final class LargestCells {
  /** Most cells of all tables of two fields, where each has {@link #LEAST_SIDE} rows at least. */
  static final int CELLS = 1_000;

  static final int LEAST_SIDE = 6;
  static final int MOST_DOWN = 30;
  static final int MOST_ACROSS = 20;

  /** Most values of one field. */
  static final int VALUES = 12;

  /** Most nodes of a path, of all its levels together. */
  static final int NODES = 24;

  private LargestCells() {}

  /** Of all tables of an output. */
  static List<RowTable> of(List<RowTable> tables) {
    if (RowTable.arePath(tables)) {
      return ofPath(tables);
    }
    int pairs = (int) tables.stream().filter(table -> table.fields().size() == 2).count();
    return tables.stream().map(table -> ofOne(table, pairs)).toList();
  }

  private static RowTable ofOne(RowTable table, int pairs) {
    return switch (table.fields().size()) {
      case 1 -> kept(table, largest(table.cells(), VALUES));
      case 2 -> ofPair(table, Math.max(LEAST_SIDE * LEAST_SIDE, CELLS / pairs));
      default -> table;
    };
  }

  private static RowTable kept(RowTable table, Set<List<String>> values) {
    return new RowTable(
        table.fields(),
        table.cells().stream().filter(row -> values.contains(row.values())).toList());
  }

  private static Set<List<String>> largest(List<Cell> rows, int most) {
    return rows.stream()
        .sorted(RowTable.LARGEST)
        .limit(most)
        .map(Cell::values)
        .collect(Collectors.toSet());
  }

  /** The rows and columns with the largest sums. */
  private static RowTable ofPair(RowTable table, int cells) {
    int across = table.across();
    Map<String, Long> columns = sums(table, across);
    Map<String, Long> rows = sums(table, 1 - across);
    int wide = Math.min(MOST_ACROSS, columns.size());
    int high = Math.min(MOST_DOWN, rows.size());
    if (wide * high > cells) {
      wide = Math.min(wide, Math.max(LEAST_SIDE, (int) Math.sqrt(cells)));
      high = Math.min(high, cells / wide);
    }
    Set<String> inColumns = largest(columns, wide);
    Set<String> inRows = largest(rows, high);
    return new RowTable(
        table.fields(),
        table.cells().stream()
            .filter(
                row ->
                    inColumns.contains(row.values().get(across))
                        && inRows.contains(row.values().get(1 - across)))
            .toList());
  }

  private static Map<String, Long> sums(RowTable table, int column) {
    Map<String, Long> sums = new LinkedHashMap<>();
    table.cells().forEach(row -> sums.merge(row.values().get(column), row.count(), Long::sum));
    return sums;
  }

  private static Set<String> largest(Map<String, Long> sums, int most) {
    return sums.entrySet().stream()
        .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
        .limit(most)
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** The largest nodes, of those of one size the outer ones: whatever they lie in is among them. */
  private static List<RowTable> ofPath(List<RowTable> levels) {
    List<Cell> nodes = new ArrayList<>();
    levels.stream().skip(1).forEach(level -> nodes.addAll(level.cells()));
    nodes.sort(RowTable.LARGEST); // Stable: the outer ones stay in front.
    Set<List<String>> kept = new HashSet<>();
    for (Cell node : nodes) {
      List<String> values = node.values();
      if (kept.size() < NODES
          && (values.size() == 1 || kept.contains(values.subList(0, values.size() - 1)))) {
        kept.add(values);
      }
    }
    List<RowTable> of = new ArrayList<>();
    of.add(levels.get(0));
    levels.stream().skip(1).forEach(level -> of.add(kept(level, kept)));
    return of;
  }
}
