// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.abc.MedianHeuristic;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.Summary.OfAll;
import io.sfumato.mechanism.abc.Summary.Quantile;
import io.sfumato.mechanism.abc.Summary.Share;
import io.sfumato.mechanism.abc.Summary.Statistic;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Distances by their formulas, how far a record moves them, and what is no dataset. */
class DistancesAtLimitsTest {
  private static final RandomFeatures FEATURES = new RandomFeatures(2, 6, 0.5, "limits");
  private static final double[][] ROWS = {{0.3, -1}, {2, 0.1}, {-0.7, 0.4}};

  /** sqrt(2/m) (cos w x, sin w x), a pair for each frequency; steps of 2^-32, towards 0. */
  @Test
  void featuresAreThoseOfTheirFrequencies() {
    double[][] frequencies = FEATURES.frequencies();
    assertThat(frequencies).hasNumberOfRows(3);
    assertThat(FEATURES.features()).isEqualTo(6);
    for (double[] x : ROWS) {
      double[] phi = FEATURES.phi(x);
      long[] quantised = FEATURES.quantised(x);
      for (int j = 0; j < 3; j++) {
        double angle = frequencies[j][0] * x[0] + frequencies[j][1] * x[1];
        assertThat(phi[2 * j]).isCloseTo(Math.cos(angle) / Math.sqrt(3), within(1e-13));
        assertThat(phi[2 * j + 1]).isCloseTo(Math.sin(angle) / Math.sqrt(3), within(1e-13));
      }
      for (int i = 0; i < 6; i++) {
        double steps = phi[i] * 0x1.0p32;
        assertThat((double) quantised[i])
            .isBetween(
                Math.min(steps, steps - Math.signum(steps)),
                Math.max(steps, steps - Math.signum(steps)));
      }
    }
  }

  /** The distance of the two means, coordinate by coordinate. */
  @Test
  void mmdIsTheDistanceOfTheMeans() {
    double[][] pseudo = {{1, 1}, {-2, 0.5}};
    double[] mean = FEATURES.mean(pseudo);
    double squares = 0;
    for (int i = 0; i < 6; i++) {
      double here = 0;
      for (double[] row : ROWS) {
        here += FEATURES.phi(row)[i] / 3;
      }
      double there = (FEATURES.phi(pseudo[0])[i] + FEATURES.phi(pseudo[1])[i]) / 2;
      assertThat(mean[i]).isCloseTo(there, within(1e-15));
      squares += (here - there) * (here - there);
    }
    FeatureSum sum = FeatureSum.of(FEATURES, ROWS);
    assertThat(Distances.mmd(sum, mean)).isCloseTo(Math.sqrt(squares), within(1e-9));
    assertThat(sum.size()).isEqualTo(3);
    double norm = Math.sqrt(Arrays.stream(mean).map(x -> x * x).sum());
    double[] longest = Arrays.stream(mean).map(x -> x / norm * (1 + 9e-10)).toArray();
    assertThat(Distances.isFeatureMean(longest)).isTrue();
    double[] tooLong = Arrays.stream(mean).map(x -> x / norm * (1 + 2e-9)).toArray();
    assertThat(Distances.isFeatureMean(tooLong)).isFalse();
  }

  @Test
  void categoriesAreComparedByTheirShares() {
    double there = Distances.categories(new Histogram(3, 1), new double[] {0.25, 0.75});
    assertThat(there).isCloseTo(Math.sqrt(0.5), within(1e-15));
    assertThat(Distances.categories(new Histogram(4, 0), new double[] {0, 1}))
        .isCloseTo(Math.sqrt(2), within(1e-15));
    assertThatThrownBy(() -> Distances.categories(new Histogram(0, 0), new double[] {0, 1}))
        .hasMessageContaining("no shares");
    assertThat(Distances.areShares(new double[] {0, 1 + 9e-10})).isTrue();
    assertThat(Distances.areShares(new double[] {0, 1 + 2e-9})).isFalse();
    assertThat(Distances.areShares(new double[] {-0.5, 1.5})).isFalse();
    assertThat(Distances.areShares(new double[] {Double.NaN, 1})).isFalse();
  }

