// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.Tables;
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
    // Buffers take turns: what is written in a step was last read two steps before.
    double[] mu = new double[w.length];
    double[] before = new double[w.length];
    double[] ahead = new double[w.length];
    double[] x = Arrays.copyOfRange(free, from, free.length);
    double[] xBefore = new double[w.length];
    double[] xAhead = x.clone();
    double momentum = 1;
    int steps = 0;
    for (; steps < MOST_STEPS && !isNear(mu, x, tolerance); steps++) {
      double[] old = before;
      before = mu;
      mu = old;
      double turn = 0;
      for (int i = 0; i < mu.length; i++) {
        double raised = Math.max(0, ahead[i] - xAhead[i]);
        turn += w[i] * (ahead[i] - raised) * (raised - before[i]);
        mu[i] = raised;
      }
      fit(free, mu, fitted);
      old = xBefore;
      xBefore = x;
      x = old;
      System.arraycopy(fitted, from, x, 0, x.length);
      double next = turn > 0 ? 1 : (1 + Math.sqrt(1 + 4 * momentum * momentum)) / 2;
      double beta = turn > 0 ? 0 : (momentum - 1) / next;
      momentum = next;
      extrapolate(mu, before, beta, ahead);
      extrapolate(x, xBefore, beta, xAhead);
    }
    return steps;
  }

  private static void extrapolate(double[] now, double[] before, double beta, double[] ahead) {
    for (int i = 0; i < ahead.length; i++) {
      ahead[i] = now[i] + beta * (now[i] - before[i]);
    }
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
