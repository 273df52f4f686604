// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.matrix;

import io.sfumato.mechanism.matrix.ToeplitzRoot;

/**
 * B = A C^-1 of a factorisation A = B C, for exactly the rounded C: what makes running sums of
 * noisy rows, and how noise spreads in them. B is lower-triangular with b_(i-j) in row i and column
 * j. Post-processing of what is published; the same bytes on every machine ({@link RealProduct}).
 * Immutable.
 */
public final class RootEstimate {
  /** b_0, b_1, ... */
  private final double[] b;

  private final RealProduct product;

  /** Squared norms of B's rows. */
  private final double[] squares;

  /** Of C. */
  public RootEstimate(ToeplitzRoot root) {
    long[] steps = root.coefficients();
    double[] c = new double[steps.length];
    for (int k = 0; k < c.length; k++) {
      c[k] = steps[k] / (double) ToeplitzRoot.STEPS;
    }
    // In power series: a = 1 / (1 - x), so b = a / c is the running sum of 1 / c.
    this.b = RealProduct.inverse(c);
    this.squares = new double[b.length];
    double square = 0;
    for (int k = 0; k < b.length; k++) {
      b[k] += k == 0 ? 0 : b[k - 1];
      square += b[k] * b[k];
      squares[k] = square;
    }
    this.product = new RealProduct(b);
  }

  /** n. */
  public int rows() {
    return b.length;
  }

  /**
   * B y: an unbiased estimate of all running sums, in records.
   *
   * @param y as many rows, in steps
   * @throws IllegalArgumentException if there are more or fewer rows
   */
  public double[] sums(long... y) {
    if (y.length != b.length) {
      throw new IllegalArgumentException(y.length + " noisy rows for " + b.length);
    }
    double[] rows = new double[y.length];
    for (int i = 0; i < rows.length; i++) {
      rows[i] = y[i] / (double) ToeplitzRoot.STEPS;
    }
    return product.with(rows);
  }

  /**
   * Standard deviation of a running sum where that of a row's noise is 1: the norm of B's row.
   *
   * @param row of the sum, from 0
   */
  public double deviation(int row) {
    return Math.sqrt(squares[row]);
  }

  /**
   * Covariance of two running sums where the variance of a row's noise is 1.
   *
   * @param first row, from 0
   * @param second row, from 0
   */
  public double covariance(int first, int second) {
    int distance = Math.abs(first - second);
    double sum = 0;
    for (int k = 0; k <= Math.min(first, second); k++) {
      sum += b[k] * b[k + distance];
    }
    return sum;
  }

  /** The covariance of every running sum with the last one, likewise: all at once. */
  public double[] covariancesWithLast() {
    double[] reversed = new double[b.length];
    for (int k = 0; k < b.length; k++) {
      reversed[k] = b[b.length - 1 - k];
    }
    return product.with(reversed);
  }

  /** Root mean square of the deviations of all running sums. */
  public double rootMeanSquare() {
    double sum = 0;
    for (double square : squares) {
      sum += square;
    }
    return Math.sqrt(sum / squares.length);
  }

  /** The largest deviation, which is the last running sum's. */
  public double largest() {
    return deviation(squares.length - 1);
  }
}
