// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.additive.ShareInterval.Range;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Intervals of shares hold the truth however small the noise is: by sums over its law. */
class ShareIntervalTest {
  private static final double[] DEVIATIONS = {0.3, 0.5, 1, 2, 5, 10, 30};

  /** Of two or three categories all noises are gone through, without a draw. */
  private static final long[][] FEW = {{0, 0}, {1, 0}, {3, 1}, {20, 0}, {7, 9}, {400, 13}};

  static AdditiveNoise noise(String method, double deviation) {
    return method.equals("gaussian")
        ? new GaussianNoise(Math.round(deviation * deviation * 1024))
        : new LaplaceNoise(Math.round(Math.sqrt(2) / deviation * LaplaceNoise.STEPS));
  }

  @ParameterizedTest
  @CsvSource({"gaussian", "laplace"})
  void shouldHoldTheTruthByTheExactLaw(String method) {
    for (double deviation : DEVIATIONS) {
      AdditiveNoise noise = noise(method, deviation);
      WholeLaw distribution = WholeLaw.of(noise);
      for (long[] counts : FEW) {
        if (counts[0] + counts[1] > 0) {
          double covered = covered(distribution, ShareInterval.of(noise, 2), counts);
          assertThat(covered)
              .as("%s %s, %s", method, deviation, Arrays.toString(counts))
              .isGreaterThan(0.95 - 1e-9);
        }
      }
    }
  }

  private static double covered(WholeLaw distribution, ShareInterval interval, long[] counts) {
    double truth = counts[0] / (double) (counts[0] + counts[1]);
    double covered = 0;
    for (int e = distribution.least(); e <= -distribution.least(); e++) {
      for (int r = distribution.least(); r <= -distribution.least(); r++) {
        long count = counts[0] + e;
        Range range = interval.range(count, Math.max(0, count + counts[1] + r));
        covered +=
            range.low() <= truth + 1e-12 && truth - 1e-12 <= range.high()
                ? distribution.at(e) * distribution.at(r)
                : 0;
      }
    }
    return covered;
  }

  /**
   * Of many categories by 20,000 draws each: fewer than 0.9407 are inside with a probability below
   * 1e-9, were it 95%.
   */
  @ParameterizedTest
  @CsvSource({"gaussian, 8", "laplace, 8", "gaussian, 300", "laplace, 300"})
  void shouldHoldTheTruthOfManyCategories(String method, int categories) {
    for (double deviation : new double[] {0.3, 1, 10, 30}) {
      AdditiveNoise noise = noise(method, deviation);
      ShareInterval interval = ShareInterval.of(noise, categories);
      KeyedRandom random = KeyedRandom.ofPublicSeed("shares " + method + categories + deviation);
      ToLongFunction<KeyedRandom> sampler = noise.sampler();
      WholeLaw others = WholeLaw.of(noise).summed(categories - 1);
      double[] below = below(others);
      for (long[] counts : new long[][] {{0, 40}, {9, 90}, {700, 300}, {1_000_000, 9_000_000}}) {
        double truth = counts[0] / (double) (counts[0] + counts[1]);
        int held = 0;
        for (int i = 0; i < 20_000; i++) {
          long count = counts[0] + sampler.applyAsLong(random);
          // The sum of the other noises, by its law: inverse of its distribution function.
          long rest = others.least() + drawn(below, random);
          Range range = interval.range(count, Math.max(0, count + counts[1] + rest));
          held += range.low() <= truth && truth <= range.high() ? 1 : 0;
        }
        assertThat(held / 20_000.0)
            .as("%s %s of %d, %s", method, deviation, categories, Arrays.toString(counts))
            .isGreaterThan(0.9407);
      }
    }
  }

  private static double[] below(WholeLaw distribution) {
    double[] below = new double[1 - 2 * distribution.least()];
    Arrays.setAll(
        below, i -> distribution.between(distribution.least(), (double) distribution.least() + i));
    return below;
  }

  private static int drawn(double[] below, KeyedRandom random) {
    double u = random.nextOpenDouble() * below[below.length - 1];
    int place = Arrays.binarySearch(below, u);
    return Math.min(below.length - 1, place < 0 ? -1 - place : place + 1);
  }

  /** A normal law's quantile is what the law of wide noise comes to, half a record more or less. */
  @ParameterizedTest
  @ValueSource(ints = {2, 10, 100})
  void shouldBeFiellersIntervalWhereNoiseIsWide(int categories) {
    double deviation = 25;
    Range range = ShareInterval.of(noise("gaussian", deviation), categories).range(3_000, 10_000);
    double t = range.high();
    double spread = Math.sqrt((1 - t) * (1 - t) + (categories - 1) * t * t);
    assertThat(t).isCloseTo(0.3 + 1.96 * deviation * spread / 10_000, within(1e-4 * categories));
    assertThat(range.low()).isBetween(0.28, 0.3);
  }

  @Test
  void shouldBeContinuousWhereExactLawsWouldBeLong() {
    AdditiveNoise wide = noise("gaussian", 1_000);
    Range range = ShareInterval.of(wide, 5).range(50_000, 100_000);
    double spread = Math.sqrt(0.25 + 4 * 0.25);
    assertThat(range.high() - 0.5).isCloseTo(1.96 * 1_000 * spread / 100_000, within(2e-3));
  }

  @Test
  void shouldNeverShrinkToAPoint() {
    ShareInterval interval = ShareInterval.of(noise("laplace", 5), 4);
    for (long count : new long[] {-239, -40, -1, 0, 100, 101, 139, 500}) {
      Range range = interval.range(count, 100);
      assertThat(range.high() - range.low()).as("of " + count).isGreaterThan(0.05);
      assertThat(range.low()).isBetween(0.0, range.high());
      assertThat(range.high()).isLessThanOrEqualTo(1);
    }
    assertThat(interval.range(3, 0)).isEqualTo(Range.ALL);
    assertThat(interval.range(1L << 60, 1L << 60).from(1)).isLessThan(1e-15);
    assertThat(new Range(0.2, 0.5).from(0.3)).isCloseTo(0.2, within(1e-15));
  }

  @Test
  void shouldSumLawsAsTheyAre() {
    WholeLaw distribution = WholeLaw.of(new LaplaceNoise(LaplaceNoise.STEPS));
    double p = Math.exp(-1);
    for (int x = 0; x < 20; x++) {
      // Independent: P[X = x] of two, by the closed form of differences of negative binomials.
      double one = (1 - p) / (1 + p) * Math.pow(p, x);
      double two =
          (1 - p)
              * (1 - p)
              / ((1 + p) * (1 + p))
              * Math.pow(p, x)
              * (x + (1 + p * p) / (1 - p * p));
      assertThat(distribution.at(x)).isCloseTo(one, within(1e-13));
      assertThat(distribution.at(-x)).isEqualTo(distribution.at(x));
      assertThat(distribution.summed(2).at(x)).isCloseTo(two, within(1e-13));
    }
    WholeLaw normal = WholeLaw.of(noise("gaussian", 3));
    assertThat(normal.summed(9).at(0)).isCloseTo(1 / (9 * Math.sqrt(2 * Math.PI)), within(1e-12));
    assertThat(normal.summed(9).between(-1e9, 1e9)).isCloseTo(1, within(1e-10));
    assertThat(normal.between(0.1, 0.9)).isZero();
    assertThat(normal.between(-0.5, 0.5)).isCloseTo(normal.at(0), within(1e-13));
  }
}
