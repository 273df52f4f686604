// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.estimate.HistogramDensity;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.ItemCounts;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.DirichletMechanism;
import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ChiSquare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongToDoubleFunction;
import org.apache.commons.math3.util.CombinatoricsUtils;
import org.junit.jupiter.api.Test;

/** Densities of releases against all noise that could have been, and against the mechanisms. */
class HistogramDensityTest {
  private static final double SIGMA = 1.25;
  private static final double SCALE = 0.8;
  private static final int REACH = 14;
  private static final GaussianNoise GAUSSIAN = new GaussianNoise((long) (SIGMA * SIGMA * 1024));
  private static final LaplaceNoise LAPLACE = new LaplaceNoise((long) (LaplaceNoise.STEPS / SCALE));
  private static final List<long[]> COUNTS =
      List.of(new long[] {3, 2, 1}, new long[] {6, 0, 0}, new long[] {0, 1, 5});

  private static double gaussian(long x) {
    return Math.exp(-x * x / (2 * GAUSSIAN.deviation() * GAUSSIAN.deviation()));
  }

  private static double laplace(long x) {
    return Math.exp(-Math.abs(x) / LAPLACE.scale());
  }

  /** Probabilities of all shares, to 1e-10, that noise up to a reach makes of counts. */
  private static Map<List<Long>, Double> all(
      long[] counts, LongToDoubleFunction noise, PostProcessing how, double deviation) {
    Map<List<Long>, Double> found = new HashMap<>();
    for (long i = -REACH; i <= REACH; i++) {
      for (long j = -REACH; j <= REACH; j++) {
        for (long k = -REACH; k <= REACH; k++) {
          double[] noisy = {counts[0] + i, counts[1] + j, counts[2] + k};
          double p = noise.applyAsDouble(i) * noise.applyAsDouble(j) * noise.applyAsDouble(k);
          found.merge(key(how.apply(noisy, 6, deviation)), p, Double::sum);
        }
      }
    }
    return found;
  }

  private static List<Long> key(Distribution shares) {
    List<Long> key = new ArrayList<>();
    for (int i = 0; i < shares.categories(); i++) {
      key.add(Math.round(shares.share(i) * 1e10));
    }
    return key;
  }

  /** What may have come of one count must be as likely under others as brute force says. */
  private static void assertRatios(
      HistogramMechanism mechanism,
      LongToDoubleFunction noise,
      PostProcessing how,
      double deviation) {
    List<Map<List<Long>, Double>> brute =
        COUNTS.stream().map(counts -> all(counts, noise, how, deviation)).toList();
    int checked = 0;
    for (long i = -4; i <= 4; i++) {
      for (long j = -4; j <= 4; j++) {
        for (long k = -4; k <= 4; k++) {
          Distribution shares = how.apply(new double[] {2 + i, 2 + j, 2 + k}, 6, deviation);
          HistogramDensity density = HistogramAccuracy.of(mechanism).density(shares, 6);
          List<Long> key = key(shares);
          double first = Math.log(brute.get(0).get(key)) - density.log(COUNTS.get(0));
          for (int c = 1; c < COUNTS.size(); c++) {
            double other = Math.log(brute.get(c).get(key)) - density.log(COUNTS.get(c));
            assertThat(other).as("%d %d %d", i, j, k).isCloseTo(first, within(1e-3));
            checked++;
          }
        }
      }
    }
    assertThat(checked).isEqualTo(2 * 9 * 9 * 9);
  }

  @Test
  void posteriorMeansAreTheirContrasts() {
    assertRatios(
        new NoisyHistogram(
            GAUSSIAN, Optional.of(PostProcessing.POSTERIOR_MEAN), Sensitivity.replaceOne()),
        HistogramDensityTest::gaussian,
        PostProcessing.POSTERIOR_MEAN,
        GAUSSIAN.deviation());
  }

  @Test
  void gaussianCountsOnTheFloorAreCensored() {
    assertRatios(
        new NoisyHistogram(GAUSSIAN, Optional.of(PostProcessing.FLOOR), Sensitivity.replaceOne()),
        HistogramDensityTest::gaussian,
        PostProcessing.FLOOR,
        GAUSSIAN.deviation());
  }

  @Test
  void laplaceCountsOnTheFloorAreCensored() {
    assertRatios(
        new NoisyHistogram(LAPLACE, Optional.empty(), Sensitivity.replaceOne()),
        HistogramDensityTest::laplace,
        PostProcessing.FLOOR,
        LAPLACE.continuousDeviation());
  }

