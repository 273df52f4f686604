// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.bounds.PowerBuckets;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.mechanism.matrix.RootQuery;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.mechanism.tables.CrossTables;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.mechanism.tables.TableWeights;
import io.sfumato.mechanism.tables.Tables;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is common to all noise on vectors, whatever the query. */
class VectorMeasurementTest {
  /** A measurement, made anew each time, and data that it reads, of a number of records. */
  private record Case(Supplier<VectorMeasurement<?>> made, ExactVector exact, long records) {
    @Override
    public String toString() {
      return made.get().toString();
    }
  }

  private static final AdditiveNoise LAPLACE = new LaplaceNoise(1 << 19);
  private static final AdditiveNoise GAUSSIAN = new GaussianNoise(9 << 10);
  private static final GridNoise ON_GRID = new GridGaussian(20, 1 << 22);

  private static Case counted(
      VectorQuery query, Sensitivity sensitivity, AdditiveNoise noise, ExactVector exact) {
    return new Case(
        () -> new CountMeasurement<>(query, sensitivity, noise),
        exact,
        Arrays.stream(exact.values()).sum());
  }

  private static List<Case> onCounts() {
    Sensitivity one = Sensitivity.replaceOne();
    Sensitivity user = Sensitivity.addOrRemove(3);
    ExactVector counts = new ExactVector(4, 0, 7);
    ExactVector buckets = ExactVector.none(PowerBuckets.NUMBER);
    HistogramQuery floored = new HistogramQuery(Optional.of(PostProcessing.FLOOR));
    HistogramQuery mean = new HistogramQuery(Optional.of(PostProcessing.POSTERIOR_MEAN));
    return List.of(
        counted(new CountQuery(), user, LAPLACE, counts),
        counted(new CountQuery(), user, GAUSSIAN, counts),
        counted(new CountQuery(), user, new LaplaceNoise(1 << 18), counts),
        counted(new CountQuery(), Sensitivity.addOrRemove(2), LAPLACE, counts),
        counted(new CountQuery(), new CountTree(8).perWindow(user, 2), LAPLACE, counts),
        counted(new BucketQuery(), user, LAPLACE, buckets),
        counted(new BucketQuery(), one, LAPLACE, buckets),
        counted(new HistogramQuery(Optional.empty()), one, LAPLACE, counts),
        counted(floored, one, GAUSSIAN, counts),
        counted(mean, one, GAUSSIAN, counts),
        counted(mean, user, GAUSSIAN, counts));
  }

  private static Case of(Supplier<VectorMeasurement<?>> made, long records, long... exact) {
    return new Case(made, new ExactVector(exact), records);
  }

  private static List<Case> ofRows() {
    ToeplitzRoot root = ToeplitzRoot.full(4);
    ToeplitzRoot banded = ToeplitzRoot.banded(4, 2);
    Bins linear = Bins.of(0, 4, 4, Bins.Scale.LINEAR);
    Bins wider = Bins.of(0, 8, 4, Bins.Scale.LINEAR);
    long[] two = {1, 0, 2, 0, 0, 3, 0, 0};
    GridSensitivity one = RootSensitivity.replaceOne(root);
    GridSensitivity user = RootSensitivity.addOrRemove(root, 2, 1);
    return List.of(
        of(() -> new GridMeasurement<>(new RootQuery(root), user, ON_GRID), 3, 1, 0, 2, 0),
        of(() -> new GridMeasurement<>(new RootQuery(banded), user, ON_GRID), 3, 1, 0, 2, 0),
        of(() -> quantiles(linear, 1, one), 3, 1, 0, 2, 0),
        of(() -> quantiles(linear, 1, user), 3, 1, 0, 2, 0),
        of(() -> quantiles(wider, 1, user), 3, 1, 0, 2, 0),
        of(() -> quantiles(linear, 2, user), 6, two),
        of(() -> quantiles(linear, 2, one), 6, two));
  }

