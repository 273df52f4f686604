// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.Tables;

/** Takes consistent cells to possible ones, and these to whole numbers, all sums still equal. */
public sealed interface ConsistentRounding permits CrossRounding, LevelRounding {
  /** Of these tables. */
  static ConsistentRounding of(Tables tables) {
    return tables instanceof CrossTables cross
        ? new CrossRounding(cross)
        : new LevelRounding((LevelTables) tables);
  }

  /**
   * Takes cells that are consistent but for small errors, some of them slightly below 0, to
   * consistent ones that are at least 0. Moves them by about as much as they err.
   *
   * @param cells is changed
   * @param total of all records, at least 0: the sum of every table afterwards
   */
  void makePossible(double[] cells, double total);

  /**
   * Whole numbers near consistent ones, with all sums equal again and none below 0.
   *
   * @param cells consistent, at least 0
   */
  long[] rounded(double[] cells);
}
