// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.tables;

import java.util.Arrays;

/**
 * The nearest consistent cells of which none is below 0, tables weighted as one likes. Dykstra's
 * alternating projections (1983) onto consistent cells and onto finest cells that are at least 0
 * come to mu := max(0, mu - x) with x = P(y + mu), mu what clamping has added to the finest cells:
 * steps of length 1 up the dual problem. They are accelerated, and begin anew where that overshoots
 * (Beck, Teboulle 2009; O'Donoghue, Candes 2015).
 */
final class Nonnegative {
  private static final int MOST_STEPS = 400;

  private final Tables tables;
  private final LeastSquares squares;

  /** Weight of each finest cell. */
  private final double[] w;

  private final int from;

  /**
   * @param squares of these weights
   * @param weights one a table, above 0 for the finest
   */
  Nonnegative(Tables tables, LeastSquares squares, double... weights) {
    this.tables = tables;
    this.squares = squares;
    this.from = tables.start(tables.finest());
    this.w = new double[tables.cells() - from];
    for (int table = tables.finest(); table < tables.tables(); table++) {
      Arrays.fill(w, tables.start(table) - from, tables.start(table + 1) - from, weights[table]);
    }
  }

  /**
   * Projects consistent cells.
   *
   * @param fitted the least squares estimate; is changed
   * @param tolerance how far below 0 a cell may stay, above 0
   * @return number of steps
   */
  int project(double[] fitted, double tolerance) {
    double[] free = fitted.clone();
    double[] mu = new double[w.length];
    double[] before = mu;
    double[] ahead = mu.clone();
    double[] x = Arrays.copyOfRange(free, from, free.length);
    double[] xBefore = x.clone();
    double[] xAhead = x.clone();
    double momentum = 1;
    int steps = 0;
    for (; steps < MOST_STEPS && !isNear(mu, x, tolerance); steps++) {
      before = mu;
      mu = new double[w.length];
      double turn = 0;
      for (int i = 0; i < mu.length; i++) {
        mu[i] = Math.max(0, ahead[i] - xAhead[i]);
        turn += w[i] * (ahead[i] - mu[i]) * (mu[i] - before[i]);
      }
      fit(free, mu, fitted);
      xBefore = x;
      x = Arrays.copyOfRange(fitted, from, fitted.length);
      double next = turn > 0 ? 1 : (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
      double beta = turn > 0 ? 0 : (momentum - 1) / next;
      momentum = next;
      for (int i = 0; i < mu.length; i++) {
        ahead[i] = mu[i] + beta * (mu[i] - before[i]);
        xAhead[i] = x[i] + beta * (x[i] - xBefore[i]);
      }
    }
    return steps;
  }

  /** free + P(mu): the projection is linear, and its total does not move where it is public. */
  private void fit(double[] free, double[] mu, double[] fitted) {
    Arrays.fill(fitted, 0, from, 0);
    System.arraycopy(mu, 0, fitted, from, mu.length);
    squares.project(fitted, 0);
    for (int cell = 0; cell < fitted.length; cell++) {
      fitted[cell] += free[cell];
    }
  }

  /** Whether no cell is far below 0, and none that is far above was raised. */
  private static boolean isNear(double[] mu, double[] x, double tolerance) {
    for (int i = 0; i < x.length; i++) {
      if (x[i] < -tolerance || Math.min(mu[i], x[i]) > tolerance) {
        return false;
      }
    }
    return true;
  }
}
