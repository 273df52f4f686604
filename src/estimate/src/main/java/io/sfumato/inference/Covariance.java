// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import java.util.Arrays;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;

/** A covariance that residuals are measured by, as its Cholesky factor. Immutable. */
final class Covariance {
  /** Columns of the factor from the diagonal on; of independent noise the diagonal alone. */
  private final double[][] columns;

  private Covariance(double[][] columns) {
    this.columns = columns;
  }

  /** Independent noise of one variance. */
  static Covariance ofNoise(int size, double variance) {
    double[][] columns = new double[size][];
    Arrays.setAll(columns, i -> new double[] {Math.sqrt(variance)});
    return new Covariance(columns);
  }

  /**
   * A multiple of a covariance, and independent noise.
   *
   * @param times at least 0
   * @param variance of the noise, above 0: the sum is positive definite
   */
  static Covariance of(double[][] covariance, double times, double variance) {
    double[][] sum = new double[covariance.length][covariance.length];
    for (int i = 0; i < sum.length; i++) {
      for (int j = 0; j < sum.length; j++) {
        sum[i][j] = times * covariance[i][j] + (i == j ? variance : 0);
      }
    }
    double[][] columns =
        new CholeskyDecomposition(new Array2DRowRealMatrix(sum, false)).getLT().getData();
    Arrays.setAll(columns, i -> Arrays.copyOfRange(columns[i], i, columns.length));
    return new Covariance(columns);
  }

  /** Makes of a vector, in place, one whose squares add up to its distance by this covariance. */
  void whiten(double[] vector) {
    for (int i = 0; i < vector.length; i++) {
      double[] column = columns[i];
      double solved = vector[i] / column[0];
      vector[i] = solved;
      for (int k = 1; k < column.length; k++) {
        vector[i + k] -= column[k] * solved;
      }
    }
  }
}
