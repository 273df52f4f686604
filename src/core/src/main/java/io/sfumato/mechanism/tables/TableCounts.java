// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.mechanism.ExactData;
import io.sfumato.mechanism.factorised.RowCounts;
import java.util.Arrays;

/**
 * How many records each cell of all tables has. Exact, hence secret. Immutable.
 *
 * @param tables public
 * @param cells in the order of the tables' vector, each at least 0; every table has the same sum,
 *     at most 2^40
 */
public record TableCounts(Tables tables, long... cells) implements ExactData {
  /** Most records: with it, tables stay below 2^61 steps. */
  public static final long MOST = RowCounts.MOST;

  public TableCounts {
    cells = cells.clone();
    if (cells.length != tables.cells()) {
      throw new IllegalArgumentException(
          "tables have " + tables.cells() + " cells in all, not " + cells.length);
    }
    for (int table = 0; table < tables.tables(); table++) {
      long left = table == 0 ? MOST : cells[0];
      for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
        if (cells[cell] < 0 || cells[cell] > left) {
          throw unequal();
        }
        left -= cells[cell];
      }
      if (table > 0 && left != 0) {
        throw unequal();
      }
    }
  }

  /** No records in any cell. */
  public static TableCounts none(Tables tables) {
    return new TableCounts(tables, new long[tables.cells()]);
  }

  /** Of records by their categories. */
  public static TableCounts of(Tables tables, long... categories) {
    long[] cells = new long[tables.cells()];
    int[] places = new int[tables.tables()];
    for (long category : categories) {
      tables.cellsOf(category, places);
      for (int place : places) {
        cells[place]++;
      }
    }
    return new TableCounts(tables, cells);
  }

  /** Says nothing of the counts. */
  private static IllegalArgumentException unequal() {
    return new IllegalArgumentException(
        "tables have 0 to 2^40 records in all, and each has the same number");
  }

  @Override
  public long[] cells() {
    return cells.clone();
  }

  /** All records. */
  public long total() {
    return cells[0];
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TableCounts counts
        && tables.equals(counts.tables)
        && Arrays.equals(cells, counts.cells);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(cells);
  }

  /** Never prints the counts: they are what must stay private. */
  @Override
  public String toString() {
    return "TableCounts[" + cells.length + " cells]";
  }
}
