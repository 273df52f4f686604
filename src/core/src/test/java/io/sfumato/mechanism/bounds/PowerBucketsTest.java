// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every number has one bucket, and lies in it. */
class PowerBucketsTest {
  @ParameterizedTest
  @CsvSource({
    "1, 1, 2, 0",
    "1.5, 1, 2, 16384",
    "2, 2, 4, 0",
    "-3, -4, -2, 16384",
    "0, 0, 0, 0",
    "-0.0, 0, 0, 0",
    "4.9e-324, 0, 0, 0",
    "-2.2e-308, 0, 0, 0",
    "2.3283064365386958e-10, 0, 0, 0",
    "1.8446744073709552e19, 9.223372036854775808e18, 1.8446744073709552e19, 32768",
    "1.7976931348623157e308, 9.223372036854775808e18, 1.8446744073709552e19, 32768",
    "Infinity, 9.223372036854775808e18, 1.8446744073709552e19, 32768",
    "-Infinity, -1.8446744073709552e19, -9.223372036854775808e18, 32768",
    "1.9999999, 1, 2, 32768"
  })
  void holdsItsNumbers(double x, double lower, double upper, long steps) {
    int bucket = PowerBuckets.of(x);
    assertThat(PowerBuckets.lower(bucket)).isEqualTo(lower);
    assertThat(PowerBuckets.upper(bucket)).isEqualTo(upper);
    assertThat(PowerBuckets.fraction(x)).isEqualTo(steps);
  }

  @Test
  void smallestPowerIsABucketOfItsOwn() {
    int bucket = PowerBuckets.of(0x1.0p-32);
    assertThat(bucket).isEqualTo(PowerBuckets.ZERO + 1);
    assertThat(PowerBuckets.of(-0x1.0p-32)).isEqualTo(PowerBuckets.ZERO - 1);
    assertThat(PowerBuckets.of(Math.nextDown(0x1.0p-32))).isEqualTo(PowerBuckets.ZERO);
    assertThat(PowerBuckets.lower(bucket)).isEqualTo(0x1.0p-32);
  }

  @Test
  void whatIsNoNumberHasNone() {
    assertThatThrownBy(() -> PowerBuckets.of(Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** Buckets touch, but for the gap around zero, and ascend with their numbers. */
  @Test
  void bucketsAscend() {
    for (int bucket = 1; bucket < PowerBuckets.NUMBER; bucket++) {
      boolean besideZero = bucket == PowerBuckets.ZERO || bucket == PowerBuckets.ZERO + 1;
      if (besideZero) {
        assertThat(PowerBuckets.lower(bucket)).isGreaterThan(PowerBuckets.upper(bucket - 1));
      } else {
        assertThat(PowerBuckets.lower(bucket)).isEqualTo(PowerBuckets.upper(bucket - 1));
      }
    }
    Random random = new Random(4);
    double[] numbers = new double[100_000];
    Arrays.setAll(numbers, i -> Double.longBitsToDouble(random.nextLong()));
    numbers = Arrays.stream(numbers).filter(x -> !Double.isNaN(x)).sorted().toArray();
    int before = 0;
    for (double x : numbers) {
      int bucket = PowerBuckets.of(x);
      assertThat(bucket).isGreaterThanOrEqualTo(before);
      before = bucket;
    }
    assertThat(before).isEqualTo(PowerBuckets.NUMBER - 1);
  }

  @Test
  void fractionsAreWithinHalfAStep() {
    Random random = new Random(5);
    for (int i = 0; i < 100_000; i++) {
      double x = Math.scalb(1 + random.nextDouble(), random.nextInt(96) - 32);
      double seen =
          PowerBuckets.lower(PowerBuckets.of(x)) * (1 + PowerBuckets.fraction(x) * 0x1.0p-15);
      assertThat(Math.abs(seen - x))
          .isLessThanOrEqualTo(PowerBuckets.lower(PowerBuckets.of(x)) * 0x1.0p-16);
      assertThat(PowerBuckets.fraction(-x)).isEqualTo(PowerBuckets.fraction(x));
    }
  }
}
