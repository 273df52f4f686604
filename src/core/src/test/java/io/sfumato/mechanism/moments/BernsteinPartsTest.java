// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every number becomes parts of exactly one record, near the polynomials that they stand for. */
class BernsteinPartsTest {
  private static final long STEPS = BernsteinParts.STEPS;

  private static void assertParts(NumberBounds bounds, double x) {
    for (int m = 1; m <= 2; m++) {
      BernsteinParts all = new BernsteinParts(bounds, m);
      long[] parts = all.of(x);
      assertThat(parts).hasSize(m + 1).isEqualTo(all.of(x));
      assertThat(Arrays.stream(parts).min().orElseThrow()).isGreaterThanOrEqualTo(0);
      assertThat(Arrays.stream(parts).sum()).isEqualTo(STEPS);
      double t = Math.rint(bounds.place(x) * 0x1.0p30) * 0x1.0p-30;
      double[] exact =
          m == 1
              ? new double[] {1 - t, t}
              : new double[] {(1 - t) * (1 - t), 2 * t * (1 - t), t * t};
      for (int k = 0; k <= m; k++) {
        assertThat(parts[k] - exact[k] * STEPS).isBetween(-1.0 + 1e-9, 1.0 - 1e-9);
      }
    }
  }

  @Property
  void shouldSplitEveryDoubleThatIsANumber(@ForAll long bits, @ForAll long seed) {
    double x = Double.longBitsToDouble(bits);
    Random random = new Random(seed);
    double lo = random.nextGaussian() * Math.pow(10, random.nextInt(20) - 10);
    NumberBounds bounds =
        new NumberBounds(lo, lo + Math.ulp(lo) * (1L + random.nextInt(1 << random.nextInt(31))));
    if (Double.isNaN(x)) {
      assertThatThrownBy(() -> new BernsteinParts(bounds, 1).of(x)).hasMessageContaining("NaN");
    } else {
      assertParts(bounds, x);
      assertParts(new NumberBounds(-1e150, 1e150), x);
      assertParts(new NumberBounds(0, Double.MIN_VALUE), x);
      assertParts(bounds, lo + random.nextDouble() * bounds.span());
    }
  }

  @Test
  void shouldCountWhatLiesOutsideAsTheNearerEnd() {
    BernsteinParts parts = new BernsteinParts(new NumberBounds(-2, 6), 2);
    for (double low : new double[] {-2, -2.5, -1e300, Double.NEGATIVE_INFINITY}) {
      assertThat(parts.of(low)).containsExactly(STEPS, 0, 0);
    }
    for (double high : new double[] {6, 7, Double.MAX_VALUE, Double.POSITIVE_INFINITY}) {
      assertThat(parts.of(high)).containsExactly(0, 0, STEPS);
    }
    assertThat(parts.of(2)).containsExactly(STEPS / 4, STEPS / 2, STEPS / 4);
    assertThat(parts.of(0)).containsExactly(STEPS * 9 / 16, STEPS * 6 / 16, STEPS / 16);
    assertThat(parts.of(-0.0)).isEqualTo(parts.of(0.0));
    assertThat(new NumberBounds(-0.0, 1)).isEqualTo(new NumberBounds(0.0, 1));
  }

  /**
   * Of degree 1 the upper part never falls. Of degree 2 the outer ones may by the one step that
   * another part is rounded up for; they never do by two.
   */
  @Test
  void shouldRiseWithTheNumber() {
    NumberBounds bounds = new NumberBounds(0, 1);
    Random random = new Random(4);
    for (double from : new double[] {0, 0.1, 1 / 3.0, 0.5, 0.77, 0.9999}) {
      long[] one = new BernsteinParts(bounds, 1).of(from);
      long[] two = new BernsteinParts(bounds, 2).of(from);
      double x = from;
      for (int i = 0; i < 20_000; i++) {
        x += random.nextDouble() * 1e-8;
        long[] nextOne = new BernsteinParts(bounds, 1).of(x);
        long[] nextTwo = new BernsteinParts(bounds, 2).of(x);
        assertThat(nextOne[1]).isGreaterThanOrEqualTo(one[1]);
        assertThat(nextTwo[2]).isGreaterThanOrEqualTo(two[2] - 1);
        assertThat(nextTwo[0]).isLessThanOrEqualTo(two[0] + 1);
        one = nextOne;
        two = nextTwo;
      }
    }
  }