  /** 2/N and sqrt(2)/N, with room for roundings; of summaries the clip, whatever N. */
  @ParameterizedTest
  @ValueSource(longs = {1, 3, 1000, 1L << 40})
  void aRecordMovesADistanceByOneNth(long records) {
    Summaries summaries = new Summaries(List.of(new Share(0, 0.1)), 4);
    DistanceMeasure ofSummaries = new DistanceMeasure.OfSummaries(summaries);
    assertMeasure(DistanceMeasure.FEATURES, "features", 2, 2.0 / records, records, 2e-13);
    assertMeasure(
        DistanceMeasure.CATEGORIES,
        "categories",
        Math.sqrt(2),
        Math.sqrt(2) / records,
        records,
        2e-13);
    assertMeasure(ofSummaries, "summaries", 4, 4, records, 0);
    assertThat(ofSummaries.<Object, RuntimeException>choose(new Named())).isEqualTo(summaries);
  }

  private static void assertMeasure(
      DistanceMeasure measure, String word, double bound, double moved, long records, double room) {
    assertThat(measure.word()).isEqualTo(word);
    assertThat(measure.bound()).isEqualTo(bound);
    assertThat(measure.sensitivity(records)).isBetween(moved + room / 4, moved + room);
    assertThatThrownBy(() -> measure.sensitivity(0)).hasMessageContaining("answers no query");
    Object chosen = measure.<Object, RuntimeException>choose(new Named());
    assertThat(chosen).isIn(word, new Summaries(List.of(new Share(0, 0.1)), 4));
  }

  private record Named() implements DistanceMeasure.Cases<Object, RuntimeException> {
    @Override
    public Object features() {
      return "features";
    }

    @Override
    public Object categories() {
      return "categories";
    }

    @Override
    public Object summaries(Summaries summaries) {
      return summaries;
    }
  }

