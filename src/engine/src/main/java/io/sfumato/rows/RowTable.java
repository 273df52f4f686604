// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.rows.Entities.Entity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Counts by the same fields.
 *
 * @param fields of the records; none of all records together
 * @param cells in the output's order
 */
record RowTable(List<String> fields, List<Cell> cells) {
  static final Comparator<Cell> LARGEST = Comparator.comparingLong(Cell::count).reversed();

  RowTable {
    fields = List.copyOf(fields);
    cells = List.copyOf(cells);
  }

  /**
   * A count.
   *
   * @param values one a field
   */
  record Cell(List<String> values, long count, long low, long high) {
    private static Cell of(Entity entity, Column number) {
      Quantity count = entity.quantity(number).orElseThrow();
      return new Cell(
          entity.group().values(),
          Math.round(count.number()),
          Math.round(count.low()),
          Math.round(count.high()));
    }

    /** How far its interval reaches, on its longer side. */
    long half() {
      return Math.max(count - low, high - count);
    }
  }

  /** The tables of some groups, in the order of their first ones. */
  static List<RowTable> of(List<Entity> entities, Column number) {
    Map<List<String>, List<Cell>> cells = new LinkedHashMap<>();
    for (Entity entity : entities) {
      cells
          .computeIfAbsent(entity.group().fields(), fields -> new ArrayList<>())
          .add(Cell.of(entity, number));
    }
    return cells.entrySet().stream()
        .map(table -> new RowTable(table.getKey(), table.getValue()))
        .toList();
  }

  /** Whether each table has the fields of the one before, and one more. */
  static boolean arePath(List<RowTable> tables) {
    for (int level = 0; level < tables.size(); level++) {
      List<String> fields = tables.get(level).fields();
      if (fields.size() != level
          || level > 0 && !fields.subList(0, level - 1).equals(tables.get(level - 1).fields())) {
        return false;
      }
    }
    return tables.size() > 2;
  }

  /** The values of one field, in their order. */
  List<String> values(int column) {
    return cells.stream().map(cell -> cell.values().get(column)).distinct().toList();
  }

  /** On a screen that scrolls down, the field with fewer values goes across. */
  int across() {
    return values(1).size() > values(0).size() ? 0 : 1;
  }

  /** Whether every value of the first field stands with the same ones of the second, in order. */
  boolean isGrid() {
    if (fields.size() != 2) {
      return false;
    }
    List<String> across = values(1);
    return cells.size() == (long) values(0).size() * across.size()
        && IntStream.range(0, cells.size())
            .allMatch(i -> cells.get(i).values().get(1).equals(across.get(i % across.size())));
  }
}