  private static GridMeasurement<QuantileQuery> quantiles(
      Bins bins, int categories, GridSensitivity sensitivity) {
    return new GridMeasurement<>(new QuantileQuery(bins, categories), sensitivity, ON_GRID);
  }

  private static List<Case> ofNumbers() {
    long[] parts = {3 * BernsteinParts.STEPS, BernsteinParts.STEPS};
    long[] sums = {5, -70_000, 41};
    GridNoise fine = new FineGridGaussian(16, 5_000L << 10);
    return List.of(
        of(() -> moments(MomentSensitivity.addOrRemove(1, 1, 2)), 4, parts),
        of(() -> moments(MomentSensitivity.addOrRemove(1, 1, 2).rounded(1)), 4, parts),
        of(() -> moments(MomentSensitivity.replaceOne(1, 1)), 4, parts),
        of(() -> moments(MomentSensitivity.replaceOneOfOneGroup(1, 1)), 4, parts),
        of(
            () ->
                new GridMeasurement<>(
                    FeatureQuery.ofPrivateSize(2), FeatureSensitivity.addOrRemove(2, 2, 1), fine),
            41,
            sums),
        of(
            () ->
                new GridMeasurement<>(
                    FeatureQuery.ofPublicSize(2), FeatureSensitivity.replaceOne(2), fine),
            41,
            sums));
  }

  private static GridMeasurement<MomentQuery> moments(MomentSensitivity way) {
    return new MomentQuery(way).with(new GridLaplace(20, 1 << 21));
  }

  private static List<Case> ofTables() {
    Tables tables = CrossTables.of(1, 2, 2);
    Tables pairs = CrossTables.of(2, 2, 2);
    TableWeights all = new TableWeights(1 << 18, 1 << 19, 1 << 19);
    TableWeights publicTotal = new TableWeights(0, 1 << 19, 1 << 19);
    TableWeights finest = new TableWeights(0, 0, 1 << 10, 1 << 19);
    return List.of(
        of(() -> tables(tables, all, all.addOrRemove(2)), 3, 3, 1, 2, 1, 2),
        of(() -> tables(tables, publicTotal, publicTotal.addOrRemove(2)), 3, 3, 1, 2, 1, 2),
        of(() -> tables(tables, publicTotal, publicTotal.replaceOne()), 3, 3, 1, 2, 1, 2),
        of(() -> tables(pairs, finest, finest.replaceOne()), 3, 3, 1, 2, 1, 2, 1, 0, 0, 2));
  }

  private static GridMeasurement<TableQuery> tables(
      Tables tables, TableWeights weights, GridSensitivity sensitivity) {
    return new GridMeasurement<>(new TableQuery(tables, weights), sensitivity, ON_GRID);
  }

  static List<Case> cases() {
    List<Case> all = new ArrayList<>(onCounts());
    all.addAll(ofRows());
    all.addAll(ofNumbers());
    all.addAll(ofTables());
    return all;
  }

  /** A permit for one of them pays for no other one, and for the same one made again. */
  @Test
  void shouldBeEqualIfQuerySensitivityAndNoiseAre() {
    List<Case> cases = cases();
    for (int i = 0; i < cases.size(); i++) {
      VectorMeasurement<?> one = cases.get(i).made().get();
      for (int k = 0; k < cases.size(); k++) {
        VectorMeasurement<?> other = cases.get(k).made().get();
        assertThat(one.equals(other)).as("%s and %s", one, other).isEqualTo(i == k);
        assertThat(one.paidFor().contains(other)).as("%s and %s", one, other).isEqualTo(i == k);
      }
      assertThat(one).hasSameHashCodeAs(cases.get(i).made().get());
    }
  }

  private static List<Byte> encoded(VectorMeasurement<?> measurement, ExactVector exact) {
    CanonicalEncoder encoder = new CanonicalEncoder();
    measurement.distribution(exact).encodeInput(encoder);
    List<Byte> bytes = new ArrayList<>();
    for (byte each : encoder.toBytes()) {
      bytes.add(each);
    }
    return bytes;
  }

