// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.quantile.CategoryEstimates;
import io.sfumato.estimate.quantile.QuantileError;
import io.sfumato.estimate.quantile.QuantileEstimate;
import io.sfumato.estimate.quantile.QuantileEstimates;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Quantiles of several categories for one charge: what neighbours move, and what is told. */
class CategoryQuantilesTest {
  private static final double[] QS = {0.25, 0.5, 0.9};

  private static CalibrationTarget share(String epsilon) {
    return new CalibrationTarget("waits", Epsilon.of(epsilon), Delta.of("1e-6"), 1);
  }

  private static GridMeasurement<QuantileQuery> ofUsers(
      String epsilon, Bins bins, int records, int categories) {
    QuantileQuery query = new QuantileQuery(bins, categories);
    return planned(
        epsilon,
        query,
        RootSensitivity.addOrRemove(query.root(), records, 1),
        Plans.quantilesOfUsers(share(epsilon), bins, records));
  }

  private static GridMeasurement<QuantileQuery> ofRecords(
      String epsilon, Bins bins, int categories) {
    QuantileQuery query = new QuantileQuery(bins, categories);
    return planned(
        epsilon,
        query,
        RootSensitivity.replaceOne(query.root()),
        Plans.quantilesOfRecords(share(epsilon), bins));
  }

  private static GridMeasurement<QuantileQuery> planned(
      String epsilon,
      QuantileQuery query,
      GridSensitivity sensitivity,
      Optional<Calibrated<GridMeasurement<QuantileQuery>>> each) {
    Calibrated<GridMeasurement<QuantileQuery>> planned =
        VectorCalibrator.gaussian(share(epsilon), query, sensitivity).orElseThrow();
    assertThat(planned.charge().mechanism())
        .as("that of one vector")
        .isEqualTo(each.orElseThrow().charge().mechanism());
    assertThat(planned.share()).isEqualTo(each.orElseThrow().share());
    return planned.mechanism();
  }

  /** The same of one category alone. */
  private static GridMeasurement<QuantileQuery> each(GridMeasurement<QuantileQuery> all) {
    return new GridMeasurement<>(
        new QuantileQuery(all.query().bins(), 1), all.sensitivity(), all.noise());
  }

  private static ExactVector with(ExactVector counts, int... added) {
    long[] places = counts.values();
    for (int place : added) {
      places[place]++;
    }
    return new ExactVector(places);
  }

  /**
   * Up to C records of a user, divided among categories and bins in every way there is: all in the
   * first bin of one category attain what is charged, and nothing is above it.
   */
  @Test
  void shouldLoseNoMoreThanIsChargedHoweverAUsersRecordsAreDivided() {
    int bins = 4;
    int places = 3 * bins;
    GridMeasurement<QuantileQuery> mechanism = ofUsers("1", Bins.of(1, 100, bins, Scale.LOG), 3, 3);
    double charged = mechanism.charge().curve().at(2);
    ExactVector without = new ExactVector(5, 0, 2, 0, 0, 0, 0, 0, 9, 1, 0, 3);
    double worst = 0;
    for (int i = 0; i < places; i++) {
      for (int j = 0; j <= i; j++) {
        for (int k = 0; k <= j; k++) {
          double lost = mechanism.divergence(2, without, with(without, i, j, k)).orElseThrow();
          worst = Math.max(worst, lost);
          if (i / bins != k / bins) {
            assertThat(lost).as("in several categories").isLessThan(0.7 * charged);
          }
        }
      }
    }
    assertThat(worst).isBetween((1 - 1e-5) * charged, charged);
  }

  /**
   * A record's number and category are replaced: two categories attain the charge, one cannot,
   * since its two columns have something in common.
   */
  @Test
  void shouldLoseNoMoreThanIsChargedWhereARecordChangesItsCategory() {
    int bins = 6;
    GridMeasurement<QuantileQuery> mechanism = ofRecords("1", Bins.of(0, 1, bins, Scale.LINEAR), 3);
    double charged = mechanism.charge().curve().at(2);
    ExactVector rest = ExactVector.none(3 * bins);
    double within = 0;
    double across = 0;
    for (int from = 0; from < 3 * bins; from++) {
      for (int to = 0; to < 3 * bins; to++) {
        double lost = mechanism.divergence(2, with(rest, from), with(rest, to)).orElseThrow();
        if (from / bins == to / bins) {
          within = Math.max(within, lost);
        } else {
          across = Math.max(across, lost);
        }
      }
    }
    assertThat(across).isBetween((1 - 1e-5) * charged, charged);
    assertThat(within).isLessThan(0.95 * charged);
  }

