// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.matrix.ToeplitzRoot;
import java.math.BigInteger;
import java.util.Arrays;

/**
 * The first coefficients of the square root of running sums, {@code binom(2i, i) / 4^i}
 * (Fichtenberger, Henzinger and Upadhyay 2023; banded: Kalinin and Lampert 2024). Of band 1 each
 * row is a window's own sum. Immutable.
 */
public final class SquareRootCoefficients implements Coefficients {
  /** Longest band. */
  public static final int LONGEST = ToeplitzRoot.LARGEST;

  private final long[] coefficients;

  /**
   * @param band b, 1 to 65,536
   */
  public SquareRootCoefficients(int band) {
    this.coefficients = ToeplitzRoot.coefficients(band, band);
  }

  @Override
  public long at(long lag) {
    return lag < coefficients.length ? coefficients[(int) lag] : 0;
  }

  @Override
  public long band() {
    return coefficients.length;
  }

  @Override
  public String word() {
    return "root-" + coefficients.length;
  }

  @Override
  public BigInteger squaredNorm(int windows) {
    Coefficients.requireWindows(windows);
    BigInteger sum = BigInteger.ZERO;
    long row = 0;
    for (int i = 0; i < coefficients.length + windows - 1; i++) {
      row += at(i) - (i < windows ? 0 : at(i - windows));
      sum = sum.add(Coefficients.square(row));
    }
    return sum;
  }

  /** Exact. */
  @Override
  public BigInteger squaredNorm(int full, long each, long rest) {
    BigInteger sum = BigInteger.ZERO;
    long row = 0;
    for (int i = 0; i < coefficients.length + full; i++) {
      row += full == 0 ? 0 : at(i) - (i < full ? 0 : at(i - full));
      long last = i < full ? 0 : rest * at(i - full);
      sum = sum.add(Coefficients.square(each * row + last));
    }
    return sum;
  }

  @Override
  public BigInteger columnSum() {
    return BigInteger.valueOf(Arrays.stream(coefficients).sum());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SquareRootCoefficients root && band() == root.band();
  }

  @Override
  public int hashCode() {
    return coefficients.length;
  }

  @Override
  public String toString() {
    return "RootLags[" + band() + "]";
  }
}
