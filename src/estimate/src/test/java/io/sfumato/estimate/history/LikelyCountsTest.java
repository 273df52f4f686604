// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.additive.NoiseLaw;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;
import java.util.stream.Stream;
import org.apache.commons.math3.distribution.PascalDistribution;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Priors against laws of a library, posteriors against sums over every whole number. */
class LikelyCountsTest {
  private static double log(CountPrior prior, long count) {
    return prior.log(count, Gamma.logGamma(count + 1.0));
  }

  @Test
  void negativeBinomialIsPascalsLaw() {
    for (int shape : new int[] {1, 2, 7, 90}) {
      for (double mean : new double[] {0.01, 3, 250}) {
        PascalDistribution pascal = new PascalDistribution(shape, shape / (shape + mean));
        for (int count : new int[] {0, 1, 2, 10, 100, 1000}) {
          assertThat(log(new NegativeBinomial(mean, shape), count))
              .as("%d of shape %d and mean %s", count, shape, mean)
              .isCloseTo(pascal.logProbability(count), within(1e-8 * (1 + count)));
        }
      }
    }
  }

  /** Less than 1 only makes the plain estimate a little less likely than it could be. */
  @Test
  void whatIsThoughtOfAnUnknownCountAddsUpToOneAtMost() {
    for (double half : new double[] {0.05, 0.5, 20}) {
      for (long most : new long[] {0, 1, 30, 100_000}) {
        UnknownCount prior = new UnknownCount(half, most);
        double sum = 0;
        for (long count = 0; count <= most; count++) {
          sum += Math.exp(log(prior, count));
        }
        assertThat(sum).isLessThanOrEqualTo(1).isGreaterThan(half < 0.1 ? 0.2 : 0.5);
      }
    }
  }

  static Stream<AdditiveNoise> noises() {
    return Stream.of(
        new LaplaceNoise(2L << 20),
        new LaplaceNoise(1L << 18),
        new LaplaceNoise(1L << 12),
        new GaussianNoise(1L << 10),
        new GaussianNoise(900L << 10),
        new GaussianNoise(160_000L << 10));
  }

  /** Over all counts within reach of what is seen, also where nodes are far apart. */
  @ParameterizedTest
  @MethodSource("noises")
  void posteriorsAreSumsOverAllCounts(AdditiveNoise noise) {
    NoiseLaw law = NoiseLaw.of(noise);
    double deviation = noise.continuousDeviation();
    long most = 20_000;
    for (double mean : new double[] {0.5, 40, 900}) {
      for (double shape : new double[] {1, 8, 100}) {
        NegativeBinomial prior = new NegativeBinomial(mean, shape);
        for (long seen : new long[] {-5, 0, 3, 35, Math.round(mean + deviation)}) {
          double total = 0;
          double first = 0;
          double second = 0;
          double top = law.log(seen - Math.max(0, seen));
          long reach = (long) Math.ceil(9 * deviation);
          long low = Math.max(0, Math.max(0, seen) - reach);
          long high = Math.min(most, Math.max(0, seen) + reach);
          for (long count = low; count <= high; count++) {
            double p = Math.exp(log(prior, count) + law.log(seen - count) - top);
            total += p;
            first += p * count;
            second += p * count * count;
          }
          CountPosterior found = new LikelyCounts(law, deviation, seen, most).under(prior);
          String as = "%s seen, mean %s, shape %s".formatted(seen, mean, shape);
          double truth = first / total;
          double spread = Math.sqrt(Math.max(0, second / total - truth * truth));
          double evidence = top + Math.log(total);
          assertThat(found.logEvidence())
              .as(as)
              .isCloseTo(evidence, within(0.02 + 1e-3 * Math.abs(evidence)));
          assertThat(found.mean()).as(as).isCloseTo(truth, within(1e-3 + 0.02 * spread));
          assertThat(Math.sqrt(found.variance()))
              .as(as)
              .isCloseTo(spread, within(1e-3 + 0.03 * spread));
        }
      }
    }
  }

  @Test
  void aKnownSumIsSharedOutAsVariancesAre() {
    CountPosterior[] counts = {
      new CountPosterior(10, 3, 0), new CountPosterior(20, 1, 0), new CountPosterior(1, 0, 0)
    };
    assertThat(KnownTotal.means(counts, 35)).containsExactly(13, 21, 1);
    assertThat(KnownTotal.means(counts, 15)).as("never to nothing").containsExactly(5, 16, 1);
  }
}
