// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.math.BigInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Exact draws at the ends of their ranges, and what is refused. Fixed public seeds; rates by
 * Hoeffding's inequality, at a false-alarm rate of 1e-9 each.
 */
class LimitsTest {
  private static final double SMALLEST = 0x1.0p-40;
  private static final int DRAWS = 20_000;

  private final KeyedRandom random = KeyedRandom.ofPublicSeed("limits");

  private static void assertRate(BooleanSupplier coin, double rate) {
    int heads = 0;
    for (int i = 0; i < DRAWS; i++) {
      heads += coin.getAsBoolean() ? 1 : 0;
    }
    assertThat(heads / (double) DRAWS)
        .isCloseTo(rate, within(Math.sqrt(Math.log(2e9) / (2 * DRAWS))));
  }

  @Test
  void biasesAreClampedAwayFromCertainty() {
    assertThat(ExactBernoulli.clamp(-3)).isEqualTo(SMALLEST);
    assertThat(ExactBernoulli.clamp(0)).isEqualTo(SMALLEST);
    assertThat(ExactBernoulli.clamp(0.3)).isEqualTo(0.3);
    assertThat(ExactBernoulli.clamp(1)).isEqualTo(1 - SMALLEST);
    assertThat(ExactBernoulli.clamp(Double.POSITIVE_INFINITY)).isEqualTo(1 - SMALLEST);
    assertThatThrownBy(() -> ExactBernoulli.clamp(Double.NaN)).hasMessageContaining("a bias");
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, SMALLEST / 2, 1 - SMALLEST / 2, 1, Double.NaN})
  void aCoinRefusesABiasThatIsNotClamped(double bias) {
    assertThatThrownBy(() -> ExactBernoulli.heads(random, bias))
        .hasMessageContaining("a bias lies in");
  }

  /** A thousand coins at either end: one that shows the other side has a chance below 1e-9. */
  @Test
  void coinsHaveTheirBias() {
    for (int i = 0; i < 1000; i++) {
      assertThat(ExactBernoulli.heads(random, SMALLEST)).isFalse();
      assertThat(ExactBernoulli.heads(random, 1 - SMALLEST)).isTrue();
    }
    assertRate(() -> ExactBernoulli.heads(random, 0.25), 0.25);
    assertRate(() -> ExactRandom.coin(random, 3, 8), 3 / 8.0);
    for (int i = 0; i < 100; i++) {
      assertThat(ExactRandom.coin(random, 0, 3)).isFalse();
      assertThat(ExactRandom.coin(random, 3, 3)).isTrue();
    }
  }

  /** One place of as many as there are: none is left out, at powers of two and beside them. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 8})
  void uniformNumbersAreEquallyLikely(long bound) {
    for (long place = 0; place < bound; place++) {
      long wanted = place;
      assertRate(() -> ExactRandom.uniform(random, bound) == wanted, 1.0 / bound);
      assertRate(
          () -> ExactRandom.uniform(random, BigInteger.valueOf(bound)).longValueExact() == wanted,
          1.0 / bound);
    }
  }

  /** Where a word of 64 bits is just enough, and just not. */
  @Test
  void uniformNumbersReachAsFarAsTheyMay() {
    assertThatThrownBy(() -> ExactRandom.uniform(random, 0)).hasMessageContaining("at least 1");
    assertRate(() -> ExactRandom.uniform(random, Long.MAX_VALUE) >= 1L << 62, 0.5);
    for (int bits : new int[] {63, 64, 65, 128}) {
      BigInteger bound = BigInteger.ONE.shiftLeft(bits);
      for (int bit : new int[] {0, bits - 2, bits - 1}) {
        assertRate(() -> ExactRandom.uniform(random, bound).testBit(bit), 0.5);
      }
    }
  }

  @Test
  void weightsAreTheChances() {
    WeightedChoice choice = new WeightedChoice(new long[] {0, 3, 0, 0, 1, 0});
    assertRate(() -> choice.draw(random) == 1, 0.75);
    assertRate(() -> choice.draw(random) == 4, 0.25);
    WeightedChoice first = new WeightedChoice(new long[] {2, 1});
    assertRate(() -> first.draw(random) == 0, 2 / 3.0);
    WeightedChoice last = new WeightedChoice(new long[] {2, 3});
    assertRate(() -> last.draw(random) == 1, 3 / 5.0);
    WeightedChoice sure = new WeightedChoice(new long[] {0, 0, 1, 0});
    for (int i = 0; i < 100; i++) {
      assertThat(sure.draw(random)).isEqualTo(2);
    }
    assertThatThrownBy(() -> new WeightedChoice(new long[] {2, -1}))
        .hasMessageContaining("at least 0");
    assertThatThrownBy(() -> new WeightedChoice(new long[2])).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new WeightedChoice(new long[] {Long.MAX_VALUE, 1}))
        .isInstanceOf(ArithmeticException.class);
  }

  @Test
  void scalesAndVariancesHaveTheirRanges() {
    assertThatCode(() -> new DiscreteLaplace(1, 1 << 30)).doesNotThrowAnyException();
    assertThatCode(() -> new DiscreteLaplace(1L << 40, 1)).doesNotThrowAnyException();
    assertThatCode(() -> new DiscreteGaussian(1L << 62)).doesNotThrowAnyException();
    assertThat(new DiscreteGaussian(1).sample(random)).as("a variance of 0.001").isZero();
    assertThatThrownBy(() -> new DiscreteGaussian((1L << 62) + 1)).hasMessageContaining("sigma^2");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "1, 0", "1099511627777, 1", "1, 1073741825"})
  void otherScalesAreRefused(long numerator, long denominator) {
    assertThatThrownBy(() -> new DiscreteLaplace(numerator, denominator))
        .hasMessageContaining("was " + numerator + "/" + denominator);
  }

  /** Odd multiples of 2^-53: neither end, and no place twice as likely as another. */
  @Test
  void openNumbersAreOddMultiples() {
    double smallest = 1;
    double largest = 0;
    for (int i = 0; i < DRAWS; i++) {
      double x = random.nextOpenDouble();
      assertThat((long) (x * 0x1.0p53) % 2).isEqualTo(1);
      assertThat(x).isGreaterThan(0).isLessThan(1);
      smallest = Math.min(smallest, x);
      largest = Math.max(largest, x);
    }
    // (1 - 0.002)^20000 is below 1e-17.
    assertThat(smallest).isLessThan(0.002);
    assertThat(largest).isGreaterThan(0.998);
  }

  /** The middles of 2^52 parts: the highest bits of a word. */
  @Test
  void anOpenNumberIsTheMiddleOfItsPart() {
    KeyedRandom words = KeyedRandom.ofPublicSeed("limits");
    for (int i = 0; i < 20; i++) {
      long odd = 2 * (words.nextLong() >>> 12) + 1;
      assertThat(random.nextOpenDouble()).isEqualTo(odd / 0x1.0p53);
    }
  }

  /**
   * In a window of four values that the urn may draw, by closed form: one item of known weights.
   */
  @ParameterizedTest
  @ValueSource(longs = {1L << 20, 1L << 60})
  void theFirstItemOfAnUrnFollowsTheWeights(long one) {
    long[] counts = {5, 0, 1, 0};
    double all = 6 + 4 * 0.5;
    for (int category = 0; category < 4; category++) {
      int wanted = category;
      assertRate(
          () -> DirichletMultinomial.draw(random, counts, one, one / 2, one, 1)[wanted] == 1,
          (counts[category] + 0.5) / all);
    }
    assertThat(DirichletMultinomial.draw(random, counts, one, one / 2, one, 0)).containsOnly(0);
  }

  /** Of a quotient of any size: each whole is a coin of its own, and the rest another one. */
  @ParameterizedTest
  @CsvSource({"0, 1", "0, 2", "1, 2", "1, 1", "2, 1", "5, 2", "7, 3"})
  void coinsOfPowersHaveTheirBias(long numerator, long denominator) {
    BigInteger over = BigInteger.valueOf(numerator);
    BigInteger under = BigInteger.valueOf(denominator);
    double bias = Math.exp(-numerator / (double) denominator);
    assertRate(() -> ExactRandom.expCoin(random, numerator, denominator), bias);
    assertRate(() -> ExactRandom.expCoin(random, over, under), bias);
    for (int i = 0; i < 100; i++) {
      assertThat(ExactRandom.expCoin(random, BigInteger.ZERO, under)).as("e^0").isTrue();
    }
  }

  /** A retry on another machine draws the same: what a draw takes of the stream is part of it. */
  @Test
  void aBigNumberIsTheNextWordsOfTheStreamAndNoMore() {
    KeyedRandom other = KeyedRandom.ofPublicSeed("limits");
    BigInteger word = BigInteger.ONE.shiftLeft(64);
    for (int i = 0; i < 20; i++) {
      BigInteger one = new BigInteger(Long.toUnsignedString(other.nextLong()));
      assertThat(ExactRandom.uniform(random, word.subtract(BigInteger.ONE))).isEqualTo(one);
    }
    // 64 binary digits of the bound make one word, one digit more makes two.
    long high = other.nextLong() & 1;
    BigInteger low = new BigInteger(Long.toUnsignedString(other.nextLong()));
    while (high == 1) {
      high = other.nextLong() & 1;
      low = new BigInteger(Long.toUnsignedString(other.nextLong()));
    }
    assertThat(ExactRandom.uniform(random, word)).isEqualTo(low);
    assertThat(random.nextLong()).isEqualTo(other.nextLong());
  }

  /** The cube of Marsaglia and Tsang: nearly every first proposal is taken. */
  @Test
  void aGammaDrawIsMadeOfOneNormalNumber() {
    double d = 1e6 - 1.0 / 3;
    for (int i = 0; i < 20; i++) {
      KeyedRandom draw = KeyedRandom.ofPublicSeed("gamma " + i);
      double normal = KeyedRandom.ofPublicSeed("gamma " + i).nextStandardGaussian();
      assertThat(GammaSampler.sample(draw, 1e6))
          .isCloseTo(d * Math.pow(1 + normal / Math.sqrt(9 * d), 3), within(1e-3));
    }
  }

  /** A shape of 1 is the least that needs no power of a uniform number. */
  @Test
  void gammaDrawsOfShapeOneAreThoseOfShapesAbove() {
    for (int i = 0; i < 20; i++) {
      KeyedRandom one = KeyedRandom.ofPublicSeed("shape " + i);
      KeyedRandom above = KeyedRandom.ofPublicSeed("shape " + i);
      assertThat(GammaSampler.sample(one, 1))
          .isCloseTo(GammaSampler.sample(above, 1 + 1e-12), within(1e-9));
    }
  }

  /** Of weights so small that draws lie where one category ends and the next begins. */
  @Test
  void anUrnOfSingleStepsFollowsItsWeights() {
    for (int category = 0; category < 3; category++) {
      int wanted = category;
      assertRate(
          () -> DirichletMultinomial.draw(random, new long[3], 1, 1, 1, 1)[wanted] == 1, 1 / 3.0);
      // The first item comes back to the urn with another one like it.
      assertRate(
          () -> DirichletMultinomial.draw(random, new long[3], 1, 1, 1, 2)[wanted] == 2,
          1 / 3.0 * 2 / 4);
    }
  }
}