  /** The same random numbers never meet the numbers of two queries, or two noises. */
  @Test
  void shouldEncodeQueryNoiseAndData() {
    List<VectorMeasurement<?>> drawnApart = new ArrayList<>();
    List<List<Byte>> seen = new ArrayList<>();
    for (Case each : cases()) {
      VectorMeasurement<?> made = each.made().get();
      boolean sameDraw =
          drawnApart.stream()
              .anyMatch(
                  other ->
                      other.query().equals(made.query()) && other.noise().equals(made.noise()));
      if (!sameDraw) {
        drawnApart.add(made);
        seen.add(encoded(made, each.exact()));
      }
    }
    assertThat(seen).doesNotHaveDuplicates();
    for (Case each : cases()) {
      VectorMeasurement<?> made = each.made().get();
      List<Byte> bytes = encoded(made, each.exact());
      assertThat(encoded(each.made().get(), new ExactVector(each.exact().values())))
          .isEqualTo(bytes);
      if (made instanceof CountMeasurement<?>) {
        long[] more = each.exact().values();
        more[1]++;
        assertThat(encoded(made, new ExactVector(more))).isNotEqualTo(bytes);
      }
    }
  }

  /** As much noise on every number of the query, in its order; and N where it is public. */
  @ParameterizedTest
  @MethodSource("cases")
  void shouldDrawTheQueryWithNoiseOnEachNumber(Case each) {
    VectorMeasurement<?> measurement = each.made().get();
    NoisyVector drawn =
        measurement.distribution(each.exact()).draw(KeyedRandom.ofPublicSeed("in order"));
    KeyedRandom same = KeyedRandom.ofPublicSeed("in order");
    ToLongFunction<KeyedRandom> noise = measurement.noise().sampler();
    long[] expected = measurement.query().vector(each.exact());
    for (int i = 0; i < expected.length; i++) {
      expected[i] += noise.applyAsLong(same);
    }
    assertThat(drawn.values()).containsExactly(expected);
    boolean published = measurement.sizeIsPublic() && !measurement.query().equals(new CountQuery());
    assertThat(drawn.records())
        .isEqualTo(published ? OptionalLong.of(each.records()) : OptionalLong.empty());
    assertThat(measurement.method()).isEqualTo(measurement.noise().method());
    assertThat(measurement.parameters()).containsAllEntriesOf(measurement.noise().parameters());
  }

  /** Exactly what the noise says of the numbers of both. */
  @Test
  void shouldLoseWhatTheNoiseLoses() {
    ExactVector first = new ExactVector(4, 0, 7);
    ExactVector second = new ExactVector(5, 0, 6);
    ExactVector more = new ExactVector(5, 0, 7);
    HistogramQuery query = new HistogramQuery(Optional.empty());
    VectorMeasurement<?> ofRecords =
        new CountMeasurement<>(query, Sensitivity.replaceOne(), GAUSSIAN);
    VectorMeasurement<?> ofUsers =
        new CountMeasurement<>(query, Sensitivity.addOrRemove(1), GAUSSIAN);
    assertThat(ofRecords.divergence(2, first, second).orElseThrow())
        .isCloseTo(2 / 9.0, within(1e-12));
    assertThat(ofUsers.divergence(2, first, more).orElseThrow()).isCloseTo(1 / 9.0, within(1e-12));
    assertThat(ofRecords.divergence(2, first, more))
        .as("a public number of records tells them apart")
        .hasValue(Double.POSITIVE_INFINITY);
  }

  @Test
  void shouldDrawSharesOfTheVeryCountsThatItDraws() {
    NoisyHistogram shares =
        new NoisyHistogram(GAUSSIAN, Optional.empty(), Sensitivity.replaceOne());
    Histogram exact = new Histogram(40, 3, 0);
    NoisyVector counts =
        shares
            .counts()
            .distribution(ExactVector.byCategory(exact))
            .draw(KeyedRandom.ofPublicSeed("shares"));
    assertThat(shares.distribution(exact).draw(KeyedRandom.ofPublicSeed("shares")))
        .usingRecursiveComparison()
        .isEqualTo(shares.shares(counts.values(), 43));
    assertThat(shares)
        .isEqualTo(new NoisyHistogram(GAUSSIAN, Optional.empty(), Sensitivity.replaceOne()))
        .isNotEqualTo(new NoisyHistogram(LAPLACE, Optional.empty(), Sensitivity.replaceOne()));
  }

