// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;

/**
 * The total, the table of each column, and those of each two columns. Column i has the values 0 to
 * n_i - 1. The vector has the total, the columns in their order, and pairs (0, 1), (0, 2), ..., (1,
 * 2), ..., the values of the later column fastest.
 */
public final class CrossTables implements Tables {
  /** Most columns. */
  public static final int MOST_COLUMNS = 8;

  private final int[] sizes;
  private final int ways;

  /** Of pairs: {first, second}. */
  private final int[][] pairs;

  private final int[] starts;
  private final long categories;

  private CrossTables(int[] sizes, int ways) {
    this.sizes = sizes;
    this.ways = ways;
    int columns = sizes.length;
    this.pairs = new int[ways == 1 ? 0 : columns * (columns - 1) / 2][];
    this.starts = new int[2 + columns + pairs.length];
    long product = 1;
    long cells = 1;
    int table = 1;
    starts[table] = 1;
    for (int size : sizes) {
      if (size < 2) {
        throw new IllegalArgumentException("a column has at least 2 values, was " + size);
      }
      product = Math.multiplyHigh(product, size) == 0 ? product * size : -1;
      if (product < 0) {
        throw new IllegalArgumentException("columns have at most 2^63 combinations of values");
      }
      cells = next(++table, cells + size);
    }
    int pair = 0;
    for (int i = 0; i < columns && ways == 2; i++) {
      for (int j = i + 1; j < columns; j++) {
        pairs[pair++] = new int[] {i, j};
        cells = next(++table, cells + (long) sizes[i] * sizes[j]);
      }
    }
    this.categories = product;
  }

  private long next(int table, long cells) {
    if (cells > MOST_CELLS) {
      throw new IllegalArgumentException(
          "all tables together have more than "
              + MOST_CELLS
              + " cells; leave out columns or pairs");
    }
    starts[table] = (int) cells;
    return cells;
  }

  /**
   * Tables of columns.
   *
   * @param ways 1 for the total and the single columns, 2 for the pairs as well
   * @param sizes number of values of each column, 2 or more; 1 to 8 columns
   * @throws IllegalArgumentException also if all cells are more than 100,000
   */
  public static CrossTables of(int ways, int... sizes) {
    if (ways != 1 && ways != 2) {
      throw new IllegalArgumentException("tables are of 1 or 2 columns each, not of " + ways);
    }
    if (sizes.length == 0 || sizes.length > MOST_COLUMNS) {
      throw new IllegalArgumentException(
          "there are 1 to " + MOST_COLUMNS + " columns, were " + sizes.length);
    }
    return new CrossTables(sizes.clone(), ways);
  }

  /** Number of columns. */
  public int columns() {
    return sizes.length;
  }

  /**
   * Number of values of a column.
   *
   * @param column from 0
   */
  public int values(int column) {
    return sizes[column];
  }

  /** Number of tables of two columns. */
  public int pairs() {
    return pairs.length;
  }

  /**
   * The table of one column.
   *
   * @param column from 0
   */
  public int ofColumn(int column) {
    return 1 + column;
  }

  /**
   * The table of one pair, by its place among the pairs.
   *
   * @param pair from 0
   */
  public int ofPair(int pair) {
    return 1 + sizes.length + pair;
  }

  /**
   * The columns of a table: none, one or two, in their order.
   *
   * @param table from 0
   */
  public int[] columnsOf(int table) {
    if (table == 0) {
      return new int[0];
    }
    return table <= sizes.length ? new int[] {table - 1} : pairs[table - 1 - sizes.length].clone();
  }

  /**
   * First column of a pair.
   *
   * @param pair from 0
   */
  public int first(int pair) {
    return pairs[pair][0];
  }

  /**
   * Second column of a pair.
   *
   * @param pair from 0
   */
  public int second(int pair) {
    return pairs[pair][1];
  }

  @Override
  public int tables() {
    return starts.length - 1;
  }

  @Override
  public int start(int table) {
    return starts[table];
  }

  @Override
  public int finest() {
    return pairs.length == 0 ? 1 : ofPair(0);
  }

  /** Combinations of values. */
  @Override
  public long categories() {
    return categories;
  }

  /**
   * The place of a combination of values: mixed radix, the last column fastest.
   *
   * @param values one a column
   * @throws IllegalArgumentException if values are missing or too many, or one lies outside its
   *     column
   */
  public long category(int... values) {
    if (values.length != sizes.length) {
      throw new IllegalArgumentException(
          values.length + " values for " + sizes.length + " columns");
    }
    long category = 0;
    for (int i = 0; i < sizes.length; i++) {
      category = category * sizes[i] + requireValue(i, values[i]);
    }
    return category;
  }

  private int requireValue(int column, int value) {
    if (value < 0 || value >= sizes[column]) {
      throw new IllegalArgumentException(
          "column " + column + " has values 0 to " + (sizes[column] - 1) + ", was " + value);
    }
    return value;
  }

  @Override
  public void cellsOf(long category, int[] cells) {
    if (category < 0 || category >= categories) {
      throw new IllegalArgumentException(
          "there are " + categories + " combinations, from 0, was " + category);
    }
    cells[0] = 0;
    long left = category;
    for (int i = sizes.length - 1; i >= 0; i--) {
      cells[1 + i] = starts[1 + i] + (int) (left % sizes[i]);
      left /= sizes[i];
    }
    for (int pair = 0; pair < pairs.length; pair++) {
      int i = pairs[pair][0];
      int j = pairs[pair][1];
      int first = cells[1 + i] - starts[1 + i];
      int second = cells[1 + j] - starts[1 + j];
      int table = ofPair(pair);
      cells[table] = starts[table] + first * sizes[j] + second;
    }
  }

  @Override
  public void encode(CanonicalEncoder encoder) {
    encoder.text("cross").number(ways).numbers(Arrays.stream(sizes).asLongStream().toArray());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CrossTables tables
        && ways == tables.ways
        && Arrays.equals(sizes, tables.sizes);
  }

  @Override
  public int hashCode() {
    return 31 * ways + Arrays.hashCode(sizes);
  }

  @Override
  public String toString() {
    return "tables of up to " + ways + " of the columns " + Arrays.toString(sizes);
  }
}
