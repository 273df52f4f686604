// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.testkit.ChiSquare;
import java.math.BigInteger;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What OpenDP asks of the same samplers (Canonne, Kamath, Steinke 2020), at its points:
 * src/testkit/src/main/resources/foreign/opendp-sampler-tests.txt. Fixed public seeds; false-alarm
 * rate 1e-9 each.
 */
class SamplerChecklistTest {
  private static final int COINS = 40_000;
  private static final int DRAWS = 40_000;
  private static final int REACH = 60;

  /**
   * By Chernoff's bound: a part x of n coins of bias p that is as far off has a probability of at
   * most 2 e^(-n KL(x, p)).
   */
  private static void assertRate(BooleanSupplier coin, double rate) {
    double x = heads(coin) / (double) COINS;
    double divergence = term(x, rate) + term(1 - x, 1 - rate);
    assertThat(COINS * divergence).isLessThan(Math.log(2e9));
  }

  private static double term(double x, double p) {
    return x == 0 ? 0 : x * Math.log(x / p);
  }

  private static long heads(BooleanSupplier coin) {
    long heads = 0;
    for (int i = 0; i < COINS; i++) {
      heads += coin.getAsBoolean() ? 1 : 0;
    }
    return heads;
  }

  /** Fixed points, in longs and in numbers of any size. */
  @ParameterizedTest
  @CsvSource({
    "1, 8",
    "1, 4",
    "1, 2",
    "3, 4",
    "1, 1",
    "3, 2",
    "2, 1",
    "9, 4",
    "3, 1",
    "7, 2",
    "5, 1",
    "32768, 65537",
    "65536, 65537",
    "12345, 1000003",
    "999983, 1000003"
  })
  void coinsShouldHaveTheirBias(long numerator, long denominator) {
    double rate = Math.exp(-numerator / (double) denominator);
    String seed = "coin " + numerator + "/" + denominator;
    KeyedRandom random = KeyedRandom.ofPublicSeed(seed);
    assertRate(() -> ExactRandom.expCoin(random, numerator, denominator), rate);
    assertRate(
        () ->
            ExactRandom.expCoin(
                random, BigInteger.valueOf(numerator), BigInteger.valueOf(denominator)),
        rate);
  }

