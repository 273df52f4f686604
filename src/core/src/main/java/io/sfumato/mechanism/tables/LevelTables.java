// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import io.sfumato.random.CanonicalEncoder;
import java.util.Arrays;

/**
 * The levels of a path, such as country > region > city: the total is level 0, a node's cell is the
 * sum of its children's. The vector has level after level; children of one node stand together, in
 * the order of their parents. Categories are the leaves.
 */
public final class LevelTables implements Tables {
  private final int[] starts;

  /** Of each cell: where its children begin in the vector; one more place for where they end. */
  private final int[] children;

  private LevelTables(int[] starts, int[] children) {
    this.starts = starts;
    this.children = children;
  }

  /**
   * Levels by their nodes' parents.
   *
   * @param parents of each level from the first: for each of its nodes the parent's place in the
   *     level before, from 0. They do not fall, and no node before the last level is without
   *     children; there are at least 2 leaves
   * @throws IllegalArgumentException if the parents are otherwise, or all levels have too many
   *     nodes
   */
  public static LevelTables of(int[]... parents) {
    if (parents.length == 0) {
      throw new IllegalArgumentException("there is at least one level below the total");
    }
    int[] starts = new int[parents.length + 2];
    starts[1] = 1;
    for (int level = 1; level <= parents.length; level++) {
      long end = starts[level] + (long) parents[level - 1].length;
      if (end > MOST_CELLS) {
        throw new IllegalArgumentException(
            "all levels together have more than " + MOST_CELLS + " nodes; leave out the last one");
      }
      starts[level + 1] = (int) end;
    }
    int[] children = new int[starts[parents.length] + 1];
    for (int level = 1; level <= parents.length; level++) {
      int[] ofLevel = parents[level - 1];
      int before = -1;
      for (int node = 0; node < ofLevel.length; node++) {
        if (ofLevel[node] != before && ofLevel[node] != before + 1) {
          throw new IllegalArgumentException(
              "level " + level + ": parents come one after another, each with a child");
        }
        if (ofLevel[node] != before) {
          before++;
          if (before < starts[level] - starts[level - 1]) {
            children[starts[level - 1] + before] = starts[level] + node;
          }
        }
      }
      if (before + 1 != starts[level] - starts[level - 1]) {
        throw new IllegalArgumentException(
            "level " + level + ": every node of the level before has a child, and no other");
      }
    }
    if (parents[parents.length - 1].length < 2) {
      throw new IllegalArgumentException("there are at least 2 leaves: one alone is the total");
    }
    children[children.length - 1] = starts[starts.length - 1];
    return new LevelTables(starts, children);
  }

  /**
   * Levels where all nodes of one have the same number of children.
   *
   * @param fanOuts of the total first, each at least 1
   * @throws IllegalArgumentException if a number is below 1, if all levels have too many nodes, or
   *     if there are fewer than 2 leaves
   */
  public static LevelTables even(int... fanOuts) {
    int[][] parents = new int[fanOuts.length][];
    long nodes = 1;
    for (int level = 0; level < fanOuts.length; level++) {
      int fanOut = fanOuts[level];
      nodes *= Math.max(0, fanOut);
      if (nodes < 1 || nodes > MOST_CELLS) {
        throw new IllegalArgumentException(
            "levels have 1 to " + MOST_CELLS + " nodes in all, and each node a child");
      }
      parents[level] = new int[(int) nodes];
      Arrays.setAll(parents[level], node -> node / fanOut);
    }
    return of(parents);
  }

  /**
   * Where the children of a cell begin in the vector; those of the next one begin at their end.
   *
   * @param cell place in the vector, from 0
   */
  public int children(int cell) {
    return children[cell];
  }

  /** First of the leaves. */
  public int leaves() {
    return starts[starts.length - 2];
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
    return tables() - 1;
  }

  @Override
  public long categories() {
    return size(finest());
  }

  @Override
  public void cellsOf(long category, int[] cells) {
    if (category < 0 || category >= categories()) {
      throw new IllegalArgumentException(
          "there are " + categories() + " leaves, from 0, was " + category);
    }
    int cell = leaves() + (int) category;
    for (int level = finest(); level > 0; level--) {
      cells[level] = cell;
      int found = Arrays.binarySearch(children, starts[level - 1], starts[level], cell);
      cell = found >= 0 ? found : -found - 2;
    }
    cells[0] = 0;
  }

  @Override
  public void encode(CanonicalEncoder encoder) {
    encoder
        .text("levels")
        .numbers(Arrays.stream(starts).asLongStream().toArray())
        .numbers(Arrays.stream(children).asLongStream().toArray());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LevelTables tables
        && Arrays.equals(starts, tables.starts)
        && Arrays.equals(children, tables.children);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(starts) + Arrays.hashCode(children);
  }

  @Override
  public String toString() {
    int[] nodes = new int[tables()];
    Arrays.setAll(nodes, this::size);
    return "levels of " + Arrays.toString(nodes) + " nodes";
  }
}