  /**
   * The noise of every category is that of one by itself, and independent of the others'. 100 draws
   * of 256 rows: mean squares, and mean products of two categories, lie within 8 of their standard
   * errors, in their normal limit: false alarms below 1e-13 in six numbers.
   */
  @Test
  void shouldDrawNoiseForEveryCategory() {
    int bins = 256;
    GridMeasurement<QuantileQuery> mechanism =
        ofUsers("1", Bins.of(0, 1, bins, Scale.LINEAR), 1, 3);
    OutputDistribution<NoisyVector> distribution =
        mechanism.distribution(ExactVector.none(3 * bins));
    KeyedRandom random = KeyedRandom.ofPublicSeed("every category");
    int draws = 100;
    double variance = Math.pow(mechanism.noise().deviation(), 2);
    double[][] products = new double[3][3];
    for (int draw = 0; draw < draws; draw++) {
      NoisyVector drawn = distribution.draw(random);
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
          for (int row = 0; row < bins; row++) {
            products[i][j] +=
                drawn.of(i * bins + row) / variance * drawn.of(j * bins + row) / draws / bins;
          }
        }
      }
    }
    double error = 1 / Math.sqrt(draws * bins);
    for (int i = 0; i < 3; i++) {
      for (int j = 0; j < 3; j++) {
        assertThat(products[i][j])
            .isCloseTo(i == j ? 1 : 0, within(8 * error * (i == j ? Math.sqrt(2) : 1)));
      }
    }
  }

  private static String encoded(GridMeasurement<QuantileQuery> mechanism, ExactVector exact) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    mechanism.distribution(exact).encodeInput(encoder);
    return HexFormat.of().formatHex(encoder.digest());
  }

  @Test
  void shouldFrameTheRecordsOfEveryCategory() {
    Bins bins = Bins.of(1, 2, 2, Scale.LINEAR);
    GridMeasurement<QuantileQuery> mechanism = ofUsers("1", bins, 2, 3);
    ExactVector exact = new ExactVector(5, 0, 7, 1, 0, 2);
    assertThat(encoded(mechanism, new ExactVector(5, 0, 7, 1, 0, 2)))
        .isEqualTo(encoded(mechanism, exact));
    assertThat(
            List.of(
                encoded(mechanism, exact),
                encoded(mechanism, new ExactVector(7, 1, 5, 0, 0, 2)),
                encoded(mechanism, new ExactVector(5, 0, 7, 1, 2, 0)),
                encoded(mechanism, new ExactVector(5, 0, 7, 2, 0, 2)),
                encoded(ofUsers("1", bins, 1, 3), exact),
                encoded(
                    ofUsers("1", Bins.of(1, 2, 3, Scale.LINEAR), 2, 2),
                    new ExactVector(5, 0, 7, 1, 0, 2))))
        .doesNotHaveDuplicates();
  }

  /** The total is public where one record is replaced, and nothing of a category is. */
  @Test
  void shouldTellThePublicNumberOfAllRecordsAlone() {
    Bins bins = Bins.of(0, 1, 2, Scale.LINEAR);
    ExactVector exact = new ExactVector(5, 0, 7, 1);
    KeyedRandom random = KeyedRandom.ofPublicSeed("any");
    GridMeasurement<QuantileQuery> ofRecords = ofRecords("1", bins, 2);
    NoisyVector drawn = ofRecords.distribution(exact).draw(random);
    assertThat(drawn.records()).hasValue(13);
    CategoryEstimates estimates = new CategoryEstimates(ofRecords);
    assertThat(estimates.all(drawn, 0.5).count().low()).isEqualTo(13);
    assertThat(estimates.all(drawn, 0.5).count().high()).isEqualTo(13);
    assertThat(estimates.each(drawn, 0.5))
        .allSatisfy(told -> assertThat(told.count().high()).isGreaterThan(told.count().value()));
    assertThat(ofUsers("1", bins, 1, 2).distribution(exact).draw(random).records()).isEmpty();
  }

  /** Each category as if it were alone; all together with the root of K times the noise. */
  @Test
  void shouldErrInEachCategoryAsInOne() {
    Bins bins = Bins.of(0, 300, Bins.DEFAULT, Scale.LINEAR);
    GridMeasurement<QuantileQuery> ofUsers = ofUsers("1", bins, 1, 9);
    CategoryEstimates estimates = new CategoryEstimates(ofUsers);
    assertThat(estimates.errorOfEach()).isEqualTo(QuantileError.of(each(ofUsers)));
    assertThat(estimates.errorOfEach().rankRms()).isCloseTo(15.0, within(0.05));
    assertThat(estimates.errorOfAll().rankRms())
        .isCloseTo(3 * estimates.errorOfEach().rankRms(), within(1e-9));
    assertThat(estimates.errorOfAll().halfWidth())
        .isCloseTo(3 * estimates.errorOfEach().halfWidth(), within(1e-9));
    // Where N of a single group is public that of a category is not.
    GridMeasurement<QuantileQuery> ofRecords = ofRecords("1", bins, 9);
    assertThat(new CategoryEstimates(ofRecords).errorOfEach().halfWidth())
        .isGreaterThan(1.04 * QuantileError.of(each(ofRecords)).halfWidth());
  }

  private static int truth(long[] counts, double q) {
    long total = Arrays.stream(counts).sum();
    long sum = 0;
    int bin = -1;
    while (sum < q * total || bin < 0) {
      sum += counts[++bin];
    }
    return bin;
  }

  private static boolean holds(QuantileEstimate found, Bins bins, int bin) {
    return found.low() <= bins.edge(bin) && bins.edge(bin + 1) <= found.high();
  }

  /**
   * 5,000 draws: were a quantile held in 95% of all cases, 92.5% or less would be found with a
   * probability of at most exp(-5,000 KL(0.925, 0.95)) = 4e-13 (Chernoff), in one of 24 with 1e-11.
   */
  @Test
  void shouldHoldTheQuantilesOfEachCategoryAndOfAllIn95Percent() {
    Bins bins = Bins.of(0, 1, 32, Scale.LINEAR);
    Random values = new Random(7);
    long[] places = new long[3 * 32];
    for (int i = 0; i < 600; i++) {
      places[bins.of(values.nextDouble())]++;
      places[32 + bins.of(Math.pow(values.nextDouble(), 3))] += i % 10 == 0 ? 1 : 0;
      places[64 + bins.of(0.6 + 0.1 * values.nextDouble())] += i % 2;
    }
    ExactVector exact = new ExactVector(places);
    long[] together = new long[32];
    for (int place = 0; place < places.length; place++) {
      together[place % 32] += places[place];
    }
    int draws = 5_000;
    for (GridMeasurement<QuantileQuery> mechanism :
        List.of(ofUsers("1", bins, 1, 3), ofRecords("2", bins, 3))) {
      OutputDistribution<NoisyVector> distribution = mechanism.distribution(exact);
      CategoryEstimates estimates = new CategoryEstimates(mechanism);
      KeyedRandom random = KeyedRandom.ofPublicSeed("categories");
      double[][] held = new double[4][QS.length];
      for (int draw = 0; draw < draws; draw++) {
        NoisyVector drawn = distribution.draw(random);
        List<QuantileEstimates.Told> each = estimates.each(drawn, QS);
        for (int group = 0; group < 4; group++) {
          QuantileEstimates.Told told = group < 3 ? each.get(group) : estimates.all(drawn, QS);
          long[] counts =
              group < 3 ? exact.between(32 * group, 32 * group + 32).values() : together;
          for (int k = 0; k < QS.length; k++) {
            held[group][k] +=
                holds(told.quantiles().get(k), bins, truth(counts, QS[k])) ? 1.0 / draws : 0;
          }
        }
      }
      assertThat(Arrays.stream(held).flatMapToDouble(Arrays::stream).min().orElseThrow())
          .isGreaterThan(0.925);
    }
  }

  /** With next to no noise each category has its own median, and all have that of the union. */
  @Test
  void shouldFindTheQuantilesOfEachCategoryAndOfAll() {
    Bins bins = Bins.of(0, 10, 10, Scale.LINEAR);
    long[] places = new long[20];
    places[2] = 9;
    places[10 + 7] = 5;
    GridMeasurement<QuantileQuery> mechanism = ofUsers("900000", bins, 1, 2);
    NoisyVector drawn =
        mechanism.distribution(new ExactVector(places)).draw(KeyedRandom.ofPublicSeed("quiet"));
    CategoryEstimates estimates = new CategoryEstimates(mechanism);
    List<QuantileEstimates.Told> each = estimates.each(drawn, 0.5, 0.9);
    assertThat(each.get(0).quantiles()).allMatch(q -> q.low() == 2 && q.high() == 3);
    assertThat(each.get(1).quantiles()).allMatch(q -> q.low() == 7 && q.high() == 8);
    assertThat(each.get(1).count().value()).isCloseTo(5, within(0.05));
    QuantileEstimates.Told all = estimates.all(drawn, 0.5, 0.9);
    assertThat(all.count().value()).isCloseTo(14, within(0.05));
    assertThat(all.quantiles().get(0).low()).isEqualTo(2);
    assertThat(all.quantiles().get(1).low()).isEqualTo(7);
  }

  @Test
  void shouldRefuseOtherCategories() {
    Bins bins = Bins.of(0, 1, 4, Scale.LINEAR);
    GridMeasurement<QuantileQuery> mechanism = ofUsers("1", bins, 1, 2);
    assertThatThrownBy(() -> mechanism.distribution(ExactVector.none(12)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12 counts for 4 bins of each of 2");
    assertThatThrownBy(() -> mechanism.distribution(ExactVector.none(6)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new QuantileQuery(bins, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new QuantileQuery(bins, (1 << 16) + 1))
        .hasMessageContaining("at most 262144 bins of all categories");
    assertThat(new ExactVector(5, 0, 7, 1).toString()).doesNotContain("5").doesNotContain("7");
  }

  @Test
  void shouldHaveFewerBinsWhereThereAreMoreCategories() {
    assertThat(QuantileQuery.binsUnlessSaid(1)).isEqualTo(4096);
    assertThat(QuantileQuery.binsUnlessSaid(16)).isEqualTo(4096);
    assertThat(QuantileQuery.binsUnlessSaid(17)).isEqualTo(2048);
    assertThat(QuantileQuery.binsUnlessSaid(10_001)).isEqualTo(4);
  }
}
