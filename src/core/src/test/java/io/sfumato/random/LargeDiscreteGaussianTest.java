// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.testkit.ChiSquare;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Fixed public seeds; false-alarm rate 1e-9 each, where nothing else is said. */
class LargeDiscreteGaussianTest {
  private static final int DRAWS = 200_000;

  private static long[] observed(LongSupplier sampler, int reach) {
    long[] observed = new long[2 * reach + 2];
    for (int i = 0; i < DRAWS; i++) {
      long x = sampler.getAsLong();
      observed[Math.abs(x) > reach ? observed.length - 1 : (int) x + reach]++;
    }
    return observed;
  }

  private static double[] law(long sigma, int reach) {
    double[] weights = new double[2 * reach + 1];
    Arrays.setAll(
        weights, i -> Math.exp(-(double) (i - reach) * (i - reach) / (2.0 * sigma * sigma)));
    double sum = Arrays.stream(weights).sum(); // all but e^-800
    return Arrays.stream(weights).map(w -> w / sum).toArray();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 7, 16, 29})
  void shouldFollowItsLawExactly(long sigma) {
    LargeDiscreteGaussian noise = new LargeDiscreteGaussian(sigma);
    KeyedRandom random = KeyedRandom.ofPublicSeed("wide gaussian " + sigma);
    int reach = (int) (40 * sigma);
    ChiSquare.assertFollows(observed(() -> noise.sample(random), reach), law(sigma, reach));
  }

  /** The same law as that of the other sampler, drawn in another way: two samples alike. */
  @ParameterizedTest
  @ValueSource(longs = {5, 12})
  void shouldDrawAsTheDiscreteGaussianDoes(long sigma) {
    DiscreteGaussian other = new DiscreteGaussian(sigma * sigma * DiscreteGaussian.STEPS);
    KeyedRandom random = KeyedRandom.ofPublicSeed("other gaussian " + sigma);
    int reach = (int) (40 * sigma);
    ChiSquare.assertFollows(observed(() -> other.sample(random), reach), law(sigma, reach));
    shouldFollowItsLawExactly(sigma);
  }

  /**
   * Wide noise: its whole steps do not show. Mean and variance within seven standard errors
   * (1e-11); the distribution at 2e-10; low bits even, so that nothing was rounded.
   */
  @ParameterizedTest
  @ValueSource(longs = {100_003, (1L << 22) + 1, (1L << 41) - 1, 3L << 50, 1L << 56})
  void shouldBeNormalWhereItIsWide(long sigma) {
    LargeDiscreteGaussian noise = new LargeDiscreteGaussian(sigma);
    KeyedRandom random = KeyedRandom.ofPublicSeed("wide " + sigma);
    double[] sample = new double[DRAWS];
    int odd = 0;
    for (int i = 0; i < DRAWS; i++) {
      long x = noise.sample(random);
      odd += (int) (x & 1);
      sample[i] = x / (double) sigma;
    }
    KolmogorovSmirnov.assertFollows(sample, NormalDistribution.of(0, 1)::cumulativeProbability);
    double mean = Arrays.stream(sample).average().orElseThrow();
    double square = Arrays.stream(sample).map(x -> x * x).average().orElseThrow();
    assertThat(mean).isCloseTo(0, within(7 / Math.sqrt(DRAWS)));
    assertThat(square).isCloseTo(1, within(7 * Math.sqrt(2.0 / DRAWS)));
    assertThat(odd / (double) DRAWS).isCloseTo(0.5, within(3.5 / Math.sqrt(DRAWS)));
  }

  @Test
  void shouldDrawTheSameAgain() {
    LargeDiscreteGaussian noise = new LargeDiscreteGaussian(1L << 40);
    assertThat(noise.sample(KeyedRandom.ofPublicSeed("again")))
        .isEqualTo(noise.sample(KeyedRandom.ofPublicSeed("again")))
        .isNotEqualTo(noise.sample(KeyedRandom.ofPublicSeed("another")));
  }

  @Test
  void shouldRefuseWhatSixtyFourBitsDoNotHold() {
    assertThatThrownBy(() -> new LargeDiscreteGaussian(0)).hasMessageContaining("sigma");
    assertThatThrownBy(() -> new LargeDiscreteGaussian((1L << 56) + 1))
        .hasMessageContaining("2^56");
  }
}
