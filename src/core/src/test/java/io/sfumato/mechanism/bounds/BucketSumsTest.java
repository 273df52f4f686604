// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.bounds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What buckets sum, against each record's own number in exact decimals. */
class BucketSumsTest {
  static BucketSums of(double... numbers) {
    long[] sums = new long[BucketSums.SIZE];
    for (double x : numbers) {
      int at = PowerBuckets.of(x) * BucketSums.OF_BUCKET;
      long u = PowerBuckets.fraction(x);
      sums[at]++;
      sums[at + 1] += u;
      sums[at + 2] += u * u;
    }
    return new BucketSums(sums);
  }

  /** The number as its bucket keeps it. */
  private static BigDecimal kept(double x) {
    int bucket = PowerBuckets.of(x);
    if (bucket == PowerBuckets.ZERO) {
      return BigDecimal.ZERO;
    }
    double power = Math.scalb(1.0, Math.min(63, Math.getExponent(x)));
    return new BigDecimal(Math.copySign(power, x))
        .multiply(new BigDecimal(1 + PowerBuckets.fraction(x) * 0x1.0p-15));
  }

  private static double any(Random random) {
    return switch (random.nextInt(12)) {
      case 0 -> 0;
      case 1 -> random.nextBoolean() ? Double.MAX_VALUE : Double.NEGATIVE_INFINITY;
      case 2 -> Double.MIN_VALUE;
      default ->
          Math.scalb(
              (1 + random.nextDouble()) * (random.nextBoolean() ? 1 : -1),
              random.nextInt(130) - 60);
    };
  }

  @Test
  void sumsAreThoseOfTheRecords() {
    Random random = new Random(11);
    for (int i = 0; i < 2_000; i++) {
      double[] numbers = random.doubles(random.nextInt(9)).map(x -> any(random)).toArray();
      int lowest = random.nextInt(PowerBuckets.NUMBER);
      PowerBounds bounds =
          new PowerBounds(lowest, lowest + random.nextInt(PowerBuckets.NUMBER - lowest));
      BigDecimal lo = new BigDecimal(bounds.low());
      BigDecimal hi = new BigDecimal(bounds.high());
      BigDecimal first = BigDecimal.ZERO;
      BigDecimal second = BigDecimal.ZERO;
      for (double x : numbers) {
        BigDecimal place = kept(x).max(lo).min(hi).subtract(lo);
        first = first.add(place);
        second = second.add(place.multiply(place));
      }
      BoundedSums found = of(numbers).within(bounds);
      BigDecimal step = new BigDecimal(0x1.0p-47);
      assertThat(found.records()).isEqualTo(BigInteger.valueOf(numbers.length));
      assertThat(new BigDecimal(found.span()).multiply(step)).isEqualByComparingTo(hi.subtract(lo));
      assertThat(new BigDecimal(found.first()).multiply(step)).isEqualByComparingTo(first);
      assertThat(new BigDecimal(found.second()).multiply(step).multiply(step))
          .isEqualByComparingTo(second);
    }
  }

  @Test
  void sumsThatNoRecordsHaveAreRefused() {
    long[] sums = new long[BucketSums.SIZE];
    sums[0] = 1;
    sums[1] = (1 << 15) + 1;
    assertThatThrownBy(() -> new BucketSums(sums)).isInstanceOf(IllegalArgumentException.class);
    sums[1] = 1;
    sums[2] = (1 << 15) + 1;
    assertThatThrownBy(() -> new BucketSums(sums)).isInstanceOf(IllegalArgumentException.class);
    sums[2] = -1;
    assertThatThrownBy(() -> new BucketSums(sums)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void textsTellNothing() {
    assertThat(of(12345).toString()).isEqualTo("BucketSums[masked]");
    assertThat(of(12345).counts().toString()).isEqualTo("ExactVector[193 numbers]");
    assertThat(of(12345).within(new PowerBounds(0, 192)).toString())
        .isEqualTo("BoundedSums[masked]");
  }
}
