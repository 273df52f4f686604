// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Tuberculosis;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.distribution.MultivariateNormalDistribution;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.ContinuousSampler;
import org.apache.commons.rng.sampling.distribution.GaussianSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;
import org.apache.commons.rng.simple.RandomSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureLikelihoodTest {
  private static double[][] rows(int records, int dimensions, double spread, long seed) {
    UniformRandomProvider random = RandomSource.KISS.create(seed);
    double[][] rows = new double[records][dimensions];
    for (double[] row : rows) {
      Arrays.setAll(row, i -> spread * (random.nextDouble() - 0.3));
    }
    return rows;
  }

  /** Narrow and wide numbers, one and several a record; exact features are the reference. */
  @ParameterizedTest
  @CsvSource({
    "1, 5, 0.6, 2e-4",
    "1, 1e5, 0.6, 1e-6",
    "1, 1e-6, 0.6, 2e-4",
    "1, 1, 1e6, 2e-4",
    "2, 5, 0.6, 1e-6",
    "5, 100, 2, 1e-6"
  })
  void shouldFindMeanFeatures(int dimensions, double spread, double bandwidth, double error) {
    RandomFeatures features = new RandomFeatures(dimensions, 100, bandwidth, "public");
    double[][] rows = rows(500, dimensions, spread, 7);
    double[] exact = features.mean(rows);
    double[] fast = new FastFeatures(features).mean(PseudoData.Numbers.of(rows));
    for (int i = 0; i < exact.length; i++) {
      assertThat(fast[i]).isCloseTo(exact[i], within(error));
    }
  }

  /** Against the density of commons-math, with the covariance written out. */
  @Test
  void shouldBeTheDensityOfTheNoise() {
    RandomFeatures features = new RandomFeatures(1, 6, 1.3, "public");
    double[] sums = {30, -12, 40, 3, -7, 22};
    double[][] first = rows(80, 1, 5, 1);
    double[][] second = rows(80, 1, 3, 2);
    for (double recordsDeviation : new double[] {0, 9}) {
      double deviation = 4;
      double records = 77;
      Likelihood mine = new FeatureLikelihood(features, sums, deviation, records, recordsDeviation);
      double found =
          mine.log(PseudoData.Numbers.of(first)) - mine.log(PseudoData.Numbers.of(second));
      double wanted =
          Math.log(
              density(features.mean(first), sums, deviation, records, recordsDeviation)
                  / density(features.mean(second), sums, deviation, records, recordsDeviation));
      assertThat(found).isCloseTo(wanted, within(0.02 * Math.abs(wanted)));
      assertThat(mine.records()).isEqualTo(77);
    }
  }

  private static double density(
      double[] mean, double[] sums, double deviation, double records, double recordsDeviation) {
    double[][] covariance = new double[mean.length][mean.length];
    for (int i = 0; i < mean.length; i++) {
      for (int j = 0; j < mean.length; j++) {
        covariance[i][j] =
            recordsDeviation * recordsDeviation * mean[i] * mean[j]
                + (i == j ? deviation * deviation : 0);
      }
    }
    double[] centre = Arrays.stream(mean).map(x -> records * x).toArray();
    return new MultivariateNormalDistribution(centre, covariance).density(sums);
  }

  /** Scores between 0 and 10 are no mixture on [0, 5], however its shares are chosen. */
  @Test
  void shouldTellWhereNoCandidateFits() {
    RandomFeatures features = new RandomFeatures(1, 50, 1.2, "public");
    MixtureOfUniforms model = new MixtureOfUniforms(5);
    double[][] mixed = model.simulate(new double[] {.5, .1, .3, 0, .1}, 600, random()).rows();
    assertThat(asked(features, model, mixed).fits()).isTrue();
    double[][] wide = rows(600, 1, 10, 3);
    assertThat(asked(features, model, wide).fits()).isFalse();
  }

  private static UniformRandomProvider random() {
    return RandomSource.KISS.create(5L);
  }

  /** Sums with the noise of (1, 1e-6). */
  private static PopulationMonteCarlo.Result asked(
      RandomFeatures features, MixtureOfUniforms model, double[][] rows) {
    ContinuousSampler noise =
        GaussianSampler.of(ZigguratSampler.NormalizedGaussian.of(random()), 0, 8.45);
    double[] sums =
        Arrays.stream(features.mean(rows)).map(x -> rows.length * x + noise.sample()).toArray();
    Likelihood likelihood = new FeatureLikelihood(features, sums, 8.45, rows.length, 0);
    return new PopulationMonteCarlo(model, Prior.of(model, List.of()), likelihood, 2000, 1)
        .run(() -> {});
  }

  /**
   * Its datasets are of other numbers of records, and each takes as long as thousands of others.
   */
  @Test
  void shouldRefuseAModelThatDecidesHowManyRecordsThereAre() {
    Tuberculosis model = new Tuberculosis();
    Likelihood likelihood =
        new FeatureLikelihood(new RandomFeatures(1, 2, 1, "public"), new double[2], 1, 500, 2);
    PopulationMonteCarlo asked =
        new PopulationMonteCarlo(model, Prior.of(model, List.of()), likelihood, 100_000, 1);
    assertThatThrownBy(() -> asked.run(() -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("decides for itself")
        .hasMessageContaining("500 records");
  }

  @Test
  void shouldRefuseWhatIsNoRelease() {
    RandomFeatures features = new RandomFeatures(1, 2, 1, "public");
    assertThatThrownBy(() -> new FeatureLikelihood(features, new double[] {Double.NaN, 0}, 1, 5, 0))
        .hasMessageContaining("not finite");
    assertThatThrownBy(() -> new FeatureLikelihood(features, new double[2], 1, 1e300, 0))
        .hasMessageContaining("records");
    assertThatThrownBy(() -> new FeatureLikelihood(features, new double[2], 1, 0, 0))
        .hasMessageContaining("without records");
    Likelihood one = new FeatureLikelihood(features, new double[2], 1, -3, 2);
    assertThat(one.records()).isEqualTo(1);
    assertThatThrownBy(() -> one.log(new PseudoData.Counts(new long[] {1, 2})))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1 number");
  }
}
