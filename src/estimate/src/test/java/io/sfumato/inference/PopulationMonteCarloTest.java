// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.estimate.HistogramDensity;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.modeller.EventRates;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.modeller.OwnPrior;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.PseudoData;
import io.sfumato.modeller.Simulator;
import io.sfumato.random.KeyedRandom;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ForkJoinPool;
import org.apache.commons.math3.special.Gamma;
import org.apache.commons.rng.UniformRandomProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Posteriors of one release, against sums over all data and integrals over all parameters. */
class PopulationMonteCarloTest {
  /** Two-sided normal quantile of a false alarm at 1e-9. */
  private static final double ALARM = 6.2;

  private static HistogramMechanism mechanism(String word, int categories) {
    return switch (word) {
      case "gaussian" ->
          new NoisyHistogram(
              new GaussianNoise(9 * 1024),
              Optional.of(PostProcessing.POSTERIOR_MEAN),
              Sensitivity.replaceOne());
      case "laplace" ->
          new NoisyHistogram(
              new LaplaceNoise(LaplaceNoise.STEPS / 2), Optional.empty(), Sensitivity.replaceOne());
      default ->
          new DirichletMechanism(
              DirichletParameters.rounded(0.4, 2.5), new DirichletBound.ReplaceOne(), categories);
    };
  }

  private static HistogramDensity density(String word, long... counts) {
    HistogramMechanism mechanism = mechanism(word, counts.length);
    Histogram histogram = new Histogram(counts);
    return HistogramAccuracy.of(mechanism)
        .density(
            mechanism.distribution(histogram).draw(KeyedRandom.ofPublicSeed("noise " + word)),
            histogram.size());
  }

  /** Over all counts of three categories. */
  private static double brute(HistogramDensity density, double[] p) {
    int n = (int) density.records();
    double[] terms = new double[(n + 1) * (n + 2) / 2];
    int next = 0;
    for (int i = 0; i <= n; i++) {
      for (int j = 0; i + j <= n; j++) {
        int k = n - i - j;
        terms[next++] =
            Gamma.logGamma(n + 1.0)
                - Gamma.logGamma(i + 1.0)
                - Gamma.logGamma(j + 1.0)
                - Gamma.logGamma(k + 1.0)
                + i * Math.log(p[0])
                + j * Math.log(p[1])
                + k * Math.log(p[2])
                + density.log(new long[] {i, j, k});
      }
    }
    return HistogramLikelihood.logSum(terms);
  }

  private static final List<double[]> SHARES =
      List.of(
          new double[] {0.2, 0.3, 0.5}, new double[] {0.96, 0.03, 0.01},
          new double[] {1e-6, 0.4, 0.6 - 1e-6}, new double[] {0.05, 0.9, 0.05});

  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace", "dirichlet"})
  void dataAreIntegratedOutExactly(String word) {
    for (long[] counts :
        List.of(new long[] {3, 5, 4}, new long[] {0, 1, 0}, new long[] {500, 20, 80})) {
      HistogramDensity density = density(word, counts);
      HistogramLikelihood likelihood = new HistogramLikelihood(density, 3);
      double constant = Double.NaN;
      for (double[] p : SHARES) {
        // What depends on the sum of all counts alone is the same for all shares.
        double away = likelihood.logOfShares(p).orElseThrow() - brute(density, p);
        assertThat(Double.isNaN(constant) ? away : constant)
            .as("%s of %d at %s", word, counts[0], p[0])
            .isCloseTo(away, within(1e-6));
        constant = away;
      }
    }
  }

  /** The mean and the deviation of the first share of two, by a sum over a grid. */
  private static double[] moments(HistogramLikelihood likelihood) {
    int grid = 20_000;
    double zeroth = 0;
    double first = 0;
    double second = 0;
    double top = likelihood.logOfShares(new double[] {0.7, 0.3}).orElseThrow();
    for (int i = 0; i < grid; i++) {
      double p = (i + 0.5) / grid;
      double w = Math.exp(likelihood.logOfShares(new double[] {p, 1 - p}).orElseThrow() - top);
      zeroth += w;
      first += w * p;
      second += w * p * p;
    }
    double mean = first / zeroth;
    return new double[] {mean, Math.sqrt(second / zeroth - mean * mean)};
  }

