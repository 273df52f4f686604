// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.abc.MedianHeuristic;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.property.ForAll;
import io.sfumato.property.IntRange;
import io.sfumato.property.Property;
import io.sfumato.random.CanonicalEncoder;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistanceTest {
  private static final RandomFeatures FEATURES = new RandomFeatures(2, 40, 0.6, "test");

  private static FeatureSum sum(List<double[]> records) {
    FeatureSum sum = FeatureSum.empty(FEATURES);
    for (double[] record : records) {
      sum = sum.plus(FEATURES.quantised(record));
    }
    return sum;
  }

  private static List<double[]> records(Random random, int n) {
    List<double[]> records = new ArrayList<>();
    for (int i = 0; i < n; i++) {
      records.add(new double[] {random.nextGaussian() * 10, random.nextGaussian()});
    }
    return records;
  }

  @Property(tries = 200)
  void stateDoesNotDependOnTheOrderOfArrival(
      @ForAll @IntRange(min = 0, max = 1_000_000) int seed,
      @ForAll @IntRange(min = 1, max = 60) int n) {
    Random random = new Random(seed);
    List<double[]> records = records(random, n);
    FeatureSum one = sum(records);
    Collections.shuffle(records, random);
    assertThat(sum(records)).isEqualTo(one);
  }

  /** By brute force over neighbours: never above D, for the quantised features. */
  @Property(tries = 500)
  void replacingOneRecordMovesTheMmdByAtMostItsSensitivity(
      @ForAll @IntRange(min = 0, max = 1_000_000) int seed,
      @ForAll @IntRange(min = 1, max = 8) int n) {
    Random random = new Random(seed);
    List<double[]> records = records(random, n);
    // As far apart as features can be: the pseudo-data lies at the replaced record.
    double[] other = {random.nextGaussian() * 100, random.nextGaussian() * 100};
    List<double[]> neighbour = new ArrayList<>(records);
    neighbour.set(random.nextInt(n), other);
    double[] pseudo = FEATURES.mean(new double[][] {random.nextBoolean() ? other : records.get(0)});
    double moved =
        Math.abs(Distances.mmd(sum(records), pseudo) - Distances.mmd(sum(neighbour), pseudo));
    assertThat(moved).isLessThanOrEqualTo(Distances.mmdSensitivity(n));
    assertThat(Distances.mmd(sum(records), pseudo)).isBetween(0.0, Distances.MMD_BOUND);
  }

  @Property(tries = 500)
  void replacingOneRecordMovesTheCategoriesByAtMostTheirSensitivity(
      @ForAll @IntRange(min = 0, max = 1_000_000) int seed,
      @ForAll @IntRange(min = 1, max = 8) int n) {
    Random random = new Random(seed);
    long[] counts = new long[4];
    for (int i = 0; i < n; i++) {
      counts[random.nextInt(4)]++;
    }
    long[] neighbour = counts.clone();
    int from = random.nextInt(4);
    if (neighbour[from] > 0) {
      neighbour[from]--;
      neighbour[random.nextInt(4)]++;
    }
    double[] pseudo = new double[4];
    pseudo[random.nextInt(4)] = 1;
    double here = Distances.categories(new Histogram(counts), pseudo);
    double there = Distances.categories(new Histogram(neighbour), pseudo);
    assertThat(Math.abs(here - there)).isLessThanOrEqualTo(Distances.categoriesSensitivity(n));
    assertThat(here).isLessThanOrEqualTo(Distances.CATEGORIES_BOUND);
  }

  @Test
  void featuresHaveNormOneAndQuantisedOnesNoMore() {
    Random random = new Random(7);
    for (int i = 0; i < 1000; i++) {
      double[] x = {random.nextGaussian() * 1e6, random.nextGaussian()};
      double norm = Math.sqrt(Arrays.stream(FEATURES.phi(x)).map(v -> v * v).sum());
      assertThat(norm).isCloseTo(1, within(1e-12));
      double quantised =
          Math.sqrt(
              Arrays.stream(FEATURES.quantised(x))
                  .mapToDouble(v -> v / RandomFeatures.STEPS)
                  .map(v -> v * v)
                  .sum());
      assertThat(quantised).isLessThanOrEqualTo(1 + 1e-12);
    }
  }

  /** Inner products of many features approach the kernel: error 1/sqrt(m). */
  @Test
  void featuresApproximateTheGaussianKernel() {
    RandomFeatures many = new RandomFeatures(1, 10_000, 0.6, "kernel");
    for (double distance : new double[] {0, 0.2, 0.6, 1.5}) {
      double[] x = many.phi(new double[] {0.3});
      double[] y = many.phi(new double[] {0.3 + distance});
      double product = 0;
      for (int i = 0; i < x.length; i++) {
        product += x[i] * y[i];
      }
      double kernel = Math.exp(-distance * distance / (2 * 0.36));
      // Hoeffding over 5,000 frequencies at 1e-9: sqrt(2 ln(2e9) / 5000).
      assertThat(product).isCloseTo(kernel, within(Math.sqrt(2 * Math.log(2e9) / 5000)));
    }
  }

  @Test
  void badInputIsRefusedByName() {
    assertThatThrownBy(() -> FEATURES.quantised(new double[] {1}))
        .hasMessageContaining("2 numbers here, found 1");
    assertThatThrownBy(() -> FEATURES.quantised(new double[] {1, Double.NaN}))
        .hasMessageContaining("finite");
    assertThatThrownBy(() -> FEATURES.quantised(new double[] {1, Double.NEGATIVE_INFINITY}))
        .hasMessageContaining("finite");
    assertThatThrownBy(() -> FEATURES.mean(new double[0][])).hasMessageContaining("at least one");
    double[] tooLong = new double[40];
    Arrays.fill(tooLong, 1);
    FeatureSum one = sum(List.of(new double[] {0, 0}));
    assertThatThrownBy(() -> Distances.mmd(one, tooLong)).hasMessageContaining("norm at most 1");
    assertThatThrownBy(() -> Distances.mmd(one, new double[3])).hasMessageContaining("dimensions");
    assertThatThrownBy(() -> Distances.mmdSensitivity(0)).hasMessageContaining("empty");
    assertThatThrownBy(() -> new RandomFeatures(1, 3, 1, "x")).hasMessageContaining("even");
    assertThatThrownBy(() -> Distances.categories(new Histogram(1, 1), new double[] {0.5, 0.6}))
        .hasMessageContaining("add up to 1");
  }

  /** Many features that each fall below half an ulp of the sum: the allowance covers them. */
  @ParameterizedTest
  @CsvSource({"1, 4e-16", "0.7, 2e-16", "0.1, 3e-18"})
  void distancesOfThousandsOfFeaturesAreWithinTheirAllowance(double large, double smallSquare) {
    int n = 10_000;
    long records = 1_000_000;
    long[] steps = new long[n];
    double[] pseudo = new double[n];
    steps[0] = (long) (large * RandomFeatures.STEPS) * records;
    for (int i = 1; i < n; i++) {
      pseudo[i] = Math.sqrt(smallSquare) * (1 + i * 1e-6);
    }
    MathContext digits = new MathContext(60);
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < n; i++) {
      BigDecimal difference =
          new BigDecimal(steps[i])
              .divide(new BigDecimal(RandomFeatures.STEPS * records), digits)
              .subtract(new BigDecimal(pseudo[i]), digits);
      sum = sum.add(difference.multiply(difference, digits), digits);
    }
    double truth = sum.sqrt(digits).doubleValue();
    // The allowance in a sensitivity is for two distances.
    double allowance = Distances.mmdSensitivity(records) - 2.0 / records;
    assertThat(Distances.mmd(new FeatureSum(records, steps), pseudo))
        .isCloseTo(truth, within(allowance / 2));
  }

  /** As many steps as asked for, and no finer: in whole numbers, so the same on every machine. */
  @Test
  void gridsOfPowersOfTwoAreExact() {
    for (int exponent = 0; exponent <= 60; exponent++) {
      double scale = Math.scalb(1.0, 12 - exponent);
      assertThat(DistanceGrid.finerThan(scale, 4096).exponent()).isEqualTo(exponent);
      if (exponent < 60) {
        assertThat(DistanceGrid.finerThan(Math.nextDown(scale), 4096).exponent())
            .isEqualTo(exponent + 1);
      }
      assertThat(DistanceGrid.finerThan(Math.nextUp(scale), 4096).exponent()).isEqualTo(exponent);
    }
    assertThat(DistanceGrid.finerThan(1e9, 4096).exponent()).isZero();
    assertThat(DistanceGrid.finerThan(Double.MIN_VALUE, 4096).exponent()).isEqualTo(60);
  }

  /**
   * Other noise is never made of the same random numbers: everything that it depends on is encoded.
   */
  @Test
  void whatIsFramedTellsEveryNoiseApart() {
    Set<String> encoded = new HashSet<>();
    List<QueryNoise> noises = new ArrayList<>();
    for (double sensitivity : new double[] {0.002, 0.004}) {
      for (double threshold : new double[] {0.1, 0.2}) {
        noises.add(SoftWeights.of(0.5, 100, sensitivity, threshold));
        noises.add(SparseVector.plan(Epsilon.of("1"), 3, sensitivity, threshold, Threshold.KEPT));
        noises.add(new RejectionCoin(sensitivity, 0.4, threshold, sensitivity * 3));
      }
    }
    for (QueryNoise noise : noises) {
      CanonicalEncoder encoder = new CanonicalEncoder();
      noise.encode(encoder);
      assertThat(encoded.add(HexFormat.of().formatHex(encoder.toBytes()))).isTrue();
    }
  }

  @Test
  void medianHeuristicIsTheMedianDistance() {
    assertThat(MedianHeuristic.bandwidth(new double[][] {{0}, {1}, {3}})).isEqualTo(2);
    assertThatThrownBy(() -> MedianHeuristic.bandwidth(new double[][] {{1}, {1}}))
        .hasMessageContaining("different");
    assertThatThrownBy(() -> MedianHeuristic.bandwidth(new double[][] {{1}, {Double.NaN}}))
        .hasMessageContaining("finite");
  }
}
