// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.bounds.BucketSums;
import io.sfumato.mechanism.bounds.PowerBounds;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.testkit.Numerical;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Theorem I where sums are rounded: neighbours lie no further apart than the charge assumes. */
@Numerical
class RoundedPartsTest {
  private static BucketSums sums(double... numbers) {
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

  private static PowerBounds bounds(double low, double high) {
    return new PowerBounds(PowerBuckets.of(low), PowerBuckets.of(high));
  }

  /** Some that leave remainders of all kinds: spans of no power of two. */
  private static PowerBounds any(Random random) {
    int lowest = 94 + random.nextInt(8);
    return new PowerBounds(lowest, lowest + random.nextInt(random.nextBoolean() ? 6 : 30));
  }

  private static double number(Random random) {
    return random.nextInt(6) == 0
        ? 0
        : Math.scalb(
            (1 + random.nextDouble()) * (random.nextBoolean() ? 1 : -1), random.nextInt(9) - 34);
  }

  private static double[] numbers(Random random, int count) {
    return random.doubles(count).map(x -> number(random)).toArray();
  }

  private static long[] parts(PowerBounds bounds, int degree, double... numbers) {
    return RoundedParts.of(sums(numbers).within(bounds), degree);
  }

  private static double l1(long[] first, long[] second, int from) {
    double sum = 0;
    for (int k = from; k < first.length; k++) {
      sum += Math.abs(first[k] - second[k]);
    }
    return sum;
  }

  private static double l2(long[] first, long[] second, int from) {
    double sum = 0;
    for (int k = from; k < first.length; k++) {
      sum += Math.pow(first[k] - second[k], 2);
    }
    return Math.sqrt(sum);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void partsAddUpAndAreOffByTwoThirdsOfAStep(int degree) {
    Random random = new Random(21);
    for (int i = 0; i < 20_000; i++) {
      PowerBounds bounds = any(random);
      double[] numbers = numbers(random, random.nextInt(6));
      long[] parts = parts(bounds, degree, numbers);
      assertThat(Arrays.stream(parts).sum()).isEqualTo(numbers.length * BernsteinParts.STEPS);
      double[] exact = new double[degree + 1];
      for (double x : numbers) {
        // Steps of 2^-15 of numbers of 2^-34 and more: doubles hold them.
        double kept =
            PowerBuckets.of(x) == PowerBuckets.ZERO
                ? 0
                : Math.copySign(
                    Math.scalb(1 + PowerBuckets.fraction(x) * 0x1.0p-15, Math.getExponent(x)), x);
        double t =
            (Math.max(bounds.low(), Math.min(bounds.high(), kept)) - bounds.low())
                / (bounds.high() - bounds.low());
        for (int k = 0; k <= degree; k++) {
          double binomial = degree == 2 && k == 1 ? 2 : 1;
          exact[k] +=
              binomial * Math.pow(t, k) * Math.pow(1 - t, degree - k) * BernsteinParts.STEPS;
        }
      }
      double off = 0;
      for (int k = 0; k <= degree; k++) {
        assertThat(Math.abs(parts[k] - exact[k])).isLessThanOrEqualTo(2 / 3.0 + 1e-6);
        off += Math.abs(parts[k] - exact[k]);
      }
      assertThat(off).isLessThanOrEqualTo(4 / 3.0 + 1e-6);
    }
  }

  /** A user's records come, in one group: no further than C records and two steps. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void addedRecordsMoveNoFurther(int degree) {
    Random random = new Random(22);
    double worst = 0;
    for (int i = 0; i < 50_000; i++) {
      int records = 1 + random.nextInt(3);
      double[] more = numbers(random, 4 + records);
      if (random.nextInt(3) == 0) {
        Arrays.fill(more, 4, more.length, 1e9); // all at one end
      }
      PowerBounds bounds = any(random);
      long[] without = parts(bounds, degree, Arrays.copyOf(more, 4));
      long[] with = parts(bounds, degree, more);
      MomentSensitivity assumed = MomentSensitivity.addOrRemove(degree, 1, records).rounded(1);
      assertThat(l1(without, with, 0)).isLessThanOrEqualTo(assumed.moved().l1());
      assertThat(l2(without, with, 0)).isLessThanOrEqualTo(assumed.moved().l2());
      worst = Math.max(worst, l1(without, with, 0) - records * BernsteinParts.STEPS);
    }
    assertThat(worst).as("the room for roundings is needed").isEqualTo(degree == 1 ? 0 : 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void aReplacedRecordMovesNoFurther(int degree) {
    Random random = new Random(23);
    MomentSensitivity alone = MomentSensitivity.replaceOneOfOneGroup(degree, 1).rounded(1);
    MomentSensitivity grouped = MomentSensitivity.replaceOne(degree, 1).rounded(2);
    for (int i = 0; i < 50_000; i++) {
      PowerBounds bounds = any(random);
      double[] numbers = numbers(random, 5);
      double[] others = numbers.clone();
      others[4] = random.nextInt(3) == 0 ? (random.nextBoolean() ? 1e9 : -1e9) : number(random);
      long[] first = parts(bounds, degree, numbers);
      long[] second = parts(bounds, degree, others);
      assertThat(l1(first, second, 1)).isLessThanOrEqualTo(alone.moved().l1());
      assertThat(l2(first, second, 1)).isLessThanOrEqualTo(alone.moved().l2());
      // It may leave its group for another.
      double[] left = Arrays.copyOf(numbers, 4);
      double[] joined = numbers(random, 3);
      long[] before = parts(bounds, degree, joined);
      joined = Arrays.copyOf(joined, 4);
      joined[3] = others[4];
      long[] after = parts(bounds, degree, joined);
      long[] gone = parts(bounds, degree, left);
      assertThat(l1(first, gone, 0) + l1(before, after, 0))
          .isLessThanOrEqualTo(grouped.moved().l1());
      assertThat(Math.hypot(l2(first, gone, 0), l2(before, after, 0)))
          .isLessThanOrEqualTo(grouped.moved().l2());
    }
  }

  /** What is drawn depends on the bounds too, though the parts may be the same. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void theFrameHasTheBounds(int degree) {
    MomentShape shape = new MomentShape(1, 1, degree);
    OpenSums narrow = new OpenSums(shape, List.of(sums(1e6)), List.of(bounds(1, 2)));
    OpenSums wide = narrow.within(List.of(bounds(1, 4)));
    assertThat(narrow.sums()).isEqualTo(wide.sums());
    DeferredBoundsMechanism mechanism =
        new DeferredBoundsMechanism(
            new MomentQuery(MomentSensitivity.addOrRemove(degree, 1, 1).rounded(1))
                .with(new GridLaplace(20, 1 << 20)));
    CanonicalEncoder one = new CanonicalEncoder();
    CanonicalEncoder other = new CanonicalEncoder();
    mechanism.distribution(narrow).encodeInput(one);
    mechanism.distribution(wide).encodeInput(other);
    assertThat(one.digest()).isNotEqualTo(other.digest());
    assertThat(narrow.toString()).doesNotContain("1000000");
  }
}