  /** e^0 is 1; e^-(3/2^30) fails less than three times in a thousand million. */
  @Test
  void coinsNearOneShouldAlmostAlwaysShowHeads() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("ends");
    for (int i = 0; i < 1_000; i++) {
      assertThat(ExactRandom.expCoin(random, 0, 1)).isTrue();
      assertThat(ExactRandom.expCoin(random, BigInteger.ZERO, BigInteger.TEN)).isTrue();
    }
    // More than 3 tails of 40,000 have a probability of (1.2e-4)^4 / 24, below 1e-9.
    assertThat(heads(() -> ExactRandom.expCoin(random, 3, 1 << 30)))
        .isGreaterThanOrEqualTo(COINS - 3);
  }

  /** Heads of larger exponents are not more frequent: by Hoeffding's bound at 1e-9. */
  @Test
  void coinsShouldShowFewerHeadsForLargerExponents() {
    long[][] exponents = {{0, 1}, {1, 8}, {3, 4}, {1, 1}, {3, 2}, {2, 1}, {9, 4}, {3, 1}, {5, 1}};
    KeyedRandom random = KeyedRandom.ofPublicSeed("fewer");
    long before = COINS;
    for (long[] x : exponents) {
      long heads = heads(() -> ExactRandom.expCoin(random, x[0], x[1]));
      assertThat(heads).isLessThan(before + Math.round(Math.sqrt(COINS * Math.log(1e9))));
      before = heads;
    }
  }

  /** e^-(a+b) is e^-a e^-b: one coin of a sum, and both coins of its terms. */
  @ParameterizedTest
  @CsvSource({
    "1, 2, 1, 2",
    "1, 1, 1, 4",
    "2, 1, 3, 4",
    "5, 2, 1, 8",
    "1, 1073741824, 1, 65537",
    "3, 1073741824, 12345, 1000003",
    "32768, 65537, 1, 65537",
    "65536, 65537, 1, 1073741824"
  })
  void coinsShouldMultiply(long a, long ofA, long b, long ofB) {
    double rate = Math.exp(-(a / (double) ofA + b / (double) ofB));
    KeyedRandom random = KeyedRandom.ofPublicSeed("sum " + a + "/" + ofA);
    BigInteger sum =
        BigInteger.valueOf(a)
            .multiply(BigInteger.valueOf(ofB))
            .add(BigInteger.valueOf(b).multiply(BigInteger.valueOf(ofA)));
    BigInteger of = BigInteger.valueOf(ofA).multiply(BigInteger.valueOf(ofB));
    assertRate(() -> ExactRandom.expCoin(random, sum, of), rate);
    assertRate(
        () -> ExactRandom.expCoin(random, a, ofA) && ExactRandom.expCoin(random, b, ofB), rate);
  }

  /** e^-(m x) is as many coins of e^-x. */
  @ParameterizedTest
  @CsvSource({"1, 65537, 7", "12345, 1000003, 13"})
  void coinsShouldScale(long numerator, long denominator, int times) {
    double rate = Math.exp(-times * (double) numerator / denominator);
    KeyedRandom random = KeyedRandom.ofPublicSeed("times " + times);
    assertRate(() -> ExactRandom.expCoin(random, times * numerator, denominator), rate);
    assertRate(
        () -> {
          for (int i = 0; i < times; i++) {
            if (!ExactRandom.expCoin(random, numerator, denominator)) {
              return false;
            }
          }
          return true;
        },
        rate);
  }

  /** Coins in a row are geometric: with the law, their mean and their zeros. */
  @ParameterizedTest
  @CsvSource({"1, 2", "3, 4", "1, 1", "3, 2", "2, 1", "9, 4", "3, 1", "5, 1"})
  void coinsInARowShouldBeGeometric(long numerator, long denominator) {
    double q = Math.exp(-numerator / (double) denominator);
    double[] distribution = new double[REACH];
    for (int k = 0; k < REACH; k++) {
      distribution[k] = Math.pow(q, k) * (1 - q);
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed("row " + numerator);
    assertLaw(
        distribution,
        () -> {
          int k = 0;
          while (ExactRandom.expCoin(random, numerator, denominator)) {
            k++;
          }
          return k;
        });
  }

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 1", "2, 1", "3, 1"})
  void laplaceShouldFollowItsLawOnBothSides(long numerator, long denominator) {
    double a = Math.exp(-denominator / (double) numerator);
    double[] distribution = new double[2 * REACH + 1];
    for (int i = 0; i < distribution.length; i++) {
      distribution[i] = (1 - a) / (1 + a) * Math.pow(a, Math.abs(i - REACH));
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed("both sides");
    DiscreteLaplace noise = new DiscreteLaplace(numerator, denominator);
    assertLaw(distribution, () -> (int) noise.sample(random) + REACH);
  }

  @ParameterizedTest
  @CsvSource({"1", "2", "3"})
  void gaussianShouldFollowItsLawOnBothSides(int sigma) {
    double[] distribution = new double[2 * REACH + 1];
    double all = 0;
    for (int i = 0; i < distribution.length; i++) {
      distribution[i] = Math.exp(-Math.pow(i - REACH, 2) / (2 * sigma * sigma));
      all += distribution[i];
    }
    for (int i = 0; i < distribution.length; i++) {
      distribution[i] /= all;
    }
    KeyedRandom random = KeyedRandom.ofPublicSeed("both sides");
    DiscreteGaussian noise = new DiscreteGaussian(sigma * sigma * DiscreteGaussian.STEPS);
    assertLaw(distribution, () -> (int) noise.sample(random) + REACH);
  }

  private static void assertLaw(double[] distribution, IntSupplier place) {
    long[] observed = new long[distribution.length + 1];
    for (int i = 0; i < DRAWS; i++) {
      int drawn = place.getAsInt();
      observed[drawn < 0 || drawn >= distribution.length ? distribution.length : drawn]++;
    }
    ChiSquare.assertFollows(observed, distribution);
  }
}
