// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.testkit.ChiSquare;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.LongToDoubleFunction;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fixed public seeds; false-alarm rate 1e-9 each. */
class ExactSamplersTest {
  private static final int REACH = 200;

  @ParameterizedTest
  @CsvSource({"1, 2", "1, 1", "5, 2", "40, 3"})
  void discreteLaplaceFollowsItsLaw(long numerator, long denominator) {
    DiscreteLaplace noise = new DiscreteLaplace(numerator, denominator);
    KeyedRandom random = KeyedRandom.ofPublicSeed("laplace");
    double rate = denominator / (double) numerator;
    assertFollows(() -> noise.sample(random), x -> Math.exp(-rate * Math.abs(x)));
  }

  @ParameterizedTest
  @CsvSource({"100", "1024", "5000", "102400", "2000000"})
  void discreteGaussianFollowsItsLaw(long varianceSteps) {
    DiscreteGaussian noise = new DiscreteGaussian(varianceSteps);
    KeyedRandom random = KeyedRandom.ofPublicSeed("gaussian");
    double variance = varianceSteps / 1024.0;
    assertFollows(() -> noise.sample(random), x -> Math.exp(-x * x / (2 * variance)));
  }

  private static void assertFollows(LongSupplier sampler, LongToDoubleFunction weight) {
    double[] probabilities = new double[2 * REACH + 1];
    double sum = 0;
    for (long x = -50 * REACH; x <= 50 * REACH; x++) {
      sum += weight.applyAsDouble(x);
    }
    for (int i = 0; i < probabilities.length; i++) {
      probabilities[i] = weight.applyAsDouble(i - REACH) / sum;
    }
    long[] observed = new long[probabilities.length + 1];
    for (int i = 0; i < 200_000; i++) {
      long x = sampler.getAsLong();
      observed[Math.abs(x) > REACH ? probabilities.length : (int) x + REACH]++;
    }
    ChiSquare.assertFollows(observed, probabilities);
  }

  /** The law of the whole vector, against the Dirichlet-multinomial's closed form. */
  @ParameterizedTest
  @CsvSource({"false", "true"})
  void urnFollowsTheDirichletMultinomial(boolean large) {
    long one = large ? 1L << 61 : 1L << 30;
    long[] counts = {3, 0, 1};
    double r = 0.25;
    double a = 0.5;
    int items = 4;
    double[] u = {r * 3 + a, a, r + a};
    KeyedRandom random = KeyedRandom.ofPublicSeed("urn");
    Map<String, Integer> places = new HashMap<>();
    double[] probabilities = new double[15];
    for (int x = 0; x <= items; x++) {
      for (int y = 0; x + y <= items; y++) {
        int z = items - x - y;
        probabilities[places.size()] =
            Math.exp(
                Gamma.logGamma(items + 1)
                    + Gamma.logGamma(u[0] + u[1] + u[2])
                    - Gamma.logGamma(items + u[0] + u[1] + u[2])
                    + term(x, u[0])
                    + term(y, u[1])
                    + term(z, u[2]));
        places.put(x + "," + y + "," + z, places.size());
      }
    }
    long[] observed = new long[probabilities.length];
    for (int i = 0; i < 200_000; i++) {
      long[] drawn = DirichletMultinomial.draw(random, counts, one / 4, one / 2, one, items);
      observed[places.get(drawn[0] + "," + drawn[1] + "," + drawn[2])]++;
    }
    ChiSquare.assertFollows(observed, probabilities);
  }

  private static double term(int x, double u) {
    return Gamma.logGamma(x + u) - Gamma.logGamma(x + 1) - Gamma.logGamma(u);
  }

  @Test
  void urnDrawsAsManyItemsAsAskedFor() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("sizes");
    long[] drawn = DirichletMultinomial.draw(random, new long[32], 5, 7, 11, 10_000);
    assertThat(drawn).hasSize(32);
    assertThat(java.util.Arrays.stream(drawn).sum()).isEqualTo(10_000);
  }

  @Test
  void uniformBigNumbersCoverTheirRange() {
    KeyedRandom random = KeyedRandom.ofPublicSeed("big");
    BigInteger bound = BigInteger.ONE.shiftLeft(70).add(BigInteger.ONE);
    long[] observed = new long[8];
    for (int i = 0; i < 80_000; i++) {
      BigInteger drawn = ExactRandom.uniform(random, bound);
      assertThat(drawn).isBetween(BigInteger.ZERO, bound.subtract(BigInteger.ONE));
      observed[Math.min(7, drawn.shiftRight(67).intValue())]++;
    }
    double[] eighths = new double[8];
    java.util.Arrays.fill(eighths, 1 / 8.0);
    ChiSquare.assertFollows(observed, eighths);
  }

  @Test
  void rangesAreRefusedByName() {
    assertThatThrownBy(() -> new DiscreteGaussian(0)).hasMessageContaining("sigma^2");
    assertThatThrownBy(() -> new DiscreteLaplace(0, 1)).hasMessageContaining("scale");
  }
}
