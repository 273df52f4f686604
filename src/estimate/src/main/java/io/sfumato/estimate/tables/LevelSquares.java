// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.LevelTables;
import io.sfumato.mechanism.tables.Tables;
import java.util.Arrays;

/**
 * Least squares on a tree: up from the leaves what each node's own part of the tree tells of it,
 * down again what its parent knows (Hay, Rastogi, Miklau, Suciu 2010, for any weights and shapes).
 */
final class LevelSquares implements LeastSquares {
  private final LevelTables tables;
  private final Tables.Total total;

  /** Of each cell: the precision of its own measurement. */
  private final double[] p;

  /** 1/P: variance of what a cell's part of the tree tells of it. */
  private final double[] u;

  /** V: variance of what the children's parts tell of it, the sum of their 1/P. */
  private final double[] v;

  LevelSquares(LevelTables tables, Tables.Total total, double... precisions) {
    this.tables = tables;
    this.total = total;
    this.p = precisions.clone();
    if (p.length != tables.tables()) {
      throw new IllegalArgumentException(p.length + " precisions, " + tables.tables() + " levels");
    }
    if (!(p[tables.finest()] > 0)) {
      throw new IllegalArgumentException("leaves are measured");
    }
    this.u = new double[tables.cells()];
    this.v = new double[tables.leaves()];
    Arrays.fill(u, tables.leaves(), u.length, 1 / p[tables.finest()]);
    for (int level = tables.finest() - 1; level >= 0; level--) {
      for (int cell = tables.start(level); cell < tables.start(level + 1); cell++) {
        for (int c = tables.children(cell); c < tables.children(cell + 1); c++) {
          v[cell] += u[c];
        }
        u[cell] = 1 / (p[level] + 1 / v[cell]);
      }
    }
  }

  @Override
  public void project(double[] cells, double known) {
    double[] sums = new double[v.length];
    for (int level = tables.finest() - 1; level >= 0; level--) {
      for (int cell = tables.start(level); cell < tables.start(level + 1); cell++) {
        double sum = 0;
        for (int c = tables.children(cell); c < tables.children(cell + 1); c++) {
          sum += cells[c];
        }
        sums[cell] = sum;
        cells[cell] = p[level] > 0 ? (p[level] * cells[cell] + sum / v[cell]) * u[cell] : sum;
      }
    }
    if (total == Tables.Total.PUBLIC) {
      cells[0] = known;
    }
    for (int cell = 0; cell < v.length; cell++) {
      double missing = (cells[cell] - sums[cell]) / v[cell];
      for (int c = tables.children(cell); c < tables.children(cell + 1); c++) {
        cells[c] += missing * u[c];
      }
    }
  }

  /** u - u^2 / V + (u / V)^2 times the parent's. */
  @Override
  public double[] variances() {
    double[] variances = new double[u.length];
    variances[0] = total == Tables.Total.PUBLIC ? 0 : u[0];
    for (int cell = 0; cell < v.length; cell++) {
      for (int c = tables.children(cell); c < tables.children(cell + 1); c++) {
        double g = u[c] / v[cell];
        variances[c] = u[c] * (1 - g) + g * g * variances[cell];
      }
    }
    return variances;
  }

  @Override
  public double[] meanVariances() {
    double[] variances = variances();
    double[] means = new double[tables.tables()];
    for (int level = 0; level < means.length; level++) {
      for (int cell = tables.start(level); cell < tables.start(level + 1); cell++) {
        means[level] += variances[cell];
      }
      means[level] /= tables.size(level);
    }
    return means;
  }

  /** The derivative by every intermediate result, from the last to the first. */
  @Override
  public double[] descent() {
    double[] variances = variances();
    double[] ofVariance = new double[u.length];
    double[] ofU = new double[u.length];
    double[] ofV = new double[v.length];
    for (int level = tables.finest(); level >= 0; level--) {
      for (int cell = tables.start(level); cell < tables.start(level + 1); cell++) {
        ofVariance[cell] += 1.0 / tables.size(level);
        if (level < tables.finest()) {
          backwards(cell, variances[cell], ofVariance, ofU, ofV);
        }
      }
    }
    ofU[0] += total == Tables.Total.PUBLIC ? 0 : ofVariance[0];
    double[] descent = new double[tables.tables()];
    for (int level = 0; level < descent.length; level++) {
      for (int cell = tables.start(level); cell < tables.start(level + 1); cell++) {
        // u = 1 / (p + 1/V), V the sum of the children's u.
        descent[level] += ofU[cell] * u[cell] * u[cell];
        if (level < tables.finest()) {
          double g = u[cell] / v[cell];
          ofV[cell] += ofU[cell] * g * g;
          for (int c = tables.children(cell); c < tables.children(cell + 1); c++) {
            ofU[c] += ofV[cell];
          }
        }
      }
    }
    return descent;
  }

  private void backwards(
      int cell, double variance, double[] ofVariance, double[] ofU, double[] ofV) {
    double all = v[cell];
    for (int c = tables.children(cell); c < tables.children(cell + 1); c++) {
      double g = u[c] / all;
      ofVariance[cell] += ofVariance[c] * g * g;
      ofU[c] += ofVariance[c] * (1 - 2 * g + 2 * g * variance / all);
      ofV[cell] += ofVariance[c] * (g * g - 2 * g * g * variance / all);
    }
  }
}
