// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.matrix.RootEstimate;
import io.sfumato.estimate.quantile.QuantileEstimate.Place;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.Numerical;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Quantiles of noisy bins, and how often intervals hold them. */
@Numerical
class QuantileEstimatesTest {
  private static final double[] QS = {0.5, 0.9, 0.99};

  private static GridMeasurement<QuantileQuery> ofUsers(String epsilon, Bins bins) {
    return Plans.quantilesOfUsers(share(epsilon), bins, 1).orElseThrow().mechanism();
  }

  private static GridMeasurement<QuantileQuery> ofRecords(String epsilon, Bins bins) {
    return Plans.quantilesOfRecords(share(epsilon), bins).orElseThrow().mechanism();
  }

  private static CalibrationTarget share(String epsilon) {
    return new CalibrationTarget("waits", Epsilon.of(epsilon), Delta.of("1e-6"), 1);
  }

  private static ExactVector counts(Bins bins, double... values) {
    long[] counts = new long[bins.number()];
    for (double value : values) {
      counts[bins.of(value)]++;
    }
    return new ExactVector(counts);
  }

  /** Values of [0, 1], of four shapes: flat, in one place, near 0, at either end. */
  private static double[] values(int shape, int size) {
    Random random = new Random(100L * size + shape);
    return random
        .doubles(size)
        .map(
            u ->
                switch (shape) {
                  case 0 -> u;
                  case 1 -> 0.371;
                  case 2 -> Math.min(1, -0.05 * Math.log(u));
                  default -> u < 0.9 ? 0 : 1;
                })
        .toArray();
  }

  /** How often the bin of each quantile was held, with noise of many draws on the same data. */
  private record Coverage(
      Bins bins, GridMeasurement<QuantileQuery> mechanism, List<ExactVector> data) {
    /** By dataset and quantile. */
    double[][] of(int draws, String seed) {
      OutputDistribution<NoisyVector> distribution =
          mechanism.distribution(ExactVector.none(bins.number()));
      QuantileEstimates estimates = new QuantileEstimates(mechanism);
      KeyedRandom random = KeyedRandom.ofPublicSeed(seed);
      ToeplitzRoot root = mechanism.query().root();
      long[][] rows = data.stream().map(root::times).toArray(long[][]::new);
      int[][] truths = data.stream().map(Coverage::truths).toArray(int[][]::new);
      double[][] held = new double[data.size()][QS.length];
      for (int draw = 0; draw < draws; draw++) {
        // The noise does not hang on the data (VectorMeasurementTest): one draw serves all of
        // them.
        long[] noise = distribution.draw(random).values();
        for (int i = 0; i < rows.length; i++) {
          long[] noisy = rows[i].clone();
          Arrays.setAll(noisy, v -> noisy[v] + noise[v]);
          OptionalLong records =
              mechanism.sizeIsPublic()
                  ? OptionalLong.of(data.get(i).total())
                  : OptionalLong.empty();
          QuantileEstimate[] found = estimates.of(new NoisyVector(records, noisy), QS);
          for (int k = 0; k < QS.length; k++) {
            boolean holds =
                found[k].low() <= bins.edge(truths[i][k])
                    && bins.edge(truths[i][k] + 1) <= found[k].high();
            held[i][k] += holds ? 1.0 / draws : 0;
          }
        }
      }
      return held;
    }

    private static int[] truths(ExactVector data) {
      return Arrays.stream(QS)
          .mapToInt(
              q -> {
                long sum = 0;
                int bin = 0;
                for (long count : data.values()) {
                  sum += count;
                  if (sum >= q * data.total()) {
                    break;
                  }
                  bin++;
                }
                return bin;
              })
          .toArray();
    }
  }

  private static double least(double[][] held) {
    return Arrays.stream(held).flatMapToDouble(Arrays::stream).min().orElseThrow();
  }

