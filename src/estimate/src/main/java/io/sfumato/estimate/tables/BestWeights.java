// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.TableWeights;
import io.sfumato.mechanism.tables.Tables;

/**
 * The weights of least error: f(p), the sum over tables of the mean variance of a cell, is convex
 * and falls in proportion to 1/p, so at the best p of sum 1 no table has -df/dp_S above f. The
 * multiplicative algorithm p_S sqrt(-df/dp_S) lets f fall in every step (Yu 2010). A function of
 * public facts alone.
 */
public final class BestWeights {
  /** How far f is from its least value, at most, as a part of it: then the search ends. */
  private static final double GAP = 1e-4;

  private static final int MOST_STEPS = 5000;

  /** A part of the budget that is not worth a table's noise. */
  private static final double NEGLIGIBLE = 1e-5;

  private BestWeights() {}

  /** All tables with these weights. */
  public static TableQuery query(Tables tables, Tables.Total total) {
    return new TableQuery(tables, of(tables, total));
  }

  /** Of all tables; the total has none where it is public. */
  public static TableWeights of(Tables tables, Tables.Total total) {
    double[] p = new double[tables.tables()];
    for (int table = total == Tables.Total.PUBLIC ? 1 : 0; table < p.length; table++) {
      p[table] = 1;
    }
    normalise(p);
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] descent = LeastSquares.of(tables, total, p).descent();
      if (gap(p, descent) <= GAP) {
        break;
      }
      for (int table = 0; table < p.length; table++) {
        p[table] *= Math.sqrt(descent[table]);
      }
      normalise(p);
    }
    for (int table = 0; table < tables.finest(); table++) {
      p[table] = p[table] < NEGLIGIBLE ? 0 : p[table];
    }
    normalise(p);
    return TableWeights.ofPrecisions(p);
  }

  /**
   * By how much f may be above its least value, as a part of f: since f is convex, that is at least
   * f(p) + (df, q - p) for every q of the same sum, and (df, p) = -f.
   *
   * @param p precisions
   * @param descent -df/dp
   */
  static double gap(double[] p, double[] descent) {
    double f = 0;
    double sum = 0;
    double most = 0;
    for (int table = 0; table < p.length; table++) {
      f += p[table] * descent[table];
      sum += p[table];
      most = Math.max(most, descent[table]);
    }
    return most * sum / f - 1;
  }

  private static void normalise(double[] p) {
    double sum = 0;
    for (double x : p) {
      sum += x;
    }
    for (int table = 0; table < p.length; table++) {
      p[table] /= sum;
    }
  }
}
