// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import io.sfumato.mechanism.tables.Tables;
import java.util.Arrays;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.RealMatrix;
import org.apache.commons.math3.linear.SingularValueDecomposition;

/**
 * Generalised least squares by matrices: consistent cells are what any numbers of records by
 * category come to, of any sign; with a public total they are N in the first category and
 * differences from it.
 */
final class DenseSquares {
  private final Tables tables;
  private final double[] offset;
  private final RealMatrix projection;
  private final RealMatrix covariance;

  DenseSquares(Tables tables, Tables.Total total, double... precisions) {
    this.tables = tables;
    boolean isPublic = total == Tables.Total.PUBLIC;
    int categories = (int) tables.categories();
    double[][] design = new double[tables.cells()][categories];
    int[] places = new int[tables.tables()];
    for (int category = 0; category < categories; category++) {
      tables.cellsOf(category, places);
      for (int place : places) {
        design[place][category] = 1;
      }
    }
    offset = new double[tables.cells()];
    for (int cell = 0; isPublic && cell < offset.length; cell++) {
      offset[cell] = design[cell][0];
      for (int category = categories - 1; category >= 0; category--) {
        design[cell][category] -= design[cell][0];
      }
    }
    double[] weights = new double[tables.cells()];
    for (int table = 0; table < tables.tables(); table++) {
      Arrays.fill(weights, tables.start(table), tables.start(table + 1), precisions[table]);
    }
    RealMatrix x = new Array2DRowRealMatrix(design);
    RealMatrix weighted = x.transpose().copy();
    for (int cell = 0; cell < weights.length; cell++) {
      for (int category = 0; category < categories; category++) {
        weighted.multiplyEntry(category, cell, weights[cell]);
      }
    }
    RealMatrix inverse =
        new SingularValueDecomposition(weighted.multiply(x)).getSolver().getInverse();
    projection = x.multiply(inverse).multiply(weighted);
    covariance = x.multiply(inverse).multiply(x.transpose());
  }

  double[] projected(double[] cells, double total) {
    double[] moved = new double[cells.length];
    Arrays.setAll(moved, cell -> cells[cell] - total * offset[cell]);
    double[] fitted = projection.operate(moved);
    Arrays.setAll(fitted, cell -> fitted[cell] + total * offset[cell]);
    return fitted;
  }

  double[] variances() {
    double[] variances = new double[tables.cells()];
    Arrays.setAll(variances, cell -> covariance.getEntry(cell, cell));
    return variances;
  }
}
