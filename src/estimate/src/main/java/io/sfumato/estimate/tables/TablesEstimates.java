// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.Tables;

/**
 * From noisy tables to consistent ones. Post-processing of what was drawn and of public facts, the
 * same bytes on every machine.
 *
 * <p>First least squares, tables weighted by their precisions: never further from the truth, so
 * weighted, than the noisy cells were. Then the nearest consistent cells that are at least 0: never
 * further from the truth either, in weights w_S of their own (Theorem O of docs/theory/tables.md
 * holds for any). By precisions alone each of the many empty cells of fine tables, raised to 0,
 * would raise the total with it: by 527 of 2,000 records in a simulation of eight columns of 19
 * values, where the noise of the total is 24. So w_S is 1 / (variance sqrt(number of cells)), ten
 * times that for the total, which is then off by 27.
 *
 * <p>Intervals do not come from these cells, which are pushed about by the noise of others: where
 * most cells are empty, intervals around them would hold the truth of the larger ones less often
 * than they say (in 92% of cases in that simulation). They lie around the estimate of least
 * squares, which knows no bounds, has no bias and a known variance, and are widened to hold the
 * count.
 */
public final class TablesEstimates {
  /** How often a cell's interval holds the truth, or more often. */
  public static final double CONFIDENCE = 0.95;

  /** The 97.5% quantile of the standard normal law. */
  static final double Z = 1.959963984540054;

  /** How far below 0 a cell may stay before all are made possible, in deviations of its noise. */
  private static final double NEAR = 4e-3;

  /** What the total weighs more. */
  private static final double TOTAL = 10;

  /** Variances of this part of a fine cell's are roundings of 0: the cell follows from N. */
  private static final double NOTHING = 1e-12;

  private final TableQuery query;
  private final Tables tables;
  private final LeastSquares squares;
  private final double[] halves;
  private final Nonnegative nonnegative;
  private final double tolerance;

  /** Of what a mechanism draws. */
  public TablesEstimates(GridMeasurement<TableQuery> mechanism) {
    this.query = mechanism.query();
    this.tables = query.tables();
    double[] precisions = query.weights().precisions();
    Tables.Total total = Tables.Total.of(mechanism.sizeIsPublic());
    this.squares = LeastSquares.of(tables, total, precisions);
    this.nonnegative = nonnegative(total);
    this.halves = squares.variances();
    double least = Double.POSITIVE_INFINITY;
    for (int cell = 0; cell < halves.length; cell++) {
      double deviation = mechanism.deviation() * Math.sqrt(halves[cell]);
      if (cell >= tables.start(tables.finest())) {
        least = Math.min(least, deviation);
      }
      halves[cell] = Z * deviation;
    }
    this.tolerance = NEAR * least;
  }

  private Nonnegative nonnegative(Tables.Total total) {
    double[] w = squares.meanVariances();
    double nothing = NOTHING * w[w.length - 1];
    for (int table = 0; table < w.length; table++) {
      w[table] = w[table] > nothing ? 1 / (w[table] * Math.sqrt(tables.size(table))) : 0;
    }
    w[0] *= TOTAL;
    return new Nonnegative(tables, LeastSquares.of(tables, total, w), w);
  }

  /** Half the width of each cell's interval, in records, before it is widened or cut. */
  public double[] halfWidths() {
    return halves.clone();
  }

  /**
   * Noisy cells in records; 0 where a table is not measured.
   *
   * @throws IllegalArgumentException if the vector has not one number for each measured cell
   */
  public double[] measured(NoisyVector drawn) {
    if (drawn.size() != query.measuredCells()) {
      throw new IllegalArgumentException(
          drawn.size() + " noisy cells for " + query.measuredCells() + " that are measured");
    }
    double[] measured = new double[tables.cells()];
    int next = 0;
    for (int table = 0; table < tables.tables(); table++) {
      double weight = query.weights().of(table);
      for (int cell = tables.start(table); weight > 0 && cell < tables.start(table + 1); cell++) {
        measured[cell] = drawn.of(next++) / weight;
      }
    }
    return measured;
  }

  /**
   * The estimate of least squares: consistent, without bias, of any sign. In records.
   *
   * @throws IllegalArgumentException if the vector has not one number for each measured cell
   */
  public double[] unbounded(NoisyVector drawn) {
    double[] cells = measured(drawn);
    squares.project(cells, drawn.records().orElse(0));
    return cells;
  }

  /**
   * The nearest consistent cells that are at least 0, in records, not rounded.
   *
   * @throws IllegalArgumentException if the vector has not one number for each measured cell
   */
  public double[] possible(NoisyVector drawn) {
    return possible(unbounded(drawn));
  }

  private double[] possible(double[] unbounded) {
    double[] cells = unbounded.clone();
    nonnegative.project(cells, tolerance);
    ConsistentRounding.of(tables).makePossible(cells, Math.max(0, cells[0]));
    return cells;
  }

  /**
   * What is published.
   *
   * @throws IllegalArgumentException if the vector has not one number for each measured cell
   */
  public TablesEstimate of(NoisyVector drawn) {
    double[] unbounded = unbounded(drawn);
    long[] counts = ConsistentRounding.of(tables).rounded(possible(unbounded));
    long[] low = new long[counts.length];
    long[] high = new long[counts.length];
    boolean[] clamped = new boolean[counts.length];
    for (int cell = 0; cell < counts.length; cell++) {
      clamped[cell] = unbounded[cell] < 0;
      // An interval of what cannot be is moved to what can, lest it shrink to a point.
      double near = Math.max(0, unbounded[cell]);
      // The truth is whole: no whole number is lost by rounding inward.
      double from = Math.ceil(near - halves[cell]);
      double to = Math.floor(near + halves[cell]);
      low[cell] = Math.max(0, Math.min(counts[cell], (long) from));
      high[cell] = Math.max(counts[cell], (long) to);
    }
    return new TablesEstimate(counts, low, high, clamped);
  }
}