  @Test
  void aPrivateTotalIsFoundInTheShares() {
    HistogramMechanism mechanism =
        new NoisyHistogram(
            GAUSSIAN, Optional.of(PostProcessing.POSTERIOR_MEAN), Sensitivity.addOrRemove(1));
    double[] noisy = {41, -1, 13};
    Distribution shares = PostProcessing.POSTERIOR_MEAN.apply(noisy, 53, GAUSSIAN.deviation());
    HistogramDensity density = HistogramAccuracy.of(mechanism).density(shares, 20);
    assertThat(density.records()).isEqualTo(53);
    double[] logs = new double[2];
    List<long[]> both = List.of(new long[] {40, 1, 12}, new long[] {42, 0, 11});
    for (int c = 0; c < 2; c++) {
      for (int i = 0; i < 3; i++) {
        logs[c] += Math.log(gaussian((long) noisy[i] - both.get(c)[i]));
      }
    }
    assertThat(density.log(both.get(0)) - density.log(both.get(1)))
        .isCloseTo(logs[0] - logs[1], within(1e-6));
  }

  @Test
  void sharesThatNoCountsGiveAreRefused() {
    HistogramMechanism mechanism =
        new NoisyHistogram(LAPLACE, Optional.empty(), Sensitivity.replaceOne());
    Distribution shares = Distribution.normalised(new double[] {0.3123456, 0.2876543, 0.4});
    assertThatThrownBy(() -> HistogramAccuracy.of(mechanism).density(shares, 6))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no counts with the plan's noise");
  }

  /** Chi-square at 1e-9, fixed seed; and one norm for all counts. */
  @Test
  void dirichletDrawsHaveTheirDensity() {
    DirichletMechanism mechanism =
        new DirichletMechanism(
            DirichletParameters.rounded(0.7, 0.9), new DirichletBound.ReplaceOne(), 2);
    int bins = 20;
    int fine = 2000;
    double norm = Double.NaN;
    for (long[] counts : List.of(new long[] {1, 4}, new long[] {5, 0})) {
      double[] expected = new double[bins];
      for (int i = 0; i < bins * fine; i++) {
        double q = (i + 0.5) / (bins * fine);
        expected[i / fine] +=
            Math.exp(
                    HistogramAccuracy.of(mechanism)
                        .density(Distribution.normalised(new double[] {q, 1 - q}), 5)
                        .log(counts))
                / (bins * fine);
      }
      double sum = Arrays.stream(expected).sum();
      assertThat(Double.isNaN(norm) ? sum : norm).isCloseTo(sum, within(2e-3 * sum));
      norm = sum;
      long[] drawn = new long[bins];
      KeyedRandom random = KeyedRandom.ofPublicSeed("dirichlet density");
      for (int i = 0; i < 20_000; i++) {
        double q =
            ((Distribution) mechanism.distribution(new Histogram(counts)).draw(random)).share(0);
        drawn[Math.min(bins - 1, (int) (q * bins))]++;
      }
      ChiSquare.assertFollows(drawn, Arrays.stream(expected).map(e -> e / sum).toArray());
    }
  }

  /** Chi-square at 1e-9, fixed seed; and one norm for all counts. */
  @Test
  void itemsHaveTheirProbabilities() {
    DirichletMechanism mechanism =
        new DirichletMechanism(
                DirichletParameters.rounded(0.7, 0.9), new DirichletBound.ReplaceOne(), 2)
            .asCounts(7);
    double norm = Double.NaN;
    for (long[] counts : List.of(new long[] {1, 4}, new long[] {5, 0})) {
      double[] expected = new double[8];
      for (int m = 0; m <= 7; m++) {
        double ways = CombinatoricsUtils.binomialCoefficient(7, m);
        expected[m] =
            ways
                * Math.exp(
                    HistogramAccuracy.of(mechanism)
                        .density(new ItemCounts(m, 7 - m), 5)
                        .log(counts));
      }
      double sum = Arrays.stream(expected).sum();
      assertThat(Double.isNaN(norm) ? sum : norm).isCloseTo(sum, within(1e-9 * sum));
      norm = sum;
      long[] drawn = new long[8];
      KeyedRandom random = KeyedRandom.ofPublicSeed("item density");
      for (int i = 0; i < 20_000; i++) {
        drawn[
            (int)
                ((ItemCounts) mechanism.distribution(new Histogram(counts)).draw(random))
                    .count(0)]++;
      }
      ChiSquare.assertFollows(drawn, Arrays.stream(expected).map(e -> e / sum).toArray());
    }
  }
}