  /** What somebody else wrote: nothing is known of it but its draws. */
  private record Foreign(EventRates rates, boolean knowsItsPrior) implements Simulator {
    @Override
    public List<String> parameters() {
      return rates.parameters();
    }

    @Override
    public void complete(double[] theta, UniformRandomProvider random) {
      rates.complete(theta, random);
    }

    @Override
    public Optional<OwnPrior> ownPrior() {
      return knowsItsPrior ? rates.ownPrior() : Optional.empty();
    }

    @Override
    public PseudoData simulate(double[] theta, int records, UniformRandomProvider random) {
      return rates.simulate(theta, records, random);
    }
  }

  private static final EventRates RATES = new EventRates(List.of("a", "b"));

  private static PopulationMonteCarlo.Result asked(
      Simulator simulator, Likelihood likelihood, int candidates) {
    return new PopulationMonteCarlo(
            simulator, Prior.of(simulator, List.of()), likelihood, candidates, 7)
        .run(() -> {});
  }

  private static void assertMoments(Posterior posterior, double[] moments) {
    double error = ALARM * moments[1] / Math.sqrt(posterior.effectiveSize());
    assertThat(posterior.mean(0)).isCloseTo(moments[0], within(error));
    assertThat(posterior.deviation(0)).isCloseTo(moments[1], within(2 * error));
  }

  /** Six standard errors, fixed seed. */
  @ParameterizedTest
  @ValueSource(strings = {"gaussian", "laplace", "dirichlet"})
  void posteriorsAreThoseOfTheIntegral(String word) {
    HistogramLikelihood likelihood = new HistogramLikelihood(density(word, 150, 50), 2);
    double[] moments = moments(likelihood);
    PopulationMonteCarlo.Result exact = asked(RATES, likelihood, 4000);
    assertThat(exact.datasets()).isZero();
    assertThat(exact.posterior().effectiveSize()).isGreaterThan(1000);
    assertMoments(exact.posterior(), moments);
    PopulationMonteCarlo.Result simulated = asked(new Foreign(RATES, true), likelihood, 4000);
    assertThat(simulated.datasets()).isPositive();
    assertThat(simulated.posterior().effectiveSize()).isGreaterThan(300);
    assertMoments(simulated.posterior(), moments);
    assertMoments(asked(new Foreign(RATES, false), likelihood, 4000).posterior(), moments);
  }

  @Test
  void aSeedGivesOnePosteriorOnAnyNumberOfThreads() throws Exception {
    HistogramLikelihood likelihood = new HistogramLikelihood(density("gaussian", 15, 5), 2);
    Posterior[] found = new Posterior[2];
    for (int threads = 1; threads <= 2; threads++) {
      ForkJoinPool pool = new ForkJoinPool(threads);
      found[threads - 1] =
          pool.submit(() -> asked(new Foreign(RATES, true), likelihood, 1000).posterior()).get();
      pool.shutdown();
    }
    assertThat(found[0].mean(0)).isEqualTo(found[1].mean(0));
    assertThat(found[0].effectiveSize()).isEqualTo(found[1].effectiveSize());
  }

  @Test
  void numbersAreNoCounts() {
    HistogramLikelihood likelihood = new HistogramLikelihood(density("gaussian", 15, 5), 2);
    assertThatThrownBy(() -> asked(new MixtureOfUniforms(2), likelihood, 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("event-rates");
  }

  @Test
  void aReleaseOfOtherCategoriesIsRefused() {
    HistogramLikelihood likelihood = new HistogramLikelihood(density("gaussian", 15, 5, 1), 3);
    assertThatThrownBy(() -> asked(RATES, likelihood, 1000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3 categories, the simulator 2");
  }
}
