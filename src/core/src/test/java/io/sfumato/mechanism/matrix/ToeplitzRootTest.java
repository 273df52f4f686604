// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.matrix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.ExactVector;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** C: what its coefficients are, and that C x is exact. */
class ToeplitzRootTest {
  private static final BigInteger P =
      BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE.shiftLeft(32)).add(BigInteger.ONE);

  @Test
  void shouldRoundTheRootsCoefficientsWhichDoNotRise() {
    long[] c = ToeplitzRoot.full(ToeplitzRoot.LARGEST).coefficients();
    MathContext digits = new MathContext(50);
    BigDecimal exact = BigDecimal.ONE;
    for (int k = 0; k < c.length; k++) {
      if (k > 0) {
        // binom(2k, k) / 4^k.
        exact = exact.multiply(new BigDecimal(2 * k - 1)).divide(new BigDecimal(2 * k), digits);
        assertThat(c[k]).isPositive().isLessThanOrEqualTo(c[k - 1]);
      }
      BigDecimal steps = exact.multiply(new BigDecimal(1 << 20));
      assertThat(c[k]).isEqualTo(steps.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }
  }

  /** C^2 is the matrix of ones, but for the rounding of c. */
  @Test
  void shouldBeARootOfRunningSums() {
    ToeplitzRoot root = ToeplitzRoot.full(512);
    long[] c = root.coefficients();
    double[] twice = new double[512];
    for (int i = 0; i < 512; i++) {
      for (int k = 0; k <= i; k++) {
        twice[i] += Math.scalb((double) c[k], -20) * Math.scalb((double) c[i - k], -20);
      }
      // Each factor is off by half a step, and the others add up to less than 2 sqrt((i + 1) / pi)
      // + 1.
      assertThat(twice[i]).isCloseTo(1, within(0x1.0p-20 * (1 + 1.13 * Math.sqrt(i + 1))));
    }
  }

  @Test
  void shouldKeepOnlyItsBand() {
    long[] banded = ToeplitzRoot.banded(9, 4).coefficients();
    assertThat(Arrays.copyOf(banded, 4))
        .containsExactly(1 << 20, 1 << 19, 3 << 17, 5 << 16); // 1, 1/2, 3/8, 5/16
    assertThat(Arrays.copyOfRange(banded, 4, 9)).containsOnly(0);
  }

  private static BigInteger[] exact(long[] c, long[] x) {
    BigInteger[] rows = new BigInteger[x.length];
    for (int i = 0; i < x.length; i++) {
      rows[i] = BigInteger.ZERO;
      for (int k = 0; k <= i; k++) {
        if (c[k] != 0 && x[i - k] != 0) {
          rows[i] = rows[i].add(BigInteger.valueOf(c[k]).multiply(BigInteger.valueOf(x[i - k])));
        }
      }
    }
    return rows;
  }

  /** Few and many rows with records: column by column, and by transforms. Up to 2^40 records. */
  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "2, 1, 2",
    "2, 2, 2",
    "3, 3, 3",
    "7, 2, 7",
    "64, 64, 5",
    "64, 64, 64",
    "1000, 1000, 3",
    "1000, 30, 1000",
    "1000, 1000, 1000",
    "2048, 2048, 40",
    "2048, 2048, 2048",
    "2049, 2049, 2049"
  })
  void shouldMultiplyInWholeNumbers(int rows, int band, int nonzero) {
    Random random = new Random(rows * 31L + band);
    ToeplitzRoot root = ToeplitzRoot.banded(rows, band);
    for (long most : new long[] {1, 1000, ToeplitzRoot.MOST_RECORDS / rows}) {
      long[] x = new long[rows];
      for (int i = 0; i < nonzero; i++) {
        x[nonzero == rows ? i : random.nextInt(rows)] =
            most - random.nextInt((int) Math.min(most, 99));
      }
      BigInteger[] expected = exact(root.coefficients(), x);
      ExactVector counts = new ExactVector(x);
      long[] found = root.times(counts);
      for (int i = 0; i < rows; i++) {
        assertThat(BigInteger.valueOf(found[i])).isEqualTo(expected[i]);
      }
      assertThat(new WholeProduct(root.coefficients()).with(x)).containsExactly(found);
    }
  }

  /** All records that there may be, in one row: below 2^61 steps. */
  @Test
  void shouldHoldAsManyRecordsAsThereMayBe() {
    ToeplitzRoot root = ToeplitzRoot.full(4096);
    long[] x = new long[4096];
    x[0] = ToeplitzRoot.MOST_RECORDS;
    assertThat(root.times(new ExactVector(x))[0]).isEqualTo(1L << 60);
    assertThat(new WholeProduct(root.coefficients()).with(x)[0]).isEqualTo(1L << 60);
    x[0] = ToeplitzRoot.MOST_RECORDS - 4095;
    Arrays.fill(x, 1, 4096, 1);
    assertThat(root.times(new ExactVector(x)))
        .containsExactly(
            Arrays.stream(exact(root.coefficients(), x))
                .mapToLong(BigInteger::longValueExact)
                .toArray());
    x[0]++;
    assertThatThrownBy(() -> root.times(new ExactVector(x)))
        .isInstanceOf(IllegalArgumentException.class);
    x[0] = -1;
    assertThatThrownBy(() -> root.times(new ExactVector(x)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static BigInteger unsigned(long value) {
    return new BigInteger(Long.toUnsignedString(value));
  }

  /** Around all carries and borrows, and at random. */
  @Test
  void shouldCalculateModuloThePrime() {
    long[] values = new long[300];
    Random random = new Random(5);
    for (int i = 0; i < values.length; i++) {
      BigInteger value =
          switch (i % 3) {
            case 0 ->
                BigInteger.ONE.shiftLeft(random.nextInt(65)).add(BigInteger.valueOf(i / 3 % 5 - 2));
            case 1 ->
                P.subtract(BigInteger.valueOf(1 + i / 3 % 4))
                    .subtract(BigInteger.valueOf(random.nextInt(3) << 30));
            default -> unsigned(random.nextLong());
          };
      values[i] = value.mod(P).longValue();
    }
    for (long a : values) {
      for (long b : values) {
        BigInteger x = unsigned(a);
        BigInteger y = unsigned(b);
        assertThat(unsigned(WholeProduct.plus(a, b))).isEqualTo(x.add(y).mod(P));
        assertThat(unsigned(WholeProduct.minus(a, b))).isEqualTo(x.subtract(y).mod(P));
        assertThat(unsigned(WholeProduct.times(a, b))).isEqualTo(x.multiply(y).mod(P));
      }
    }
  }

  @Test
  void shouldRefuseOtherSizes() {
    assertThatThrownBy(() -> ToeplitzRoot.full(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ToeplitzRoot.full(65_537))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> ToeplitzRoot.banded(4, 5))
        .isInstanceOf(IllegalArgumentException.class);
    ToeplitzRoot root = ToeplitzRoot.full(4);
    assertThatThrownBy(() -> root.times(ExactVector.none(3)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> root.squaredNorm(5)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void shouldNotPrintRecords() {
    assertThat(new ExactVector(17, 4).toString()).doesNotContain("17");
    assertThat(new ExactVector(17, 4))
        .isEqualTo(new ExactVector(17, 4))
        .isNotEqualTo(new ExactVector(17, 5));
  }
}
