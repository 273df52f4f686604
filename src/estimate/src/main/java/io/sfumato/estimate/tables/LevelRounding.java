// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.LevelTables;

/** Possible and whole numbers on a tree, from the total down. */
final class LevelRounding implements ConsistentRounding {
  private final LevelTables tables;

  LevelRounding(LevelTables tables) {
    this.tables = tables;
  }

  /** Children that are below 0 become 0, and all of a node are scaled to add up to it. */
  @Override
  public void makePossible(double[] cells, double total) {
    cells[0] = total;
    for (int cell = 0; cell < tables.leaves(); cell++) {
      int from = tables.children(cell);
      int to = tables.children(cell + 1);
      double sum = 0;
      for (int c = from; c < to; c++) {
        cells[c] = Math.max(0, cells[c]);
        sum += cells[c];
      }
      for (int c = from; c < to; c++) {
        cells[c] = sum > 0 ? cells[c] * (cells[cell] / sum) : cells[cell] / (to - from);
      }
    }
  }

  /**
   * Each node is the whole number below or the next one: if its parent is, then what is left for
   * the remainders is at least 0 and no more than there are children.
   */
  @Override
  public long[] rounded(double[] cells) {
    long[] whole = new long[cells.length];
    whole[0] = Math.round(cells[0]);
    for (int cell = 0; cell < tables.leaves(); cell++) {
      LargestRemainders.round(
          cells, tables.children(cell), tables.children(cell + 1), whole[cell], whole);
    }
    return whole;
  }
}
