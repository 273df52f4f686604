// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.matrix.BestBand;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.mechanism.ExactVector;
import java.math.BigDecimal;
import java.math.MathContext;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import org.apache.commons.math3.linear.Array2DRowRealMatrix;
import org.apache.commons.math3.linear.LUDecomposition;
import org.apache.commons.math3.linear.RealMatrix;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** B y: what it is, and how noise spreads in it. */
class RootEstimateTest {
  private static RealMatrix dense(int rows, LongUnaryOperator c) {
    RealMatrix matrix = new Array2DRowRealMatrix(rows, rows);
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j <= i; j++) {
        matrix.setEntry(i, j, Math.scalb((double) c.applyAsLong(i - j), -20));
      }
    }
    return matrix;
  }

  /** Against A C^-1 by LU decomposition. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "2, 2", "5, 3", "16, 16", "63, 8", "64, 2", "64, 64"})
  void shouldHaveTheCovariancesOfDenseMatrices(int rows, int band) {
    long[] c = ToeplitzRoot.banded(rows, band).coefficients();
    RealMatrix inverse = new LUDecomposition(dense(rows, k -> c[(int) k])).getSolver().getInverse();
    RealMatrix b = dense(rows, k -> 1 << 20).multiply(inverse);
    RealMatrix covariance = b.multiply(b.transpose());
    RootEstimate estimate = new RootEstimate(ToeplitzRoot.banded(rows, band));
    double[] withLast = estimate.covariancesWithLast();
    double squares = 0;
    for (int v = 0; v < rows; v++) {
      for (int w = 0; w < rows; w++) {
        assertThat(estimate.covariance(v, w)).isCloseTo(covariance.getEntry(v, w), within(1e-11));
      }
      assertThat(estimate.deviation(v))
          .isCloseTo(Math.sqrt(covariance.getEntry(v, v)), within(1e-11));
      assertThat(withLast[v]).isCloseTo(covariance.getEntry(v, rows - 1), within(1e-11));
      squares += covariance.getEntry(v, v);
    }
    assertThat(estimate.rootMeanSquare()).isCloseTo(Math.sqrt(squares / rows), within(1e-11));
    assertThat(estimate.largest())
        .isCloseTo(Math.sqrt(covariance.getEntry(rows - 1, rows - 1)), within(1e-11));
  }

  /** A = C C, so B is C but for the rounding: b_k near binom(2k, k) / 4^k, in closed form. */
  @Test
  void shouldBeTheRootItself() {
    RootEstimate estimate = new RootEstimate(ToeplitzRoot.full(4096));
    double c = 1;
    double squares = 0;
    for (int k = 0; k < 4096; k++) {
      squares += c * c;
      assertThat(estimate.deviation(k)).isCloseTo(Math.sqrt(squares), within(1e-5));
      c *= (2.0 * k + 1) / (2.0 * k + 2);
    }
  }

  /** Root mean square and largest error where one record moves noise's own size (sigma = 1). */
  @ParameterizedTest
  @CsvSource({
    "16, 1.80, 1.94",
    "64, 2.23, 2.39",
    "256, 2.67, 2.83",
    "1024, 3.11, 3.27",
    "4096, 3.55, 3.71"
  })
  void shouldHaveTheErrorsThatAreKnown(int rows, double rms, double worst) {
    ToeplitzRoot root = ToeplitzRoot.full(rows);
    RootEstimate estimate = new RootEstimate(root);
    double moved = RootSensitivity.addOrRemove(root, 1, 1).l2() / ToeplitzRoot.STEPS;
    assertThat(moved * estimate.rootMeanSquare()).isCloseTo(rms, within(0.005));
    assertThat(moved * estimate.largest()).isCloseTo(worst, within(0.005));
    assertThat(BestBand.error(root, 1)).isEqualTo(estimate.rootMeanSquare() * moved);
  }

  /** For users with records in W windows; independent sums are the band 1. */
  @ParameterizedTest
  @CsvSource({
    "1024, 4, 11.2",
    "1024, 16, 40.3",
    "1024, 52, 118",
    "1024, 128, 256",
    "256, 4, 9.4",
    "256, 16, 33.0",
    "256, 52, 81.7"
  })
  void shouldFindTheBestBandForManyWindows(int rows, int most, double error) {
    ToeplitzRoot best = BestBand.of(rows, most);
    double found = BestBand.error(best, most);
    assertThat(found).isCloseTo(error, within(0.005 * error));
    assertThat(found).isLessThanOrEqualTo(BestBand.error(ToeplitzRoot.full(rows), most));
    assertThat(found).isLessThanOrEqualTo(BestBand.error(ToeplitzRoot.banded(rows, 1), most));
  }

  @Test
  void shouldFindTheBandsThatAreKnown() {
    assertThat(BestBand.of(1024, 128)).isEqualTo(ToeplitzRoot.banded(1024, 4));
    assertThat(BestBand.of(256, 52)).isEqualTo(ToeplitzRoot.banded(256, 2));
    assertThat(BestBand.of(256, 256)).isEqualTo(ToeplitzRoot.banded(256, 1));
    assertThat(BestBand.of(1, 1)).isEqualTo(ToeplitzRoot.full(1));
    // Independent sums: n noises in the n-th, and W rows are moved.
    assertThat(BestBand.error(ToeplitzRoot.banded(64, 1), 4))
        .isCloseTo(Math.sqrt(65 / 2.0 * 4), within(1e-5));
  }

  /** Where several minima are tried, none that all bands have is much lower. */
  @ParameterizedTest
  @CsvSource({"128, 1", "128, 7", "128, 40", "200, 30"})
  void shouldLoseLittleByNotTryingAllBands(int rows, int most) {
    double least = Double.POSITIVE_INFINITY;
    for (int band = 1; band <= rows; band++) {
      least = Math.min(least, BestBand.error(ToeplitzRoot.banded(rows, band), most));
    }
    assertThat(BestBand.error(BestBand.of(rows, most), most)).isBetween(least, 1.001 * least);
  }

  /** Without noise it gives the running sums. */
  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "100, 7", "1000, 1000", "4096, 4096"})
  void shouldUndoTheRoot(int rows, int band) {
    ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
    long[] x = new Random(3).longs(rows, 0, 50).toArray();
    double[] sums = new RootEstimate(root).sums(root.times(new ExactVector(x)));
    long sum = 0;
    for (int i = 0; i < rows; i++) {
      sum += x[i];
      assertThat(sums[i]).isCloseTo(sum, within(1e-7));
    }
  }

  private static long[] rows(int rows) {
    long state = 1;
    long[] y = new long[rows];
    for (int i = 0; i < rows; i++) {
      state = 6_364_136_223_846_793_005L * state + 1_442_695_040_888_963_407L;
      y[i] = state >> 35; // up to 256 records either way
    }
    return y;
  }

  /** C^-1 y by forward substitution in 60 digits, and its running sums. */
  @ParameterizedTest
  @CsvSource({"1024, 1024", "1024, 100", "4096, 3"})
  void shouldSolveForExactlyTheRoundedRoot(int rows, int band) {
    ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
    long[] c = root.coefficients();
    long[] y = rows(rows);
    RootEstimate estimate = new RootEstimate(root);
    double[] sums = estimate.sums(y);
    MathContext digits = new MathContext(60);
    BigDecimal[] x = new BigDecimal[rows];
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < rows; i++) {
      BigDecimal rest = BigDecimal.valueOf(y[i]);
      for (int k = 1; k <= Math.min(i, band - 1); k++) {
        rest = rest.subtract(BigDecimal.valueOf(c[k]).multiply(x[i - k]), digits);
      }
      x[i] = rest.divide(BigDecimal.valueOf(c[0]), digits);
      sum = sum.add(x[i], digits);
      assertThat(sums[i]).isCloseTo(sum.doubleValue(), within(1e-9));
    }
  }

  private static String digest(double[] values) throws NoSuchAlgorithmException {
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (double value : values) {
      long bits = Double.doubleToRawLongBits(value);
      for (int shift = 56; shift >= 0; shift -= 8) {
        digest.update((byte) (bits >>> shift));
      }
    }
    return HexFormat.of().formatHex(digest.digest()).substring(0, 16);
  }

  /** Outputs hold them: a retry on any machine gives these bytes, of any version. */
  @ParameterizedTest
  @CsvSource({
    "4096, 4096, f4b2aab64de2bde5, 78b6809be935bdac",
    "1024, 100, 96b57fe3de2b3a29, 2460c3fdffbf5fe8"
  })
  void shouldGiveTheSameBytesEverywhere(int rows, int band, String sums, String covariances)
      throws NoSuchAlgorithmException {
    RootEstimate estimate = new RootEstimate(ToeplitzRoot.banded(rows, band));
    assertThat(digest(estimate.sums(rows(rows)))).isEqualTo(sums);
    assertThat(digest(estimate.covariancesWithLast())).isEqualTo(covariances);
  }

  @Test
  void shouldRefuseOtherNumbersOfRows() {
    RootEstimate estimate = new RootEstimate(ToeplitzRoot.full(3));
    assertThatThrownBy(() -> estimate.sums(1, 2)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> estimate.sums(1, 2, 3, 4))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** All bands up to 16, then 8 to each factor of 2, and the longest one. */
  @Test
  void shouldTryBandsOfAllMagnitudes() {
    assertThat(BestBand.tried(41).boxed().toList())
        .containsExactly(
            1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 22, 24, 26, 28, 30, 32,
            36, 40, 41);
    assertThat(BestBand.tried(1).boxed().toList()).containsExactly(1);
  }
}
