// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.experiment.GoogleNoise.Added;
import io.sfumato.mechanism.abc.GaussianBudget;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.KolmogorovSmirnov;
import org.apache.commons.statistics.distribution.LaplaceDistribution;
import org.apache.commons.statistics.distribution.NormalDistribution;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Fixed public seeds; false-alarm rate 1e-9 each. */
class GoogleNoiseTest {
  private static double[] drawn(Added noise, double x, String seed) {
    KeyedRandom random = KeyedRandom.ofPublicSeed(seed);
    double[] drawn = new double[50_000];
    for (int i = 0; i < drawn.length; i++) {
      drawn[i] = noise.around(x, random) - x;
    }
    return drawn;
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "4, 3, 0.5", "1, 1000, 0.1", "1, 0.001, 2"})
  void shouldBeLaplaceNoiseOfL1OverEpsilon(int partitions, double each, double epsilon) {
    Added noise = GoogleNoise.LAPLACE.of(partitions, each, epsilon, 0);
    double b = partitions * each / epsilon;
    LaplaceDistribution law = LaplaceDistribution.of(0, b);
    KolmogorovSmirnov.assertFollows(
        drawn(noise, 12.34, "laplace " + b), law::cumulativeProbability);
    assertThat(noise.granularity()).isBetween(b * 0x1.0p-40, b * 0x1.0p-39);
    for (double alpha : new double[] {0.5, 0.05, 1e-6}) {
      assertThat(noise.reach(alpha))
          .isCloseTo(law.inverseSurvivalProbability(alpha / 2), within(1e-9 * b));
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1, 1e-6", "4, 3, 0.5, 1e-5", "1, 1000, 0.1, 1e-9"})
  void shouldBeNormalNoiseOfTheAnalyticGaussian(
      int partitions, double each, double epsilon, double delta) {
    double sigma = GoogleNoise.sigma(Math.sqrt(partitions) * each, epsilon, delta);
    double mu =
        GaussianBudget.mu(
            Epsilon.of(Double.toString(epsilon)),
            Delta.of(Double.toString(delta)),
            Accountant.EXACT);
    assertThat(sigma * mu / (Math.sqrt(partitions) * each)).isBetween(1 - 1e-9, 1.0011);
    Added noise = GoogleNoise.GAUSSIAN.of(partitions, each, epsilon, delta);
    NormalDistribution law = NormalDistribution.of(0, sigma);
    KolmogorovSmirnov.assertFollows(
        drawn(noise, 12.34, "gaussian " + sigma), law::cumulativeProbability);
    for (double alpha : new double[] {0.5, 0.05, 1e-6}) {
      assertThat(noise.reach(alpha))
          .isCloseTo(law.inverseSurvivalProbability(alpha / 2), within(1e-9 * sigma));
    }
  }

  @Test
  void shouldLeaveCountsWholeAndValuesOnItsGrid() {
    Added noise = GoogleNoise.LAPLACE.of(1, 1, 1, 0);
    KeyedRandom random = KeyedRandom.ofPublicSeed("grid");
    double steps = noise.around(Math.PI, random) / noise.granularity();
    assertThat(steps).isEqualTo(Math.rint(steps));
    long sum = 0;
    for (int i = 0; i < 20_000; i++) {
      sum += noise.around(7L, random);
    }
    // Variance 2 + 1/12: seven standard errors.
    assertThat(sum / 20_000.0).isCloseTo(7, within(7 * Math.sqrt((2 + 1 / 12.0) / 20_000)));
  }
}