  @Test
  void shouldRefuseNoiseOnAnotherGrid() {
    RootQuery rows = new RootQuery(ToeplitzRoot.full(2));
    GridSensitivity moved = RootSensitivity.replaceOne(rows.root());
    assertThatThrownBy(() -> new GridMeasurement<>(rows, moved, new GridGaussian(19, 100)))
        .hasMessageContaining("2^-20")
        .hasMessageContaining("2^-19");
    assertThatThrownBy(() -> new CountMeasurement<>(rows, Sensitivity.replaceOne(), LAPLACE))
        .hasMessageContaining("2^-20");
  }

  /** A number of records that is private needs noise, and one that is public takes none. */
  @Test
  void shouldRefuseAQueryWhereAnotherUnitIsProtected() {
    Tables tables = CrossTables.of(1, 2, 2);
    TableWeights all = new TableWeights(1 << 18, 1 << 19, 1 << 19);
    assertThatThrownBy(() -> tables(tables, all, all.replaceOne()))
        .hasMessageContaining("the total is public");
    GridNoise fine = new FineGridGaussian(16, 5_000L << 10);
    FeatureQuery sums = FeatureQuery.ofPublicSize(2);
    FeatureQuery withSize = FeatureQuery.ofPrivateSize(2);
    GridSensitivity user = FeatureSensitivity.addOrRemove(2, 1, 1);
    assertThatThrownBy(() -> new GridMeasurement<>(sums, user, fine))
        .hasMessageContaining("noise where it is private");
    GridSensitivity record = FeatureSensitivity.replaceOne(2);
    assertThatThrownBy(() -> new GridMeasurement<>(withSize, record, fine))
        .hasMessageContaining("noise where it is private");
    MomentQuery parts = new MomentQuery(MomentSensitivity.replaceOneOfOneGroup(1, 1));
    GridSensitivity ofUser = MomentSensitivity.addOrRemove(1, 1, 1).moved();
    assertThatThrownBy(() -> new GridMeasurement<>(parts, ofUser, new GridLaplace(20, 1 << 21)))
        .hasMessageContaining("other neighbours");
  }

  @ParameterizedTest
  @MethodSource("cases")
  void shouldRefuseDataOfAnotherShape(Case each) {
    VectorMeasurement<?> measurement = each.made().get();
    boolean anyShape =
        measurement.query() instanceof CountQuery || measurement.query() instanceof HistogramQuery;
    if (!anyShape) {
      assertThatThrownBy(() -> measurement.distribution(ExactVector.none(7)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void shouldSayNothingOfData() {
    assertThat(new ExactVector(17, 42)).hasToString("ExactVector[2 numbers]");
    assertThat(new NoisyVector(17, 42)).hasToString("NoisyVector[2 numbers]");
    assertThatThrownBy(() -> new ExactVector(17, -3).total(100))
        .hasMessageNotContaining("17")
        .hasMessageNotContaining("-3");
    assertThatThrownBy(() -> new ExactVector(60, 41).total(100)).hasMessageNotContaining("41");
    assertThat(new ExactVector(60, 40).total(100)).isEqualTo(100);
    assertThat(new NoisyVector(OptionalLong.of(3), 1)).isNotEqualTo(new NoisyVector(1));
    assertThatThrownBy(() -> new NoisyVector(OptionalLong.of(-1), 1))
        .hasMessageContaining("at least 0");
    assertThatThrownBy(() -> new NoisyVector(1).plus(new NoisyVector(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new ExactVector(1).plus(new ExactVector(1, 2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(ExactVector::new).isInstanceOf(IllegalArgumentException.class);
  }
}