  private static List<ExactVector> data(Bins bins, int... shapes) {
    List<ExactVector> data = new ArrayList<>();
    for (int size : new int[] {5, 50, 500, 5000}) {
      for (int shape : shapes) {
        data.add(counts(bins, values(shape, size)));
      }
    }
    return data;
  }

  /**
   * 120,000 draws: were it held in 95% of all cases, 94.5% or less would be found with a
   * probability of at most exp(-120,000 KL(0.945, 0.95)) = 5e-14 (Chernoff), in one of 48 with
   * 3e-12.
   */
  @Test
  void shouldHoldTheQuantileOfUsersIn95Percent() {
    Bins bins = Bins.of(0, 1, 32, Scale.LINEAR);
    double[][] held =
        new Coverage(bins, ofUsers("1", bins), data(bins, 0, 1, 2, 3)).of(120_000, "users");
    assertThat(least(held)).isGreaterThan(0.945);
  }

  /** The same where N is public; 24 numbers. */
  @Test
  void shouldHoldTheQuantileOfRecordsIn95Percent() {
    Bins bins = Bins.of(0.001, 1, 32, Scale.LOG);
    double[][] held =
        new Coverage(bins, ofRecords("2", bins), data(bins, 0, 2)).of(120_000, "records");
    assertThat(least(held)).isGreaterThan(0.945);
  }

  /**
   * 1,500 draws over all 4,096 bins: 90% or less with a probability below e^-30, in 24 below 3e-12.
   */
  @Test
  void shouldHoldTheQuantileOverManyBins() {
    Bins bins = Bins.of(0, 1, Bins.DEFAULT, Scale.LINEAR);
    double[][] held =
        new Coverage(bins, ofUsers("1", bins), data(bins, 0, 2)).of(1_500, "many bins");
    assertThat(least(held)).isGreaterThan(0.9);
  }

