// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import io.sfumato.mechanism.ExactVector;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * C of a factorisation A = B C of running sums (docs/theory/running-sums.md, Theorem J), A the
 * lower-triangular matrix of ones: lower-triangular, with c_(i-j) in row i and column j. The c_i
 * are those of the root, {@code binom(2i, i) / 4^i} (C^2 = A; Fichtenberger, Henzinger and Upadhyay
 * 2023), rounded to whole steps of 2^-20; from c_b on they are 0 where it is banded (Kalinin and
 * Lampert 2024). Immutable.
 */
public final class ToeplitzRoot {
  /** Steps of a row in one record. */
  public static final long STEPS = 1L << 20;

  /** Most rows: so many coefficients are still above 0 and do not rise. */
  public static final int LARGEST = 1 << 16;

  /** Most records: with it rows stay below 2^61 steps, and noise has room beside them. */
  public static final long MOST_RECORDS = 1L << 40;

  /** Work of one butterfly of a transform over that of one sum of a row. */
  private static final int BUTTERFLY = 25;

  private final int band;
  private final long[] coefficients;
  private final WholeProduct product;

  private ToeplitzRoot(int band, long[] coefficients) {
    this.band = band;
    this.coefficients = coefficients;
    this.product = new WholeProduct(coefficients);
  }

  /**
   * The root itself.
   *
   * @param rows n, 1 to 65,536
   * @throws IllegalArgumentException if n is out of range
   */
  public static ToeplitzRoot full(int rows) {
    return banded(rows, rows);
  }

  /**
   * Its first coefficients alone.
   *
   * @param rows n, 1 to 65,536
   * @param band b, number of coefficients that are not 0, 1 to n
   * @throws IllegalArgumentException if n or b is out of range
   */
  public static ToeplitzRoot banded(int rows, int band) {
    return new ToeplitzRoot(band, coefficients(rows, band));
  }

  /**
   * c_0, ..., c_(n-1) of a band, in steps.
   *
   * @param rows n, 1 to 65,536
   * @param band b, 1 to n
   * @throws IllegalArgumentException if n or b is out of range
   */
  public static long[] coefficients(int rows, int band) {
    if (rows < 1 || rows > LARGEST || band < 1 || band > rows) {
      throw new IllegalArgumentException(
          "a root has 1 to " + LARGEST + " rows and a band of them, was " + rows + ", " + band);
    }
    long[] c = new long[rows];
    double exact = 1;
    for (int k = 0; k < band; k++) {
      c[k] = Math.round(exact * STEPS);
      if (c[k] < 1 || k > 0 && c[k] > c[k - 1]) {
        throw new IllegalStateException("coefficient " + k + " of a root rises");
      }
      exact *= (2.0 * k + 1) / (2.0 * k + 2);
    }
    return c;
  }

  /** n: running sums, and rows of C. */
  public int rows() {
    return coefficients.length;
  }

  /** b: n where it is the root itself. */
  public int band() {
    return band;
  }

  /** c_0, ..., c_(n-1), in steps: they do not rise, and are 0 from c_b on. */
  public long[] coefficients() {
    return coefficients.clone();
  }

  /**
   * C x, in steps. In whole numbers throughout, since noise is added to it.
   *
   * @param x as many rows, each at least 0, at most 2^40 in all
   * @throws IllegalArgumentException if there are more or fewer, if one is below 0, or if they add
   *     up to more
   */
  public long[] times(ExactVector x) {
    long[] counts = x.values();
    if (counts.length != rows()) {
      throw new IllegalArgumentException(counts.length + " counts for " + rows() + " rows");
    }
    x.total(MOST_RECORDS);
    long sums = 0;
    for (int j = 0; j < counts.length; j++) {
      sums += counts[j] == 0 ? 0 : Math.min(band, counts.length - j);
    }
    return sums > (long) BUTTERFLY * product.butterflies() ? product.with(counts) : added(counts);
  }

  /** Column by column. */
  private long[] added(long[] counts) {
    long[] rows = new long[counts.length];
    for (int j = 0; j < counts.length; j++) {
      long records = counts[j];
      if (records != 0) {
        int end = Math.min(rows.length, j + band);
        for (int i = j; i < end; i++) {
          rows[i] += records * coefficients[i - j];
        }
      }
    }
    return rows;
  }

  /**
   * The squared norm of the sum of the first columns, in squared steps.
   *
   * @param columns W, 1 to n
   * @throws IllegalArgumentException if W is out of range
   */
  public BigInteger squaredNorm(int columns) {
    long high = 0;
    long low = 0;
    for (long row : sums(columns)) {
      long square = row * row; // rows are below 2^29
      high += square >>> Integer.SIZE;
      low += square & 0xffff_ffffL;
    }
    return BigInteger.valueOf(high).shiftLeft(Integer.SIZE).add(BigInteger.valueOf(low));
  }

  /** The sum of the first column, in steps: the largest of all columns. */
  public long columnSum() {
    return Arrays.stream(coefficients).sum();
  }

  /** The sum of the first columns. */
  private long[] sums(int columns) {
    if (columns < 1 || columns > rows()) {
      throw new IllegalArgumentException(
          "columns are 1 to " + rows() + " together, was " + columns);
    }
    long[] rows = coefficients();
    for (int i = 1; i < rows.length; i++) {
      rows[i] += rows[i - 1] - (i < columns ? 0 : coefficients[i - columns]);
    }
    return rows;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ToeplitzRoot root && band == root.band && rows() == root.rows();
  }

  @Override
  public int hashCode() {
    return 31 * rows() + band;
  }

  @Override
  public String toString() {
    return "ToeplitzRoot[" + rows() + " rows, band " + band + "]";
  }
}