  /** By whole numbers of any size: the largest remainders, of equal ones the first. */
  @ParameterizedTest
  @CsvSource({"0.3", "0.1234567", "0.00048828125", "0.999", "0.3333333", "0.70710678"})
  void shouldRoundByLargestRemainders(double t) {
    BigDecimal place = new BigDecimal(Math.rint(t * 0x1.0p30) * 0x1.0p-30);
    BigDecimal rest = BigDecimal.ONE.subtract(place);
    BigDecimal[] exact = {
      rest.multiply(rest),
      place.multiply(rest).multiply(BigDecimal.valueOf(2)),
      place.multiply(place)
    };
    long[] expected = new long[3];
    BigDecimal[] remainders = new BigDecimal[3];
    for (int k = 0; k < 3; k++) {
      BigDecimal steps = exact[k].multiply(BigDecimal.valueOf(STEPS));
      expected[k] = steps.longValue();
      remainders[k] = steps.subtract(BigDecimal.valueOf(expected[k]));
    }
    for (long left = STEPS - Arrays.stream(expected).sum(); left > 0; left--) {
      int best = 0;
      for (int k = 1; k < 3; k++) {
        best = remainders[k].compareTo(remainders[best]) > 0 ? k : best;
      }
      expected[best]++;
      remainders[best] = BigDecimal.ONE.negate();
    }
    assertThat(new BernsteinParts(new NumberBounds(0, 1), 2).of(t)).isEqualTo(expected);
  }

  @Test
  void shouldGiveBackTheMeanAndTheSecondMoment() {
    NumberBounds bounds = new NumberBounds(-5, 11);
    Random random = new Random(5);
    MomentShape shape = new MomentShape(1, 1, 2);
    ExactVector sums = ExactVector.none(3);
    double mean = 0;
    double square = 0;
    for (int i = 0; i < 1000; i++) {
      double x = -5 + 16 * random.nextDouble();
      sums = sums.plus(shape.record(0, new BernsteinParts(bounds, 2).of(x)));
      mean += bounds.place(x) / 1000;
      square += bounds.place(x) * bounds.place(x) / 1000;
    }
    double n = 1000.0 * STEPS;
    assertThat(shape.records(sums)).isEqualTo(1000);
    assertThat((sums.of(1) / 2.0 + sums.of(2)) / n).isCloseTo(mean, within(1e-6));
    assertThat(sums.of(2) / n).isCloseTo(square, within(1e-6));
  }

  @Test
  void shouldAddUpWholeRecordsAlone() {
    MomentShape shape = new MomentShape(2, 2, 1);
    ExactVector sums =
        shape
            .record(1, new long[] {STEPS, 0}, new long[] {STEPS / 4, STEPS - STEPS / 4})
            .plus(shape.record(0, new long[] {1, STEPS - 1}, new long[] {STEPS, 0}));
    assertThat(shape.records(sums.plus(sums))).isEqualTo(4);
    assertThat(sums.plus(sums).of(shape.place(1, 1, 0))).isEqualTo(STEPS / 2);
    assertThat(sums)
        .isEqualTo(new ExactVector(sums.values()))
        .hasSameHashCodeAs(new ExactVector(sums.values()))
        .isNotEqualTo(sums.plus(sums))
        .hasToString("ExactVector[8 numbers]");
  }

  @Test
  void shouldRefuseWhatIsNoSum() {
    MomentShape shape = new MomentShape(1, 2, 1);
    assertThatThrownBy(() -> shape.records(ExactVector.none(3))).hasMessageContaining("expected");
    assertThatThrownBy(() -> shape.records(new ExactVector(1, 0, 1, 0)))
        .hasMessageContaining("whole records");
    assertThatThrownBy(() -> shape.records(new ExactVector(STEPS, 0, 0, 0)))
        .hasMessageContaining("all numbers");
    assertThatThrownBy(() -> shape.records(new ExactVector(-1, STEPS + 1, STEPS, 0)))
        .hasMessageContaining("at least 0");
    assertThatThrownBy(() -> shape.record(0, new long[] {STEPS, 0}))
        .hasMessageContaining("all 2 numbers");
    assertThatThrownBy(() -> new MomentShape(1, 0, 1)).hasMessageContaining("1 number");
    assertThatThrownBy(() -> new MomentShape(1, 1, 3)).hasMessageContaining("degree");
    assertThatThrownBy(() -> shape.place(1, 0, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "NaN, 1", "0, NaN", "0, Infinity", "-Infinity, 0", "0, 1e151"})
  void shouldRefuseWhatIsNoRange(double lo, double hi) {
    assertThatThrownBy(() -> new NumberBounds(lo, hi)).hasMessageContaining("1e150");
  }
}
