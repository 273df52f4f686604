// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.CholeskyDecomposition;

/** A covariance that residuals are measured by, as its Cholesky factor. Immutable. */
final class Covariance {
  private final double[][] factor;

  private Covariance(double[][] factor) {
    this.factor = factor;
  }

  /** Independent noise of one variance. */
  static Covariance ofNoise(int size, double variance) {
    double[][] factor = new double[size][];
    for (int i = 0; i < size; i++) {
      factor[i] = new double[] {Math.sqrt(variance)};
    }
    return new Covariance(factor);
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
    return new Covariance(
        new CholeskyDecomposition(new Array2DRowRealMatrix(sum, false)).getL().getData());
  }

  /** Makes of a vector, in place, one whose squares add up to its distance by this covariance. */
  void whiten(double[] vector) {
    if (factor[0].length == 1 && vector.length > 1) {
      for (int i = 0; i < vector.length; i++) {
        vector[i] /= factor[i][0];
      }
      return;
    }
    for (int i = 0; i < vector.length; i++) {
      double[] row = factor[i];
      double left = vector[i];
      for (int j = 0; j < i; j++) {
        left -= row[j] * vector[j];
      }
      vector[i] = left / row[i];
    }
  }
}