  /**
   * With next to no noise: the value by interpolation within its bin, and an interval of that bin.
   */
  @Test
  void shouldFindExactQuantilesWithoutNoise() {
    Bins bins = Bins.of(0, 10, 10, Scale.LINEAR);
    // Ranks 0 4 4 4 8 8 8 8 9 10.
    ExactVector exact = new ExactVector(0, 4, 0, 0, 4, 0, 0, 0, 1, 1);
    for (GridMeasurement<QuantileQuery> mechanism :
        List.of(ofUsers("900000", bins), ofRecords("900000", bins))) {
      NoisyVector drawn = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("quiet"));
      QuantileEstimates estimates = new QuantileEstimates(mechanism);
      assertThat(estimates.ranks(drawn))
          .containsExactly(new double[] {0, 4, 4, 4, 8, 8, 8, 8, 9, 10}, within(0.01));
      QuantileEstimate[] found = estimates.of(drawn, 0.2, 0.5, 0.85, 0.95);
      double[] values = Arrays.stream(found).mapToDouble(QuantileEstimate::value).toArray();
      assertThat(values).containsExactly(new double[] {1.5, 4.25, 8.5, 9.5}, within(0.01));
      assertThat(found[0].low()).isEqualTo(1);
      assertThat(found[0].high()).isEqualTo(2);
      assertThat(found[1].low()).isEqualTo(4);
      assertThat(found[1].high()).isEqualTo(5);
      assertThat(found)
          .extracting(QuantileEstimate::place)
          .containsExactly(Place.BETWEEN, Place.BETWEEN, Place.BETWEEN, Place.LAST);
      ExactVector low = new ExactVector(90, 0, 0, 0, 0, 0, 0, 0, 0, 10);
      QuantileEstimate[] ends =
          estimates.of(mechanism.distribution(low).draw(KeyedRandom.ofPublicSeed("q")), 0.5, 0.99);
      assertThat(ends).extracting(QuantileEstimate::place).containsExactly(Place.FIRST, Place.LAST);
    }
  }

  /** Nothing is known of quantiles of few records, and of none: that is what intervals say. */
  @Test
  void shouldExcludeNextToNothingWhereThereIsNothing() {
    Bins bins = Bins.of(-1, 1, 256, Scale.LINEAR);
    GridMeasurement<QuantileQuery> mechanism = ofUsers("0.5", bins);
    QuantileEstimates estimates = new QuantileEstimates(mechanism);
    KeyedRandom random = KeyedRandom.ofPublicSeed("empty");
    int whole = 0;
    for (int draw = 0; draw < 100; draw++) {
      NoisyVector drawn = mechanism.distribution(ExactVector.none(256)).draw(random);
      double[] ranks = estimates.ranks(drawn);
      assertThat(ranks).isSorted();
      assertThat(ranks[0]).isNotNegative();
      QuantileEstimate median = estimates.of(drawn, 0.5)[0];
      assertThat(median.value()).isBetween(median.low(), median.high());
      whole += median.low() == -1 && median.high() == 1 ? 1 : 0;
    }
    // Each end is left out in at most 2.5%; 70 or less of 100 with a probability below 1e-14.
    assertThat(whole).isGreaterThan(70);
    NoisyVector nothing = new NoisyVector(OptionalLong.of(0), new long[256]);
    QuantileEstimate median = new QuantileEstimates(ofRecords("0.5", bins)).of(nothing, 0.5)[0];
    assertThat(median.value()).isZero();
    assertThat(median.low()).isEqualTo(-1);
    assertThat(median.high()).isEqualTo(1);
  }

  /** N is public: no cumulative count is above it, and the last one is N. */
  @Test
  void shouldEndAtThePublicNumberOfRecords() {
    Bins bins = Bins.of(0, 1, 100, Scale.LINEAR);
    GridMeasurement<QuantileQuery> mechanism = ofRecords("1", bins);
    QuantileEstimates estimates = new QuantileEstimates(mechanism);
    ExactVector exact = counts(bins, values(0, 40));
    KeyedRandom random = KeyedRandom.ofPublicSeed("public");
    for (int draw = 0; draw < 50; draw++) {
      double[] ranks = estimates.ranks(mechanism.distribution(exact).draw(random));
      assertThat(ranks).isSorted();
      assertThat(ranks[0]).isBetween(0.0, 40.0);
      assertThat(ranks[99]).isEqualTo(40);
    }
  }

  /** The law of what intervals rest on, from single covariances. */
  @Test
  void shouldKnowTheDeviationOfRanks() {
    Bins bins = Bins.of(0, 1, 40, Scale.LINEAR);
    GridMeasurement<QuantileQuery> mechanism = ofUsers("1", bins);
    QuantileEstimates estimates = new QuantileEstimates(mechanism);
    RootEstimate root = new RootEstimate(mechanism.query().root());
    double sigma = mechanism.deviation();
    for (int v = 0; v < 40; v++) {
      double variance =
          root.covariance(v, v) + 0.81 * root.covariance(39, 39) - 1.8 * root.covariance(v, 39);
      assertThat(estimates.deviation(0.9, v)).isCloseTo(sigma * Math.sqrt(variance), within(1e-9));
      assertThat(new QuantileEstimates(ofRecords("1", bins)).deviation(0.9, v))
          .isCloseTo(ofRecords("1", bins).deviation() * root.deviation(v), within(1e-9));
    }
  }

  @Test
  void shouldRefuseWhatIsNoQuantile() {
    Bins bins = Bins.of(0, 1, 4, Scale.LINEAR);
    QuantileEstimates estimates = new QuantileEstimates(ofUsers("1", bins));
    NoisyVector drawn = new NoisyVector(1, 2, 3, 4);
    for (double q : new double[] {0, 1, -0.1, Double.NaN}) {
      assertThatThrownBy(() -> estimates.of(drawn, q)).isInstanceOf(IllegalArgumentException.class);
      assertThatThrownBy(() -> estimates.halfWidth(q)).isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new NoisyVector(OptionalLong.of(-1), 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
