// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.mollifier.KernelRatio;
import io.sfumato.estimate.mollifier.LogisticFourier;
import io.sfumato.estimate.mollifier.LogisticRatio;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.property.DoubleRange;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ChiSquare;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PooledItemsTest {
  private static final Reference PLANE =
      new Reference(
          new double[0], Optional.of(Gaussians.of(new double[] {0, 0}, new double[] {1, 2})));
  private static final Reference MIXED =
      new Reference(
          new double[] {3, 1, 1}, Optional.of(new Uniform(new double[] {-1}, new double[] {1})));

  /** Scores that a test chooses, by the number of records. */
  private record Scripted(double[][] scores) implements RatioEstimator {
    @Override
    public double[] scores(List<Point> dataset) {
      double[] chosen = scores[dataset.size() - 1];
      if (chosen.length == 0) {
        throw new IllegalStateException("fails");
      }
      return chosen;
    }

    @Override
    public String text() {
      return "scripted";
    }
  }

  private static ItemData data(List<Point> points) {
    return new ItemData(Optional.empty(), points);
  }

  private static List<Point> draws(Reference reference, Random random, int size, double factor) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      double[] x = new double[reference.dimensions()];
      Arrays.setAll(x, k -> factor * random.nextGaussian());
      points.add(new Point(random.nextInt(Math.max(1, reference.categories())), x));
    }
    return points;
  }

  private static PooledItems items(
      Reference reference, LikelihoodRatioBand band, int pool, String estimator) {
    List<Point> points = Boosting.pool(reference, pool);
    return PooledItems.of(
        "projection",
        band,
        reference,
        points,
        estimator.equals("kernel")
            ? new KernelRatio(reference, points)
            : new LogisticRatio(new LogisticFourier(reference, 8, 1, 1e-3), points));
  }

  /**
   * The exact laws, in whole numbers, of datasets of any size and scale, the empty and the absurd
   * among them: the largest ratio over ALL pairs and points is at most e^eps.
   */
  @Property(tries = 60)
  void anyTwoDatasetsAreAlike(
      @ForAll @IntRange(min = 2, max = 200) int pool,
      @ForAll @DoubleRange(min = 0.01, max = 12) double epsilon,
      @ForAll boolean minimax,
      @ForAll boolean kernel,
      @ForAll boolean plane,
      @ForAll long seed) {
    Random random = new Random(seed);
    Epsilon eps = new Epsilon(new BigDecimal(epsilon).round(new MathContext(6)));
    LikelihoodRatioBand band =
        minimax ? LikelihoodRatioBand.clipped(eps, 8) : LikelihoodRatioBand.mollifier(eps);
    Reference reference = plane ? PLANE : MIXED;
    PooledItems items = items(reference, band, pool, kernel ? "kernel" : "logistic");
    List<long[]> distributions = new ArrayList<>();
    for (double factor : new double[] {0, 0.01, 1, 30, 1e150, 1e308}) {
      for (int size : new int[] {0, 1, 2, 40}) {
        distributions.add(items.weights(data(draws(reference, random, size, factor))));
      }
    }
    BigDecimal bound = new BigDecimal(StrictMath.exp(eps.roundedDown()));
    for (int i = 0; i < pool; i++) {
      int at = i;
      long most =
          distributions.stream().mapToLong(distribution -> distribution[at]).max().orElseThrow();
      long least =
          distributions.stream().mapToLong(distribution -> distribution[at]).min().orElseThrow();
      assertThat(new BigDecimal(most)).isLessThanOrEqualTo(bound.multiply(new BigDecimal(least)));
      assertThat(least).isPositive();
    }
    distributions.forEach(
        distribution ->
            assertThat(Arrays.stream(distribution).sum()).isEqualTo(FiniteSampler.TOTAL));
  }

  /** Whatever an estimator says, its law lies in the band; what is no score says nothing. */
  @Test
  void scoresThatAreNoScoresGiveTheReference() {
    double[][] scores = {
      {1, Double.NaN, 1, 1},
      {1, Double.POSITIVE_INFINITY, 1, 1},
      {1, -1, 1, 1},
      {0, 0, 0, 0},
      {1, 1, 1},
      {},
      {Double.MIN_VALUE, Double.MIN_VALUE, Double.MIN_VALUE, Double.MIN_VALUE},
      {1e-320, 0, 1e308, 1e-320},
      {Double.MAX_VALUE, 1, 1, 1},
    };
    List<Point> pool = Boosting.pool(PLANE, 4);
    PooledItems items =
        PooledItems.of(
            "projection",
            LikelihoodRatioBand.mollifier(Epsilon.of("1")),
            PLANE,
            pool,
            new Scripted(scores));
    double[] even = {0.25, 0.25, 0.25, 0.25};
    assertThat(items.probabilities(data(List.of())).orElseThrow())
        .containsExactly(even, within(1e-12));
    assertThat(items.distribution(data(List.of())).failures()).isZero();
    Random random = new Random(1);
    for (int size = 1; size <= 7; size++) {
      ItemData dataset = data(draws(PLANE, random, size, 1));
      assertThat(items.probabilities(dataset).orElseThrow()).containsExactly(even, within(1e-12));
      assertThat(items.distribution(dataset).failures()).isEqualTo(size == 7 ? 0 : 1);
    }
    double upper = Math.exp(0.5) / 4;
    for (int size = 8; size <= 9; size++) {
      double[] distribution =
          items.probabilities(data(draws(PLANE, random, size, 1))).orElseThrow();
      int top = size == 8 ? 2 : 0;
      assertThat(distribution[top]).isCloseTo(upper, within(1e-12));
      for (int i = 0; i < 4; i++) {
        if (i != top) {
          assertThat(distribution[i]).isCloseTo((1 - upper) / 3, within(1e-12));
        }
      }
    }
  }

  /** 10 of 4,096 points at their upper ends: no scale makes a law, the rest share equally. */
  @Test
  void fewPositiveScoresGetTheUpperEndAndTheRestShare() {
    double[] scores = new double[4096];
    Arrays.fill(scores, 0, 10, 0.3);
    List<Point> pool = Boosting.pool(PLANE, 4096);
    PooledItems items =
        PooledItems.of(
            "projection",
            LikelihoodRatioBand.mollifier(Epsilon.of("1")),
            PLANE,
            pool,
            new Scripted(new double[][] {scores}));
    double[] distribution =
        items.probabilities(data(draws(PLANE, new Random(1), 1, 1))).orElseThrow();
    double upper = Math.exp(0.5) / 4096;
    double rest = (1 - 10 * upper) / 4086;
    for (int i = 0; i < distribution.length; i++) {
      assertThat(distribution[i]).isCloseTo(i < 10 ? upper : rest, within(1e-12));
    }
    // The lower ends of the others and the upper ends of these reach 0.61 only.
    assertThat(10 * upper + 4086 * Math.exp(-0.5) / 4096).isCloseTo(0.61, within(0.005));
  }

  /** A chi-square test at 1e-9: drawn as often as the exact law says. */
  @Test
  void itemsAreDrawnFromTheLaw() {
    PooledItems items = items(PLANE, LikelihoodRatioBand.mollifier(Epsilon.of("2")), 16, "kernel");
    ItemData dataset = data(draws(PLANE, new Random(3), 50, 0.5));
    double[] distribution = items.probabilities(dataset).orElseThrow();
    ItemLaw drawn = items.distribution(dataset);
    KeyedRandom random = KeyedRandom.ofPublicSeed("pooled items");
    long[] counts = new long[16];
    for (int i = 0; i < 200_000; i++) {
      counts[items.pool().indexOf(drawn.draw(random).point())]++;
    }
    ChiSquare.assertFollows(counts, distribution);
    assertThat(Arrays.stream(distribution).max().orElseThrow())
        .isGreaterThan(2 * Arrays.stream(distribution).min().orElseThrow());
  }

  /** The charge is the band's epsilon, of unit dataset, and its text names every parameter. */
  @Test
  void chargeSaysAllOfIt() {
    PooledItems items =
        items(MIXED, LikelihoodRatioBand.clipped(Epsilon.of("0.7"), 8), 32, "logistic");
    assertThat(items.charge().unit()).isEqualTo(PrivacyUnit.DATASET);
    assertThat(items.charge().pure()).hasValue(0.7);
    assertThat(items.charge().mechanism())
        .contains("projection", "pool=32", "features=8", MIXED.text(), "lower=0x1.");
  }

  @Test
  void aPoolOfOnePointIsRefused() {
    List<Point> one = Boosting.pool(PLANE, 1);
    assertThatThrownBy(
            () ->
                PooledItems.of(
                    "projection",
                    LikelihoodRatioBand.mollifier(Epsilon.of("1")),
                    PLANE,
                    one,
                    new KernelRatio(PLANE, one)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("2 categories");
  }

  /** The same records in the same order: the same bytes, whatever was asked before. */
  @Test
  void aLawIsAFunctionOfItsDataset() {
    for (String estimator : List.of("kernel", "logistic")) {
      PooledItems items =
          items(MIXED, LikelihoodRatioBand.mollifier(Epsilon.of("1")), 64, estimator);
      ItemData dataset = data(draws(MIXED, new Random(5), 30, 0.4));
      long[] first = items.weights(dataset);
      items.weights(data(draws(MIXED, new Random(6), 30, 0.4)));
      assertThat(items.weights(dataset)).isEqualTo(first);
      assertThat(
              items(MIXED, LikelihoodRatioBand.mollifier(Epsilon.of("1")), 64, estimator)
                  .weights(dataset))
          .isEqualTo(first);
      assertThat(IntStream.range(0, 64).mapToLong(i -> first[i]).distinct().count())
          .isGreaterThan(2);
    }
  }
}
