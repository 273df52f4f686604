// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.matrix.RootQuery;
import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which rows are drawn, encoded and published of bins and categories, and what is refused. */
class QuantilesAtLimitsTest {
  private static final CalibrationTarget SHARE =
      new CalibrationTarget("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);
  private static final Bins BINS = Bins.of(0, 1, 2, Scale.LINEAR);

  private static GridMeasurement<QuantileQuery> ofUsers(Bins bins) {
    return Plans.quantilesOfUsers(SHARE, bins, 1).orElseThrow().mechanism();
  }

  private static GridMeasurement<QuantileQuery> ofRecords(Bins bins) {
    return Plans.quantilesOfRecords(SHARE, bins).orElseThrow().mechanism();
  }

  private static GridMeasurement<QuantileQuery> byCategory(
      GridMeasurement<QuantileQuery> each, int categories) {
    return new GridMeasurement<>(
        new QuantileQuery(each.query().bins(), categories), each.sensitivity(), each.noise());
  }

  private static GridMeasurement<RootQuery> rows(GridMeasurement<QuantileQuery> one) {
    return new GridMeasurement<>(new RootQuery(one.query().root()), one.sensitivity(), one.noise());
  }

  @Test
  void binsAreAsManyAsAreAllowed() {
    assertThat(Bins.of(0, 1, Bins.LARGEST, Scale.LINEAR).number()).isEqualTo(65_536);
    assertThat(Bins.of(Double.MIN_VALUE, 1, 2, Scale.LOG).of(0)).isZero();
    assertThat(BINS.scale()).isEqualTo(Scale.LINEAR);
    assertThat(Bins.of(1, 2, 2, Scale.LOG).scale().word()).isEqualTo("log");
    assertThat(BINS)
        .hasToString("2 bins from 0.0 to 1.0, linear")
        .isEqualTo(Bins.of(0, 1, 2, Scale.LINEAR))
        .hasSameHashCodeAs(Bins.of(0, 1, 2, Scale.LINEAR))
        .isNotEqualTo(Bins.of(0, 1, 3, Scale.LINEAR))
        .isNotEqualTo("bins");
    assertThat(Bins.of(1, 4, 2, Scale.LOG)).isNotEqualTo(Bins.of(1, 4, 2, Scale.LINEAR));
    assertThat(BINS.within(1, 0.5)).isEqualTo(0.75);
    assertThat(Bins.of(1e308, 1.7e308, 2, Scale.LINEAR).edge(2)).isEqualTo(1.7e308);
    assertThat(Bins.of(-0.0, 1, 2, Scale.LINEAR)).as("of one zero").isEqualTo(BINS);
    assertThatThrownBy(() -> Bins.of(0, 1, 2, Scale.LOG)).hasMessageContaining("begin above 0");
    Bins wide = Bins.of(-1, 0.1, 3, Scale.LINEAR);
    for (int bin = 0; bin < 3; bin++) {
      assertThat(wide.within(bin, 1)).isLessThanOrEqualTo(wide.edge(bin + 1));
    }
  }

  @Test
  void binsFrameTheirEndsAndNumber() {
    CanonicalEncoder encoded = new CanonicalEncoder();
    Bins.of(1, 3, 4, Scale.LOG).encode(encoded);
    CanonicalEncoder expected =
        new CanonicalEncoder()
            .text("log")
            .number(4)
            .number(Double.doubleToLongBits(1))
            .number(Double.doubleToLongBits(3));
    assertThat(encoded.toBytes()).isEqualTo(expected.toBytes());
  }

  @Test
  void countsAreCutCategoryByCategory() {
    ExactVector counts = new ExactVector(5, 0, 1, 7, 2, 3);
    QuantileQuery query = new QuantileQuery(BINS, 3);
    ToeplitzRoot root = query.root();
    assertThat(query.records(counts)).hasValue(18);
    assertThat(query.vector(counts))
        .startsWith(root.times(new ExactVector(5, 0)))
        .endsWith(root.times(new ExactVector(2, 3)));
    for (int places : new int[] {2, 4, 5, 7, 8}) {
      assertThatThrownBy(() -> query.vector(ExactVector.none(places)))
          .hasMessageContaining("counts for 2 bins of each of 3");
    }
  }

  @Test
  void whatIsPublishedHasAPublicNumberOrNone() {
    assertThat(new NoisyVector(OptionalLong.of(0), 3, -4).records()).hasValue(0);
    assertThatThrownBy(() -> new NoisyVector(OptionalLong.of(-1), 3, -4))
        .hasMessageContaining("at least 0");
  }

  /** A window's rows, encoded with their bins; N where it is public. */
  @Test
  void binsAreDrawnAsTheirRows() {
    ExactVector exact = new ExactVector(5, 8);
    for (GridMeasurement<QuantileQuery> mechanism : List.of(ofUsers(BINS), ofRecords(BINS))) {
      OutputDistribution<NoisyVector> distribution = mechanism.distribution(exact);
      CanonicalEncoder encoded = new CanonicalEncoder();
      distribution.encodeInput(encoded);
      CanonicalEncoder expected = new CanonicalEncoder().text("quantile");
      BINS.encode(expected);
      rows(mechanism).distribution(exact).encodeInput(expected);
      assertThat(encoded.toBytes()).isEqualTo(expected.toBytes());
      NoisyVector drawn = distribution.draw(KeyedRandom.ofPublicSeed("rows"));
      assertThat(drawn.values())
          .isEqualTo(
              rows(mechanism).distribution(exact).draw(KeyedRandom.ofPublicSeed("rows")).values());
      assertThat(drawn.records())
          .isEqualTo(mechanism.sizeIsPublic() ? OptionalLong.of(13) : OptionalLong.empty());
      assertThat(mechanism.method()).isEqualTo("gaussian");
      assertThat(mechanism.parameters()).isEqualTo(rows(mechanism).parameters()).isNotEmpty();
      assertThat(mechanism.charge().mechanism()).isEqualTo(rows(mechanism).charge().mechanism());
      assertThat(mechanism.divergence(2, exact, new ExactVector(6, 7)))
          .isEqualTo(rows(mechanism).divergence(2, exact, new ExactVector(6, 7)));
      assertThat(mechanism.divergence(2, exact, new ExactVector(5, 9)).orElseThrow())
          .isEqualTo(
              mechanism.sizeIsPublic()
                  ? Double.POSITIVE_INFINITY
                  : rows(mechanism).divergence(2, exact, new ExactVector(5, 9)).orElseThrow());
    }
    assertThat(ofRecords(BINS).sizeIsPublic()).isTrue();
    assertThat(ofUsers(BINS).sizeIsPublic()).isFalse();
    assertThatThrownBy(
            () -> new QuantileQuery(Bins.of(0, 1, 3, Scale.LINEAR), ToeplitzRoot.full(2), 1))
        .hasMessageContaining("2 rows for 3 bins");
  }

  /** One category after another, each with noise of its own; the charge is that of one. */
  @Test
  void categoriesAreDrawnOneAfterAnother() {
    GridMeasurement<QuantileQuery> one = ofRecords(BINS);
    GridMeasurement<QuantileQuery> mechanism = byCategory(one, 3);
    List<ExactVector> each =
        List.of(new ExactVector(5, 0), new ExactVector(1, 7), new ExactVector(2, 3));
    ExactVector exact = new ExactVector(5, 0, 1, 7, 2, 3);
    KeyedRandom same = KeyedRandom.ofPublicSeed("categories");
    long[] expected =
        each.stream()
            .flatMapToLong(rows -> Arrays.stream(one.distribution(rows).draw(same).values()))
            .toArray();
    NoisyVector drawn = mechanism.distribution(exact).draw(KeyedRandom.ofPublicSeed("categories"));
    assertThat(drawn).isEqualTo(new NoisyVector(OptionalLong.of(18), expected));
    assertThat(mechanism.charge().mechanism()).isEqualTo(one.charge().mechanism());
    assertThat(mechanism.method()).isEqualTo("gaussian");
    assertThat(mechanism.parameters()).isEqualTo(one.parameters()).isNotEmpty();
    CanonicalEncoder encoded = new CanonicalEncoder();
    mechanism.distribution(exact).encodeInput(encoded);
    CanonicalEncoder parts = new CanonicalEncoder().text("quantiles by category").number(3);
    each.forEach(rows -> one.distribution(rows).encodeInput(parts));
    assertThat(encoded.toBytes()).isEqualTo(parts.toBytes());
    long[] rows = mechanism.query().vector(exact);
    for (int category = 0; category < 3; category++) {
      assertThat(new long[] {rows[2 * category], rows[2 * category + 1]})
          .isEqualTo(one.query().root().times(each.get(category)));
    }
    ExactVector moved = new ExactVector(5, 0, 1, 7, 1, 4);
    assertThat(mechanism.divergence(2, exact, moved))
        .isEqualTo(one.divergence(2, each.get(2), new ExactVector(1, 4)));
    GridMeasurement<QuantileQuery> ofUsers = byCategory(ofUsers(BINS), 3);
    assertThat(ofUsers.distribution(exact).draw(same).records()).isEmpty();
  }

  @Test
  void categoriesTimesBinsAreLimited() {
    assertThat(QuantileQuery.mostCategories(1024)).isEqualTo(256);
    Bins many = Bins.of(0, 1, 1024, Scale.LINEAR);
    assertThat(new QuantileQuery(many, 256).categories()).isEqualTo(256);
    assertThatThrownBy(() -> new QuantileQuery(many, 257))
        .hasMessageContaining("at most 262144 bins of all categories");
    assertThat(new QuantileQuery(BINS, 1).categories()).isEqualTo(1);
    assertThatThrownBy(() -> new QuantileQuery(BINS, 0))
        .hasMessageContaining("at least 1 category");
    assertThat(QuantileQuery.binsUnlessSaid(1)).isEqualTo(4096);
    assertThat(QuantileQuery.binsUnlessSaid(17)).isEqualTo(2048);
    assertThat(QuantileQuery.binsUnlessSaid(65_536)).isEqualTo(1);
    GridMeasurement<QuantileQuery> each = ofUsers(BINS);
    QuantileQuery three = new QuantileQuery(BINS, 3);
    assertThat(
            VectorCalibrator.gaussian(SHARE, three, RootSensitivity.addOrRemove(three.root(), 1, 1))
                .orElseThrow()
                .mechanism())
        .as("for the share of one")
        .isEqualTo(byCategory(each, 3));
    assertThatThrownBy(() -> byCategory(each, 2).distribution(ExactVector.none(6)))
        .hasMessageContaining("6 counts for 2 bins of each of 2");
  }
}
