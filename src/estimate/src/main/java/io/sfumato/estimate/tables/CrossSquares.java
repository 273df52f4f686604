// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.Tables;

/**
 * Least squares on the tables of columns, in closed form: a table is the sum of residuals, one for
 * each set A of its columns, which are orthogonal, and each of which every table that has these
 * columns measures apart (as in Xiao, He, Zhang, Kifer 2023).
 */
final class CrossSquares implements LeastSquares {
  private final CrossTables tables;
  private final Tables.Total total;
  private final double[] p;
  private final int columns;

  /** Q_A = sum over tables S that contain A of p_S / N_(S without A): of none, of columns. */
  private final double qNone;

  private final double[] q;

  CrossSquares(CrossTables tables, Tables.Total total, double... precisions) {
    this.tables = tables;
    this.total = total;
    this.p = precisions.clone();
    this.columns = tables.columns();
    if (p.length != tables.tables()) {
      throw new IllegalArgumentException(p.length + " precisions, " + tables.tables() + " tables");
    }
    for (int table = tables.finest(); table < p.length; table++) {
      if (!(p[table] > 0)) {
        throw new IllegalArgumentException("the finest tables are measured");
      }
    }
    double none = p[0];
    this.q = new double[columns];
    for (int i = 0; i < columns; i++) {
      q[i] = p[1 + i];
      none += p[1 + i] / n(i);
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      int i = tables.first(pair);
      int j = tables.second(pair);
      double ofPair = p[tables.ofPair(pair)];
      q[i] += ofPair / n(j);
      q[j] += ofPair / n(i);
      none += ofPair / (n(i) * n(j));
    }
    this.qNone = none;
  }

  private double n(int column) {
    return tables.values(column);
  }

  @Override
  public void project(double[] cells, double known) {
    double none = p[0] > 0 ? p[0] * cells[0] : 0;
    double[][] r = new double[columns][];
    for (int i = 0; i < columns; i++) {
      r[i] = new double[tables.values(i)];
      if (p[1 + i] > 0) {
        int start = tables.start(1 + i);
        double sum = 0;
        for (int v = 0; v < r[i].length; v++) {
          r[i][v] = cells[start + v];
          sum += r[i][v];
        }
        add(-sum / n(i), r[i]);
        scale(p[1 + i], r[i]);
        none += p[1 + i] / n(i) * sum;
      }
    }
    double[][] rows = new double[tables.pairs()][];
    double[][] lines = new double[tables.pairs()][];
    for (int pair = 0; pair < tables.pairs(); pair++) {
      int i = tables.first(pair);
      int j = tables.second(pair);
      rows[pair] = new double[tables.values(i)];
      lines[pair] = new double[tables.values(j)];
      double sum = sums(cells, tables.start(tables.ofPair(pair)), rows[pair], lines[pair]);
      double ofPair = p[tables.ofPair(pair)];
      accumulate(ofPair / n(j), rows[pair], sum / n(i), r[i]);
      accumulate(ofPair / n(i), lines[pair], sum / n(j), r[j]);
      none += ofPair / (n(i) * n(j)) * sum;
    }
    double all = total == Tables.Total.PUBLIC ? known : none / qNone;
    cells[0] = all;
    for (int i = 0; i < columns; i++) {
      int start = tables.start(1 + i);
      for (int v = 0; v < r[i].length; v++) {
        r[i][v] = r[i][v] / q[i] + all / n(i);
        cells[start + v] = r[i][v];
      }
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      fit(cells, pair, rows[pair], lines[pair], r, all);
    }
  }

  /**
   * Sums over the second column and the first; gives that of all. Four rows at a time, since a sum
   * waits for each addition before the next; every sum adds up in the order of the cells.
   */
  private static double sums(double[] cells, int start, double[] rows, double[] lines) {
    int at = start;
    int v = 0;
    for (; v + 4 <= rows.length; v += 4) {
      fourRows(cells, at, rows, v, lines);
      at += 4 * lines.length;
    }
    for (; v < rows.length; v++) {
      double sum = 0;
      for (int w = 0; w < lines.length; w++) {
        double cell = cells[at + w];
        sum += cell;
        lines[w] += cell;
      }
      at += lines.length;
      rows[v] = sum;
    }
    double all = 0;
    for (double sum : rows) {
      all += sum;
    }
    return all;
  }

