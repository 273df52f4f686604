// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.matrix.ToeplitzRoot;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Figures and identities that jax_privacy's matrix factorisation is held to
 * (src/testkit/src/main/resources/foreign/jax-privacy-tests.txt), asked of the coefficients that
 * are used here. These are rounded to steps of 2^-20, each by half a step: that is every tolerance.
 */
class MatrixRowsTest {
  private static final double ONE = Coefficients.ONE;

  private static double[] root(int rows) {
    long[] steps = ToeplitzRoot.coefficients(rows, rows);
    double[] c = new double[rows];
    for (int i = 0; i < rows; i++) {
      c[i] = steps[i] / ONE;
    }
    return c;
  }

  private static double product(double[] a, double[] b, int k) {
    double sum = 0;
    for (int i = 0; i <= k; i++) {
      sum += i < a.length && k - i < b.length ? a[i] * b[k - i] : 0;
    }
    return sum;
  }

  private static double size(double[] c) {
    double sum = 0;
    for (double x : c) {
      sum += Math.abs(x);
    }
    return sum;
  }

  /** C C is the matrix of ones on and below the diagonal. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10, 100})
  void rootSquaredShouldBeRunningSums(int n) {
    double[] c = root(n);
    for (int k = 0; k < n; k++) {
      assertThat(product(c, c, k)).isCloseTo(1, within(size(c) / ONE));
    }
  }

  /** The inverse has r_k / (1 - 2k), of which they name the first five. */
  @ParameterizedTest
  @ValueSource(ints = {5, 10, 100})
  void rootShouldHaveTheirInverse(int n) {
    double[] inverse = new double[n];
    double exact = 1;
    for (int k = 0; k < n; k++) {
      inverse[k] = exact / (1 - 2 * k);
      exact *= (2.0 * k + 1) / (2.0 * k + 2);
    }
    assertThat(inverse).startsWith(1, -1 / 2.0, -1 / 8.0, -1 / 16.0, -5 / 128.0);
    for (int k = 0; k < n; k++) {
      assertThat(product(root(n), inverse, k))
          .isCloseTo(k == 0 ? 1 : 0, within(size(inverse) / ONE));
    }
  }

  /** Their two rows: C = (1; 1/2 1), with errors of 1 and 1.25. */
  @Test
  void twoSumsShouldHaveTheirErrors() {
    RunningVariance variance = new RunningVariance(new SquareRootCoefficients(2));
    assertThat(variance.of(1, 1)).isEqualTo(1.0);
    assertThat(variance.of(2, 2)).isEqualTo(1.25);
  }

  /** The last sum has the largest error. */
  @ParameterizedTest
  @ValueSource(ints = {1, 3, 40})
  void errorsShouldNotFall(int band) {
    RunningVariance variance = new RunningVariance(new SquareRootCoefficients(band));
    for (int n = 2; n <= 40; n++) {
      assertThat(variance.of(n, n)).isGreaterThanOrEqualTo(variance.of(n - 1, n - 1));
    }
  }

  /** Of the identity k participations move k rows by 1: root k. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4, 8, 11, 16})
  void identityShouldMoveByTheRootOfParticipations(int k) {
    BigInteger squares =
        BigInteger.valueOf(Coefficients.ONE).pow(2).multiply(BigInteger.valueOf(k));
    assertThat(new SquareRootCoefficients(1).squaredNorm(k)).isEqualTo(squares);
    assertThat(ToeplitzRoot.banded(16, 1).squaredNorm(k)).isEqualTo(squares);
  }

  /** The squared norm of the sum of the first columns, which is the worst there is. */
  @ParameterizedTest
  @CsvSource({"1, 1", "5, 1", "5, 2", "5, 5", "50, 1", "50, 2", "50, 5", "50, 50"})
  void participationsSideBySideShouldMoveByTheFirstColumns(int n, int most) {
    long[] c = ToeplitzRoot.coefficients(n, n);
    BigInteger first = moved(c, n, most, 1);
    assertThat(ToeplitzRoot.full(n).squaredNorm(most)).isEqualTo(first);
    // Without an end there are more rows that move.
    assertThat(new SquareRootCoefficients(n).squaredNorm(most)).isGreaterThanOrEqualTo(first);
    // Whoever takes part less often in a row moves less.
    for (int apart = 2; apart <= 7; apart++) {
      assertThat(moved(c, n, most, apart)).isLessThanOrEqualTo(first);
    }
  }

  private static BigInteger moved(long[] c, int rows, int most, int apart) {
    BigInteger squares = BigInteger.ZERO;
    for (int i = 0; i < rows; i++) {
      long row = 0;
      for (int p = 0; p < most && p * apart <= i; p++) {
        row += c[i - p * apart];
      }
      squares = squares.add(BigInteger.valueOf(row).pow(2));
    }
    return squares;
  }
}
