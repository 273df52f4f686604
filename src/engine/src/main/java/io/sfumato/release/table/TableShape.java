// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.table;

import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.pipeline.Columns;
import io.sfumato.pipeline.Crossing;
import io.sfumato.pipeline.Hierarchy;
import io.sfumato.pipeline.Hierarchy.Node;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Which tables a release publishes, and what their cells stand for. Public.
 *
 * @param columns of the file, all listed
 * @param chosen places of those that tables are of, ascending; all of a hierarchy's
 * @param ways most columns of one table, 1 or 2; of a hierarchy there is a table a level
 */
public record TableShape(Columns columns, List<Integer> chosen, int ways) {
  public TableShape {
    chosen = List.copyOf(chosen);
  }

  /**
   * The tables.
   *
   * @throws IllegalArgumentException if they have too many cells; says so
   */
  Tables tables() {
    return columns instanceof Hierarchy path
        ? LevelTables.of(parents(path))
        : CrossTables.of(ways, chosen.stream().mapToInt(column -> values(column).size()).toArray());
  }

  /** Takes a file's place of a category to the category as the tables see it. */
  LongUnaryOperator categories() {
    if (columns instanceof Hierarchy) {
      return place -> place;
    }
    int[] sizes = ((Crossing) columns).sizes();
    return place -> {
      int[] values = Crossing.digits(place, sizes);
      long category = 0;
      for (int column : chosen) {
        category = category * sizes[column] + values[column];
      }
      return category;
    };
  }

  /** The fields of a table, in order; none for the total. */
  List<String> fieldsOf(Tables tables, int table) {
    return tables instanceof CrossTables cross
        ? Arrays.stream(cross.columnsOf(table))
            .mapToObj(column -> columns.fields().get(chosen.get(column)))
            .toList()
        : columns.fields().subList(0, table);
  }

  /** What each cell of a table stands for, one value a field. */
  List<List<String>> valuesOf(Tables tables, int table) {
    if (tables instanceof CrossTables cross) {
      List<List<String>> rows = List.of(List.of());
      for (int column : cross.columnsOf(table)) {
        rows = crossed(rows, values(chosen.get(column)));
      }
      return rows;
    }
    return level((Hierarchy) columns, table);
  }

  private List<String> values(int column) {
    return ((Crossing) columns).columns().get(column).values();
  }

  private static List<List<String>> crossed(List<List<String>> rows, List<String> values) {
    List<List<String>> all = new ArrayList<>();
    for (List<String> row : rows) {
      values.forEach(value -> all.add(and(row, value)));
    }
    return all;
  }

  private static List<String> and(List<String> values, String one) {
    List<String> all = new ArrayList<>(values);
    all.add(one);
    return List.copyOf(all);
  }

  private static List<List<String>> level(Hierarchy path, int level) {
    List<List<String>> names = new ArrayList<>();
    collect(path.roots(), List.of(), level, names);
    return names;
  }

  private static void collect(
      List<Node> nodes, List<String> before, int left, List<List<String>> names) {
    if (left == 0) {
      names.add(before);
      return;
    }
    nodes.forEach(node -> collect(node.within(), and(before, node.value()), left - 1, names));
  }

  private static int[][] parents(Hierarchy path) {
    List<List<Node>> levels = path.levels();
    int[][] parents = new int[levels.size()][];
    parents[0] = new int[levels.get(0).size()];
    for (int level = 1; level < parents.length; level++) {
      List<Integer> ofLevel = new ArrayList<>();
      List<Node> above = levels.get(level - 1);
      for (int parent = 0; parent < above.size(); parent++) {
        for (int child = 0; child < above.get(parent).within().size(); child++) {
          ofLevel.add(parent);
        }
      }
      parents[level] = ofLevel.stream().mapToInt(Integer::intValue).toArray();
    }
    return parents;
  }

  /** All of it: states that live were made with this very text. */
  String canonical() {
    return "tables of %s, up to %d of columns %s".formatted(columns.canonical(), ways, chosen);
  }
}
