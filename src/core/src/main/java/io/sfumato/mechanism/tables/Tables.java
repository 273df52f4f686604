// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.random.CanonicalEncoder;

/**
 * Which tables are published of one dataset: a public fact. All cells of all tables stand in one
 * vector, table after table, the total first and the finest tables last. Immutable.
 */
public sealed interface Tables permits CrossTables, LevelTables {
  /** Most cells of all tables together. */
  int MOST_CELLS = 100_000;

  /** Most records: with it, tables stay below 2^61 steps. */
  long MOST_RECORDS = 1L << 40;

  /** Whether the number of records is told by noise alone, or is the same in all neighbours. */
  enum Total {
    /** By noise, as every other cell. */
    MEASURED,
    /** Public, and exact. */
    PUBLIC;

    /** By whether the number of records is the same in all neighbours. */
    public static Total of(boolean sizeIsPublic) {
      return sizeIsPublic ? PUBLIC : MEASURED;
    }
  }

  /** How many tables there are, the total among them: at least 2. */
  int tables();

  /**
   * First cell of a table in the vector.
   *
   * @param table 0 to {@link #tables}: of the last one it is the number of all cells
   */
  int start(int table);

  /** First of the tables that all others are sums of; they are the last ones. */
  int finest();

  /** How many categories a record may have. */
  long categories();

  /**
   * The cell of a record in each table.
   *
   * @param category from 0 to {@link #categories}, without it
   * @param cells takes one place in the vector a table
   */
  void cellsOf(long category, int[] cells);

  /** Writes what these tables depend on. */
  void encode(CanonicalEncoder encoder);

  /**
   * How many records each cell of all tables has, of records by their categories.
   *
   * @param categories of the records, from 0
   */
  default ExactVector counts(long... categories) {
    long[] counts = new long[cells()];
    int[] cells = new int[tables()];
    for (long category : categories) {
      cellsOf(category, cells);
      for (int cell : cells) {
        counts[cell]++;
      }
    }
    return new ExactVector(counts);
  }

  /**
   * The number of records, which is the same in all tables, at most 2^40.
   *
   * @param counts of all cells
   * @throws IllegalArgumentException if they are no such counts; says nothing of them
   */
  default long records(ExactVector counts) {
    if (counts.size() != cells()) {
      throw new IllegalArgumentException(
          "tables have " + cells() + " cells in all, not " + counts.size());
    }
    for (int table = 0; table < tables(); table++) {
      if (counts.between(start(table), start(table + 1)).total(MOST_RECORDS) != counts.of(0)) {
        throw new IllegalArgumentException("each table has the same number of records");
      }
    }
    return counts.of(0);
  }

  /**
   * Number of cells of a table.
   *
   * @param table from 0
   */
  default int size(int table) {
    return start(table + 1) - start(table);
  }

  /** Number of cells of all tables. */
  default int cells() {
    return start(tables());
  }
}
