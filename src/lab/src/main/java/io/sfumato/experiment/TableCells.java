// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.mechanism.tables.CrossTables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Values of columns as words of events, and published tables back to cells. */
final class TableCells {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Of a cell that no line told. */
  private static final long UNTOLD = -1;

  private TableCells() {}

  /** A value, in a form that nobody takes for a number. */
  static String word(int value) {
    return "v" + value;
  }

  /** The value of each column of a record. */
  static int[] values(CrossTables tables, long category) {
    int[] cells = new int[tables.tables()];
    tables.cellsOf(category, cells);
    int[] values = new int[tables.columns()];
    Arrays.setAll(
        values, column -> cells[tables.ofColumn(column)] - tables.start(tables.ofColumn(column)));
    return values;
  }

  /**
   * The cells of the tables that a pipeline published of one window, as {@code consume -o json}
   * prints them, in whatever parts and order.
   *
   * @throws ExperimentException if it is anything else, or not all of them
   */
  static long[] read(TablePopulation people, Path file) throws ExperimentException {
    long[] cells = new long[people.tables().cells()];
    Arrays.fill(cells, UNTOLD);
    try {
      for (String line : Files.readAllLines(file)) {
        for (JsonNode table : JSON.readTree(line).path("tables")) {
          add(people, table, cells);
        }
      }
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw new ExperimentException(
          file + ": holds no tables of " + people.name() + ", as consume -o json prints them");
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be read");
    }
    if (Arrays.stream(cells).anyMatch(count -> count == UNTOLD)) {
      throw new ExperimentException(file + ": holds not all tables of " + people.name());
    }
    return cells;
  }

  private static void add(TablePopulation people, JsonNode told, long[] cells) {
    List<Integer> columns = new ArrayList<>();
    for (JsonNode column : told.path("columns")) {
      columns.add(people.columns().indexOf(column.asText()));
    }
    CrossTables tables = people.tables();
    int table = tableOf(tables, columns);
    for (JsonNode row : told.path("rows")) {
      int cell = 0;
      for (int i = 0; i < columns.size(); i++) {
        int value = Integer.parseInt(row.path("values").path(i).asText().substring(1));
        cell = cell * tables.values(columns.get(i)) + value;
      }
      int at = tables.start(table) + cell;
      if (cells[at] != UNTOLD) {
        throw new IllegalArgumentException("told twice: several windows");
      }
      cells[at] = row.path("count").asLong();
    }
  }

  private static int tableOf(CrossTables tables, List<Integer> columns) {
    for (int table = 0; table < tables.tables(); table++) {
      if (Arrays.stream(tables.columnsOf(table)).boxed().toList().equals(columns)) {
        return table;
      }
    }
    throw new IllegalArgumentException("no such table");
  }
}