  @Test
  void summariesAreClippedAtTheirBound() {
    double[] zero = {0, 0};
    assertThat(Distances.summaries(new double[] {3, 4}, zero, 6)).isEqualTo(5);
    assertThat(Distances.summaries(new double[] {3, 4}, zero, 4.5)).isEqualTo(4.5);
    for (double bound : new double[] {0, -1, Double.NaN}) {
      assertThatThrownBy(() -> Distances.summaries(zero, zero, bound))
          .hasMessageContaining("a bound is above 0");
    }
    assertThatThrownBy(() -> Distances.summaries(new double[] {Double.NaN, 0}, zero, 1))
        .hasMessageContaining("numbers");
    for (double clip : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new Summaries(List.of(new Share(0, 1)), clip))
          .hasMessageContaining("a clip above 0");
    }
    Summaries one = new Summaries(List.of(new Share(0, 1)), 1);
    assertThatThrownBy(() -> one.distance(zero, zero)).hasMessageContaining("found 2");
  }

  @Test
  void featuresAreWithinTheirLimits() {
    assertThat(new RandomFeatures(1, 2, 1, "x").dimensions()).isEqualTo(1);
    assertThat(new RandomFeatures(1000, 2, 1, "x").dimensions()).isEqualTo(1000);
    assertThat(new RandomFeatures(1, 10_000, 1, "x").features()).isEqualTo(10_000);
    assertThatThrownBy(() -> new RandomFeatures(0, 2, 1, "x")).hasMessageContaining("dimensions");
    assertThatThrownBy(() -> new RandomFeatures(1001, 2, 1, "x")).hasMessageContaining("1000");
    assertThatThrownBy(() -> new RandomFeatures(1, 0, 1, "x")).hasMessageContaining("even");
    assertThatThrownBy(() -> new RandomFeatures(1, 10_002, 1, "x")).hasMessageContaining("10000");
    for (double bandwidth : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new RandomFeatures(1, 2, bandwidth, "x"))
          .hasMessageContaining("bandwidth must be above 0");
    }
    assertThat(FEATURES.phi(new double[] {1e12, -1e12})).hasSize(6);
    assertThatThrownBy(() -> FEATURES.phi(new double[] {Math.nextUp(1e12), 0}))
        .hasMessageContaining("at most 1e12");
  }

  @Test
  void featureSumsAreOfWholeRecords() {
    FeatureSum sum = FeatureSum.of(FEATURES, ROWS);
    FeatureSum same = new FeatureSum(3, sum.steps());
    assertThat(sum).isEqualTo(same).hasSameHashCodeAs(same).hasToString("FeatureSum[6 features]");
    assertThat(sum).isNotEqualTo(new FeatureSum(4, sum.steps()));
    assertThat(sum).isNotEqualTo(new FeatureSum(3, new long[6])).isNotEqualTo("sum");
    sum.steps()[0]++;
    assertThat(sum).as("a copy").isEqualTo(same);
    assertThatThrownBy(() -> sum.plus(new long[5])).hasMessageContaining("6 features here");
    assertThatThrownBy(() -> new FeatureSum(-1, new long[6])).hasMessageContaining("at least 0");
    assertThatThrownBy(() -> FeatureSum.empty(FEATURES).mean()).hasMessageContaining("no mean");
    assertThatThrownBy(() -> new FeatureSum(1, new long[] {Long.MAX_VALUE}).plus(new long[] {1}))
        .isInstanceOf(ArithmeticException.class);
  }

  /** Beyond 2^62 steps a number counts as that, below as well as above. */
  @Test
  void oneNumberAddsNoMoreThanItsBound() {
    NumberSum empty = NumberSum.empty(-32);
    assertThat(NumberSum.exponent(1)).isEqualTo(-32);
    assertThat(NumberSum.exponent(0.25)).isEqualTo(-34);
    BigInteger most = BigInteger.ONE.shiftLeft(62);
    assertThat(empty.plus(0x1.0p30).sum()).isEqualTo(most);
    assertThat(empty.plus(1e200).sum()).isEqualTo(most);
    assertThat(empty.plus(-1e200).sum()).isEqualTo(most.negate());
    assertThat(empty.plus(-1e200).squares()).isEqualTo(most.multiply(most));
    assertThat(empty.plus(3).plus(-1).sum()).isEqualTo(BigInteger.ONE.shiftLeft(33));
    assertThat(empty.plus(3).toString()).isEqualTo("NumberSum[masked]");
    assertThatThrownBy(() -> empty.plus(Double.NaN)).hasMessageContaining("finite");
  }

  /** What is kept of each field is as fine as the smallest scale that asks for it. */
  @Test
  void layoutsHaveTheFieldsThatAreSummed() {
    NumberSums.Layout layout =
        NumberSums.Layout.of(
            List.of(
                new OfAll(Statistic.MEAN, 3, 1),
                new OfAll(Statistic.LARGEST, 3, 0.25),
                new OfAll(Statistic.MEAN, 1, 2),
                new Quantile(5, 0.5, 1),
                new Share(0, 1)));
    assertThat(layout.exponents()).isEqualTo(new TreeMap<>(Map.of(1, -31, 3, -34)));
    assertThat(layout.canonical()).isEqualTo("[1 in 2^-31, 3 in 2^-34]");
    NumberSums sums = layout.empty().plus(layout, new double[] {9, 2, 9, 5});
    assertThat(sums.size()).isEqualTo(1);
    assertThat(layout.sum(sums, 1).largest()).isEqualTo(2);
    assertThat(layout.sum(sums, 3).largest()).isEqualTo(5);
    assertThat(sums).hasToString("NumberSums[2 fields]");
    assertThatThrownBy(() -> new NumberSums(-1, List.of())).hasMessageContaining("at least 0");
  }

  /** Digests and live states hang on these texts. */
  @Test
  void summariesHaveNamesThatStay() {
    Summaries all =
        new Summaries(
            List.of(
                new OfAll(Statistic.MEAN, 1, 2),
                new OfAll(Statistic.DEVIATION, 0, 1),
                new OfAll(Statistic.SMALLEST, 0, 1),
                new OfAll(Statistic.LARGEST, 0, 1),
                new Quantile(1, 0.25, 8),
                new Share(2, 0.5)),
            4);
    assertThat(all.canonical())
        .isEqualTo(
            "[mean 1 / 0x1.0p1, deviation 0 / 0x1.0p0, smallest 0 / 0x1.0p0, largest 0 / 0x1.0p0,"
                + " quantile 1 at 0x1.0p-2 / 0x1.0p3, share 2 / 0x1.0p-1] clipped at 0x1.0p2");
  }

  @Test
  void summariesSayWhatTheyAreOf() {
    Summaries share = new Summaries(List.of(new Share(0, 1)), 1);
    Summaries mean = new Summaries(List.of(new OfAll(Statistic.MEAN, 0, 1)), 1);
    Summaries both = new Summaries(List.of(new Share(0, 1), new Quantile(0, 0.5, 1)), 1);
    assertThat(List.of(share.needNumbers(), share.needCategories(), share.needSample()))
        .containsExactly(false, true, false);
    assertThat(List.of(mean.needNumbers(), mean.needCategories(), mean.needSample()))
        .containsExactly(true, false, false);
    assertThat(List.of(both.needNumbers(), both.needCategories(), both.needSample()))
        .containsExactly(true, true, true);
  }

  @Test
  void summariesRefuseWhatIsNoScaleOrShare() {
    for (double scale : new double[] {0, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatThrownBy(() -> new OfAll(Statistic.MEAN, 0, scale)).hasMessageContaining("scale");
      assertThatThrownBy(() -> new Quantile(0, 0.5, scale)).hasMessageContaining("scale");
      assertThatThrownBy(() -> new Share(0, scale)).hasMessageContaining("scale");
    }
    for (double at : new double[] {0, Math.nextUp(1), Double.NaN}) {
      assertThatThrownBy(() -> new Quantile(0, at, 1)).hasMessageContaining("quantile lies above");
    }
    List<double[]> rows = List.of(new double[] {4}, new double[] {1}, new double[] {3});
    NumberSums.Layout none = NumberSums.Layout.of(List.of());
    SummaryData data = SummaryData.pseudo(none, rows, Optional.of(new Histogram(1, 2)));
    assertThat(new Quantile(0, 1, 1).of(data)).isEqualTo(4);
    assertThat(new Quantile(0, 1e-9, 1).of(data)).isEqualTo(1);
    assertThat(data).hasToString("SummaryData[masked]");
    assertThat(SummaryData.pseudo(none, List.of(), Optional.of(new Histogram(1, 2))).share(1))
        .as("categories alone are a dataset too")
        .isEqualTo(2 / 3.0);
    assertThatThrownBy(() -> SummaryData.pseudo(none, List.of(), Optional.of(new Histogram(0, 0))))
        .hasMessageContaining("no summaries");
  }

  @Test
  void theFirstThousandRowsDecideABandwidth() {
    double[][] rows = new double[1001][1];
    for (int i = 0; i < 1000; i++) {
      rows[i][0] = i % 2;
    }
    rows[1000][0] = Double.NaN;
    assertThat(MedianHeuristic.bandwidth(rows)).isEqualTo(1);
    rows[999][0] = Double.NaN;
    assertThatThrownBy(() -> MedianHeuristic.bandwidth(rows)).hasMessageContaining("row 1000 of");
  }
}
