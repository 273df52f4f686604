// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.quantile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Planned;
import io.sfumato.estimate.ShareRequest;
import io.sfumato.estimate.quantile.QuantilePlanner;
import io.sfumato.mechanism.Law;
import io.sfumato.mechanism.factorised.NoisyRows;
import io.sfumato.mechanism.factorised.RowCounts;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.noise.Framing;
import io.sfumato.noise.ReplayableRandom;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Which rows are drawn, framed and published of bins and categories, and what is refused. */
class QuantilesAtLimitsTest {
  private static final ShareRequest SHARE =
      new ShareRequest("waits", Epsilon.of("1"), Delta.of("1e-6"), 1);
  private static final Bins BINS = Bins.of(0, 1, 2, Scale.LINEAR);

  private static QuantileMechanism ofUsers(Bins bins) {
    return QuantilePlanner.addOrRemove(SHARE, bins, 1).orElseThrow().mechanism();
  }

  private static QuantileMechanism ofRecords(Bins bins) {
    return QuantilePlanner.replaceOne(SHARE, bins).orElseThrow().mechanism();
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
    Framing framed = new Framing();
    Bins.of(1, 3, 4, Scale.LOG).frame(framed);
    Framing expected =
        new Framing()
            .text("log")
            .number(4)
            .number(Double.doubleToLongBits(1))
            .number(Double.doubleToLongBits(3));
    assertThat(framed.toBytes()).isEqualTo(expected.toBytes());
  }

  @Test
  void countsAreCutCategoryByCategory() {
    CategoryCounts counts = CategoryCounts.of(new long[] {5, 0, 1, 7, 2, 3}, 2);
    assertThat(counts.each())
        .containsExactly(new RowCounts(5, 0), new RowCounts(1, 7), new RowCounts(2, 3));
    assertThat(counts.total()).isEqualTo(18);
    assertThat(counts).hasToString("CategoryCounts[3 categories]");
    assertThatThrownBy(() -> new CategoryCounts(List.of())).hasMessageContaining("same bins");
    assertThatThrownBy(() -> new CategoryCounts(List.of(RowCounts.none(2), RowCounts.none(3))))
        .hasMessageContaining("same bins");
  }

  @Test
  void whatIsPublishedHasAPublicNumberOrNone() {
    NoisyRows rows = new NoisyRows(3, -4);
    assertThat(new NoisyBins(OptionalLong.of(0), rows).records()).hasValue(0);
    assertThatThrownBy(() -> new NoisyBins(OptionalLong.of(-1), rows))
        .hasMessageContaining("at least 0");
    NoisyCategories two =
        new NoisyCategories(OptionalLong.of(9), List.of(rows, new NoisyRows(10, 20)));
    assertThat(two.of(1)).isEqualTo(new NoisyBins(OptionalLong.empty(), new NoisyRows(10, 20)));
    assertThat(two.all()).isEqualTo(new NoisyBins(OptionalLong.of(9), new NoisyRows(13, 16)));
    assertThatThrownBy(() -> new NoisyCategories(OptionalLong.empty(), List.of()))
        .hasMessageContaining("at least one category");
  }

  /** A window's rows, framed with their bins; N where it is public. */
  @Test
  void binsAreDrawnAsTheirRows() {
    RowCounts exact = new RowCounts(5, 8);
    for (QuantileMechanism mechanism : List.of(ofUsers(BINS), ofRecords(BINS))) {
      Law<NoisyBins> law = mechanism.law(exact);
      Framing framed = new Framing();
      law.frame(framed);
      Framing expected = new Framing().text("quantile");
      BINS.frame(expected);
      mechanism.rows().law(exact).frame(expected);
      assertThat(framed.toBytes()).isEqualTo(expected.toBytes());
      NoisyBins drawn = law.draw(ReplayableRandom.ofPublicSeed("rows"));
      assertThat(drawn.rows())
          .isEqualTo(mechanism.rows().law(exact).draw(ReplayableRandom.ofPublicSeed("rows")));
      assertThat(drawn.records())
          .isEqualTo(mechanism.sizeIsPublic() ? OptionalLong.of(13) : OptionalLong.empty());
      assertThat(mechanism.method()).isEqualTo("gaussian");
      assertThat(mechanism.parameters()).isEqualTo(mechanism.rows().parameters()).isNotEmpty();
      assertThat(mechanism.charge().mechanism()).isEqualTo(mechanism.rows().charge().mechanism());
      assertThat(mechanism.divergence(2, exact, new RowCounts(5, 9)))
          .isEqualTo(mechanism.rows().divergence(2, exact, new RowCounts(5, 9)));
    }
    assertThat(ofRecords(BINS).sizeIsPublic()).isTrue();
    assertThat(ofUsers(BINS).sizeIsPublic()).isFalse();
    assertThatThrownBy(
            () -> new QuantileMechanism(Bins.of(0, 1, 3, Scale.LINEAR), ofUsers(BINS).rows()))
        .hasMessageContaining("2 rows for 3 bins");
  }

