// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.Histogram;
import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ChiSquare;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FiniteSamplerTest {
  private static double[] uniform(int k) {
    double[] shares = new double[k];
    Arrays.fill(shares, 1.0 / k);
    return shares;
  }

  static FiniteSampler sampler(boolean clipped, int k, String epsilon) {
    Epsilon eps = Epsilon.of(epsilon);
    return new FiniteSampler(
        clipped ? "clipped" : "mollifier",
        clipped ? LikelihoodRatioBand.clipped(eps, k) : LikelihoodRatioBand.mollifier(eps),
        uniform(k));
  }

  /** Worst-case KL as in docs/research/reproduction.md, clipped and mollifier. */
  @ParameterizedTest
  @CsvSource({
    "10, 1, 1.461, 1.803",
    "10, 2, 0.797, 1.303",
    "10, 5, 0.059, 0.077",
    "100, 1, 3.622, 4.105",
    "100, 2, 2.667, 3.605",
    "100, 5, 0.511, 2.105"
  })
  void worstCaseIsAsKnown(int k, String epsilon, double clipped, double mollifier) {
    assertThat(sampler(true, k, epsilon).worstCaseKl()).isCloseTo(clipped, within(0.0006));
    assertThat(sampler(false, k, epsilon).worstCaseKl()).isCloseTo(mollifier, within(0.0006));
  }

  /**
   * Exact laws of random datasets, the extreme ones among them: the largest ratio over ALL pairs
   * and categories, in whole numbers, is at most e^eps.
   */
  @Property(tries = 150)
  void anyTwoDatasetsAreAlike(
      @ForAll @IntRange(min = 2, max = 12) int k,
      @ForAll @DoubleRange(min = 0.01, max = 12) double epsilon,
      @ForAll boolean clipped,
      @ForAll boolean skewed,
      @ForAll long seed) {
    Random random = new Random(seed);
    Epsilon eps = new Epsilon(new BigDecimal(epsilon).round(new MathContext(6)));
    double[] reference = uniform(k);
    if (skewed) {
      double sum = 0;
      for (int i = 0; i < k; i++) {
        reference[i] = 0.05 + random.nextDouble();
        sum += reference[i];
      }
      for (int i = 0; i < k; i++) {
        reference[i] /= sum;
      }
    }
    double largest = 1 / Arrays.stream(reference).min().orElseThrow();
    LikelihoodRatioBand band =
        clipped ? LikelihoodRatioBand.clipped(eps, largest) : LikelihoodRatioBand.mollifier(eps);
    FiniteSampler sampler = new FiniteSampler("test", band, reference);
    long[] most = new long[k];
    long[] least = new long[k];
    Arrays.fill(least, Long.MAX_VALUE);
    for (int dataset = 0; dataset < 40 + k; dataset++) {
      long[] counts = new long[k];
      if (dataset < k) {
        counts[dataset] = 1 + random.nextInt(1000);
      } else if (dataset > k) {
        for (int i = 0; i < k; i++) {
          counts[i] = random.nextInt(3) == 0 ? 0 : (long) Math.exp(random.nextDouble() * 12);
        }
      }
      long[] distribution = sampler.weights(new Histogram(counts));
      assertThat(Arrays.stream(distribution).sum()).isEqualTo(FiniteSampler.TOTAL);
      for (int i = 0; i < k; i++) {
        most[i] = Math.max(most[i], distribution[i]);
        least[i] = Math.min(least[i], distribution[i]);
      }
    }
    BigDecimal bound = new BigDecimal(Math.exp(eps.roundedDown()));
    for (int i = 0; i < k; i++) {
      assertThat(least[i]).isPositive();
      assertThat(new BigDecimal(most[i]).divide(new BigDecimal(least[i]), MathContext.DECIMAL64))
          .isLessThanOrEqualTo(bound);
    }
    assertThat(items(sampler).charge().unit()).isEqualTo(PrivacyUnit.DATASET);
  }

  /** Nearest in KL: no random law in the band is nearer to the dataset's shares. */
  @Property(tries = 60)
  void itIsTheProjection(@ForAll boolean clipped, @ForAll long seed) {
    Random random = new Random(seed);
    int k = 5;
    FiniteSampler sampler = sampler(clipped, k, "1.5");
    long[] counts = new long[k];
    for (int i = 0; i < k; i++) {
      counts[i] = 1 + random.nextInt(200);
    }
    Histogram dataset = new Histogram(counts);
    double[] best = distribution(sampler, dataset);
    double kl = kl(dataset, best);
    for (int attempt = 0; attempt < 200; attempt++) {
      double[] other = best.clone();
      int from = random.nextInt(k);
      int to = random.nextInt(k);
      double moved = random.nextDouble() * 0.05;
      other[from] -= moved;
      other[to] += moved;
      double low = sampler.band().lower() / k;
      if (other[from] >= low && other[to] <= sampler.band().upper() / k) {
        assertThat(kl(dataset, other)).isGreaterThanOrEqualTo(kl - 1e-12);
      }
    }
  }

  static FiniteItems items(FiniteSampler sampler) {
    return new FiniteItems("test", sampler);
  }

  /** As pipelines draw it. */
  static int item(FiniteItems items, Histogram dataset, KeyedRandom random) {
    ItemData data = new ItemData(Optional.of(dataset), List.of());
    return items.distribution(data).draw(random).point().category();
  }

  private static double[] distribution(FiniteSampler sampler, Histogram dataset) {
    return Arrays.stream(sampler.weights(dataset))
        .mapToDouble(w -> w / (double) FiniteSampler.TOTAL)
        .toArray();
  }

  private static double kl(Histogram dataset, double[] distribution) {
    double sum = 0;
    for (int i = 0; i < distribution.length; i++) {
      double p = dataset.count(i) / (double) dataset.size();
      sum += p > 0 ? p * Math.log(p / distribution[i]) : 0;
    }
    return sum;
  }

  /** Chi-square at 1e-9, fixed seed; and an empty dataset gives the reference. */
  @Test
  void itemsFollowTheLaw() {
    FiniteSampler sampler = sampler(false, 4, "2");
    KeyedRandom random = KeyedRandom.ofPublicSeed("finite sampler");
    Histogram dataset = new Histogram(7, 0, 2, 1);
    FiniteItems items = items(sampler);
    long[] seen = new long[4];
    for (int i = 0; i < 100_000; i++) {
      seen[item(items, dataset, random)]++;
    }
    ChiSquare.assertFollows(seen, distribution(sampler, dataset));
    assertThat(distribution(sampler, Histogram.empty(4)))
        .contains(new double[] {0.25, 0.25, 0.25, 0.25}, within(1e-15));
  }

  @Test
  void whatNoLawFitsIsRefused() {
    LikelihoodRatioBand band = LikelihoodRatioBand.mollifier(Epsilon.of("1"));
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {1, 0}))
        .hasMessageContaining("full support");
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {0.5, 0.4}))
        .hasMessageContaining("add up to 1");
    assertThatThrownBy(() -> new FiniteSampler("x", band, new double[] {1 - 1e-17, 1e-17}))
        .hasMessageContaining("too rare");
    assertThatThrownBy(() -> sampler(true, 3, "1").weights(new Histogram(1, 2)))
        .hasMessageContaining("3 categories");
  }

  /** Where the band is as narrow as its rounding: what a plan accepts, a window can draw. */
  @Test
  void aBandThatIsAcceptedHoldsALawOfEveryDataset() {
    SplittableRandom random = new SplittableRandom(20);
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      int k = 2 + random.nextInt(60);
      LikelihoodRatioBand band =
          LikelihoodRatioBand.mollifier(
              Epsilon.of(BigDecimal.valueOf(1_000 + random.nextInt(4_000), 18).toPlainString()));
      double[] reference = random.doubles(k, 0.1, 1).toArray();
      double sum = Arrays.stream(reference).sum();
      Arrays.setAll(reference, j -> reference[j] / sum);
      FiniteSampler sampler;
      try {
        sampler = new FiniteSampler("x", band, reference);
      } catch (IllegalArgumentException tooNarrow) {
        assertThat(tooNarrow).hasMessageContaining("raise epsilon");
        continue;
      }
      accepted++;
      long[] counts = new long[k];
      counts[random.nextInt(k)] = 3;
      long[] weights = sampler.weights(new Histogram(counts));
      assertThat(Arrays.stream(weights).sum()).isEqualTo(FiniteSampler.TOTAL);
    }
    assertThat(accepted).as("of bands around the narrowest").isBetween(1_000, 19_000);
  }
}