  private static void fourRows(double[] cells, int start, double[] rows, int v, double[] lines) {
    int second = start + lines.length;
    int third = second + lines.length;
    int fourth = third + lines.length;
    double sum0 = 0;
    double sum1 = 0;
    double sum2 = 0;
    double sum3 = 0;
    for (int w = 0; w < lines.length; w++) {
      double cell0 = cells[start + w];
      double cell1 = cells[second + w];
      double cell2 = cells[third + w];
      double cell3 = cells[fourth + w];
      sum0 += cell0;
      sum1 += cell1;
      sum2 += cell2;
      sum3 += cell3;
      lines[w] = lines[w] + cell0 + cell1 + cell2 + cell3;
    }
    rows[v] = sum0;
    rows[v + 1] = sum1;
    rows[v + 2] = sum2;
    rows[v + 3] = sum3;
  }

  private static void accumulate(double weight, double[] margin, double mean, double[] r) {
    for (int v = 0; v < r.length; v++) {
      r[v] += weight * (margin[v] - mean);
    }
  }

  private static void add(double x, double[] r) {
    for (int v = 0; v < r.length; v++) {
      r[v] += x;
    }
  }

  private static void scale(double x, double[] r) {
    for (int v = 0; v < r.length; v++) {
      r[v] *= x;
    }
  }

  /** The residual of both columns is the table's own; its margins become those of the columns. */
  private void fit(
      double[] cells, int pair, double[] rows, double[] lines, double[][] singles, double all) {
    double[] first = singles[tables.first(pair)];
    double[] second = singles[tables.second(pair)];
    double sum = 0;
    for (double row : rows) {
      sum += row;
    }
    double between = (sum - all) / ((double) rows.length * lines.length);
    double[] byLine = new double[lines.length];
    for (int w = 0; w < lines.length; w++) {
      byLine[w] = (second[w] - lines[w]) / rows.length;
    }
    int at = tables.start(tables.ofPair(pair));
    for (int v = 0; v < rows.length; v++) {
      double byRow = (first[v] - rows[v]) / lines.length + between;
      for (int w = 0; w < lines.length; w++) {
        cells[at + w] += byRow + byLine[w];
      }
      at += lines.length;
    }
  }

  @Override
  public double[] variances() {
    double[] means = meanVariances();
    double[] variances = new double[tables.cells()];
    for (int table = 0; table < means.length; table++) {
      for (int cell = tables.start(table); cell < tables.start(table + 1); cell++) {
        variances[cell] = means[table];
      }
    }
    return variances;
  }

  /**
   * Sum over A in S of e_A / (Q_A N_(S without A)^2), e_A the product of 1 - 1/n: all cells' own.
   */
  @Override
  public double[] meanVariances() {
    double[] variances = new double[p.length];
    variances[0] = total == Tables.Total.PUBLIC ? 0 : 1 / qNone;
    for (int i = 0; i < columns; i++) {
      variances[1 + i] = e(i) / q[i] + variances[0] / (n(i) * n(i));
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      int i = tables.first(pair);
      int j = tables.second(pair);
      int table = tables.ofPair(pair);
      variances[table] =
          e(i) * e(j) / p[table]
              + e(i) / (q[i] * n(j) * n(j))
              + e(j) / (q[j] * n(i) * n(i))
              + variances[0] / (n(i) * n(i) * n(j) * n(j));
    }
    return variances;
  }

  private double e(int column) {
    return 1 - 1 / n(column);
  }

  /** The sum of the variances is sum of c_A / Q_A, so -d/dp_S is sum of c_A / (Q_A^2 N). */
  @Override
  public double[] descent() {
    double none = 1;
    double[] c = new double[columns];
    for (int i = 0; i < columns; i++) {
      c[i] = e(i);
      none += 1 / (n(i) * n(i));
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      int i = tables.first(pair);
      int j = tables.second(pair);
      c[i] += e(i) / (n(j) * n(j));
      c[j] += e(j) / (n(i) * n(i));
      none += 1 / (n(i) * n(i) * n(j) * n(j));
    }
    double[] descent = new double[p.length];
    descent[0] = total == Tables.Total.PUBLIC ? 0 : none / (qNone * qNone);
    for (int i = 0; i < columns; i++) {
      c[i] /= q[i] * q[i];
      descent[1 + i] = c[i] + descent[0] / n(i);
    }
    for (int pair = 0; pair < tables.pairs(); pair++) {
      int i = tables.first(pair);
      int j = tables.second(pair);
      int table = tables.ofPair(pair);
      descent[table] =
          e(i) * e(j) / (p[table] * p[table])
              + c[i] / n(j)
              + c[j] / n(i)
              + descent[0] / (n(i) * n(j));
    }
    return descent;
  }
}