  /** One category after another, each with noise of its own; the charge is that of one. */
  @Test
  void categoriesAreDrawnOneAfterAnother() {
    CategoryQuantiles mechanism = new CategoryQuantiles(ofRecords(BINS), 3);
    CategoryCounts exact = CategoryCounts.of(new long[] {5, 0, 1, 7, 2, 3}, 2);
    ReplayableRandom same = ReplayableRandom.ofPublicSeed("categories");
    List<NoisyRows> expected =
        exact.each().stream().map(rows -> mechanism.each().law(rows).draw(same).rows()).toList();
    NoisyCategories drawn = mechanism.law(exact).draw(ReplayableRandom.ofPublicSeed("categories"));
    assertThat(drawn).isEqualTo(new NoisyCategories(OptionalLong.of(18), expected));
    assertThat(mechanism.charge().mechanism()).isEqualTo(mechanism.each().charge().mechanism());
    assertThat(mechanism.method()).isEqualTo("gaussian");
    assertThat(mechanism.parameters()).isEqualTo(mechanism.each().parameters()).isNotEmpty();
    Framing framed = new Framing();
    mechanism.law(exact).frame(framed);
    Framing parts = new Framing().text("quantiles by category").number(3);
    exact.each().forEach(rows -> mechanism.each().law(rows).frame(parts));
    assertThat(framed.toBytes()).isEqualTo(parts.toBytes());
    long[] rows = mechanism.rows(exact);
    for (int category = 0; category < 3; category++) {
      assertThat(new long[] {rows[2 * category], rows[2 * category + 1]})
          .isEqualTo(mechanism.each().rows().root().times(exact.each().get(category)));
    }
    CategoryCounts moved = CategoryCounts.of(new long[] {5, 0, 1, 7, 2, 4}, 2);
    assertThat(mechanism.divergence(2, exact, moved))
        .isEqualTo(mechanism.each().divergence(2, exact.each().get(2), moved.each().get(2)));
    CategoryQuantiles ofUsers = new CategoryQuantiles(ofUsers(BINS), 3);
    assertThat(ofUsers.law(exact).draw(same).records()).isEmpty();
  }

  @Test
  void categoriesTimesBinsAreLimited() {
    assertThat(CategoryQuantiles.mostCategories(1024)).isEqualTo(256);
    Bins many = Bins.of(0, 1, 1024, Scale.LINEAR);
    assertThat(new CategoryQuantiles(ofUsers(many), 256).categories()).isEqualTo(256);
    assertThatThrownBy(() -> new CategoryQuantiles(ofUsers(many), 257))
        .hasMessageContaining("at most 262144 bins");
    assertThat(new CategoryQuantiles(ofUsers(BINS), 2).categories()).isEqualTo(2);
    assertThatThrownBy(() -> new CategoryQuantiles(ofUsers(BINS), 1))
        .hasMessageContaining("at least 2 categories");
    assertThat(CategoryQuantiles.binsUnlessSaid(1)).isEqualTo(4096);
    assertThat(CategoryQuantiles.binsUnlessSaid(17)).isEqualTo(2048);
    assertThat(CategoryQuantiles.binsUnlessSaid(65_536)).isEqualTo(1);
    Planned<QuantileMechanism> each = QuantilePlanner.addOrRemove(SHARE, BINS, 1).orElseThrow();
    assertThat(QuantilePlanner.byCategory(each, 3))
        .as("for the share of one")
        .isEqualTo(new Planned<>(each.share(), new CategoryQuantiles(each.mechanism(), 3)));
    CategoryQuantiles two = new CategoryQuantiles(ofUsers(BINS), 2);
    assertThatThrownBy(() -> two.law(CategoryCounts.of(new long[6], 2)))
        .hasMessageContaining("3 categories, where 2 were planned");
  }
}
