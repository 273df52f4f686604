// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.Tables;

/**
 * The generalised least squares estimate of all cells from noisy ones, a projection: the nearest
 * consistent cells, every table weighted by its precision. Immutable.
 */
public sealed interface LeastSquares permits CrossSquares, LevelSquares {
  /**
   * Of these tables, on what is measured of them.
   *
   * @param precisions one a table: 1 / variance of a measured cell; 0 where a table is not
   *     measured, above 0 for the finest
   */
  static LeastSquares of(Tables tables, Tables.Total total, double... precisions) {
    return tables instanceof CrossTables cross
        ? new CrossSquares(cross, total, precisions)
        : new LevelSquares((LevelTables) tables, total, precisions);
  }

  /**
   * Makes cells consistent: every sum of a finer table is the cell of the coarser one.
   *
   * @param cells all of all tables, in records; those of tables that are not measured are not read.
   *     Is changed
   * @param total number of records where it is public; else not read
   */
  void project(double[] cells, double total);

  /** Variance of each cell's estimate, where the noise has variance 1 at precision 1. */
  double[] variances();

  /** Mean of these over each table. */
  double[] meanVariances();

  /**
   * By how much the sum of the means falls with the precision of each table: -df/dp, at least 0.
   */
  double[] descent();
}
