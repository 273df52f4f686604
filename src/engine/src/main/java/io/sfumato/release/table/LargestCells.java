// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.schema.CountRow;
import io.sfumato.schema.CountTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * As much of a release's tables as the operators' page shows: it sends every card once a second to
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

  static final Comparator<CountRow> LARGEST =
      Comparator.comparingLong(CountRow::getCount).reversed();

  private LargestCells() {}

  /** Of all tables of a release. */
  static List<CountTable> of(List<CountTable> tables) {
    if (isPath(tables)) {
      return ofPath(tables);
    }
    int pairs = (int) tables.stream().filter(table -> table.getColumns().size() == 2).count();
    return tables.stream().map(table -> ofOne(table, pairs)).toList();
  }

  /** Whether each table has the fields of the one before, and one more. */
  static boolean isPath(List<CountTable> tables) {
    for (int level = 0; level < tables.size(); level++) {
      List<String> fields = tables.get(level).getColumns();
      if (fields.size() != level
          || level > 0
              && !fields.subList(0, level - 1).equals(tables.get(level - 1).getColumns())) {
        return false;
      }
    }
    return tables.size() > 2;
  }

  private static CountTable ofOne(CountTable table, int pairs) {
    return switch (table.getColumns().size()) {
      case 1 -> kept(table, largest(table.getRows(), VALUES));
      case 2 -> ofPair(table, Math.max(LEAST_SIDE * LEAST_SIDE, CELLS / pairs));
      default -> table;
    };
  }

  private static CountTable kept(CountTable table, Set<List<String>> values) {
    return new CountTable(
        table.getColumns(),
        table.getRows().stream().filter(row -> values.contains(row.getValues())).toList());
  }

  private static Set<List<String>> largest(List<CountRow> rows, int most) {
    return rows.stream()
        .sorted(LARGEST)
        .limit(most)
        .map(CountRow::getValues)
        .collect(Collectors.toSet());
  }

  /** The rows and columns with the largest sums. */
  private static CountTable ofPair(CountTable table, int cells) {
    int across = TableGrid.across(table);
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
    return new CountTable(
        table.getColumns(),
        table.getRows().stream()
            .filter(
                row ->
                    inColumns.contains(row.getValues().get(across))
                        && inRows.contains(row.getValues().get(1 - across)))
            .toList());
  }

  private static Map<String, Long> sums(CountTable table, int column) {
    Map<String, Long> sums = new LinkedHashMap<>();
    table
        .getRows()
        .forEach(row -> sums.merge(row.getValues().get(column), row.getCount(), Long::sum));
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
  private static List<CountTable> ofPath(List<CountTable> levels) {
    List<CountRow> nodes = new ArrayList<>();
    levels.stream().skip(1).forEach(level -> nodes.addAll(level.getRows()));
    nodes.sort(LARGEST); // Stable: the outer ones stay in front.
    Set<List<String>> kept = new HashSet<>();
    for (CountRow node : nodes) {
      List<String> values = node.getValues();
      if (kept.size() < NODES
          && (values.size() == 1 || kept.contains(values.subList(0, values.size() - 1)))) {
        kept.add(values);
      }
    }
    List<CountTable> of = new ArrayList<>();
    of.add(levels.get(0));
    levels.stream().skip(1).forEach(level -> of.add(kept(level, kept)));
    return of;
  }
}
