// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.ClopperPearson;
import io.sfumato.estimate.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What mechanisms are given: how far neighbours lie apart, counts, sums and ranges of numbers. */
class ExactInputsTest {
  @Test
  void aReplacedRecordMovesTwoCounts() {
    Sensitivity one = Sensitivity.replaceOne();
    assertThat(one.l1()).isEqualTo(2);
    assertThat(one.squaredL2()).isEqualTo(2);
    assertThat(one.sharesNoise()).isFalse();
    assertThat(one.sizeIsPublic()).isTrue();
  }

  @Test
  void aUsersRecordsMoveOneCountFurthest() {
    Sensitivity four = Sensitivity.addOrRemove(4);
    assertThat(four.l1()).isEqualTo(4);
    assertThat(four.squaredL2()).isEqualTo(16);
    assertThat(four.sizeIsPublic()).isFalse();
    assertThat(Sensitivity.addOrRemove(1).l1()).isEqualTo(1);
    assertThatThrownBy(() -> Sensitivity.addOrRemove(0)).hasMessageContaining("was 0");
  }

  /** Releases that move one noise add up before they are squared. */
  @Test
  void whatSharesANoiseIsASumOfItsOwn() {
    Sensitivity shared =
        new Sensitivity(
            " shared",
            PrivacyUnit.USER,
            List.of(new Sensitivity.Shift(3, 1), new Sensitivity.Shift(2, 5)));
    assertThat(shared.shifts().get(1).together()).isEqualTo(10);
    assertThat(shared.l1()).isEqualTo(5);
    assertThat(shared.squaredL2()).isEqualTo(9 + 100 / 5.0);
    assertThat(shared.sharesNoise()).isTrue();
    assertThatThrownBy(() -> new Sensitivity("", PrivacyUnit.USER, List.of()))
        .hasMessageContaining("at least one shift");
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "-1, 1", "NaN, 1", "1, 0"})
  void aShiftMovesSomething(double each, long releases) {
    assertThatThrownBy(() -> new Sensitivity.Shift(each, releases)).hasMessageContaining("a shift");
  }

  @Test
  void aTallyHasItsSumsAtTheirPlaces() {
    SparseSums tally = new SparseSums(7, new int[] {0, 3}, new long[] {5, 1});
    assertThat(tally.records()).isEqualTo(7);
    assertThat(tally.size()).isEqualTo(2);
    assertThat(tally.place(1)).isEqualTo(3);
    assertThat(tally.sum(0)).isEqualTo(5);
    assertThat(tally.dense(5)).containsExactly(5, 0, 0, 1, 0);
    assertThat(tally)
        .isEqualTo(new SparseSums(7, new int[] {0, 3}, new long[] {5, 1}))
        .hasSameHashCodeAs(new SparseSums(7, new int[] {0, 3}, new long[] {5, 1}))
        .isNotEqualTo(new SparseSums(8, new int[] {0, 3}, new long[] {5, 1}))
        .isNotEqualTo(new SparseSums(7, new int[] {0, 4}, new long[] {5, 1}))
        .isNotEqualTo(new SparseSums(7, new int[] {0, 3}, new long[] {5, 2}))
        .hasToString("Tally[masked]");
    assertThat(SparseSums.empty().records()).isZero();
    assertThat(SparseSums.empty().dense(2)).containsExactly(0, 0);
    assertThat(new SparseSums(0, new int[1], new long[] {1}).size()).isEqualTo(1);
  }

  @Test
  void aTallyIsInOrder() {
    long[] ones = {1, 1};
    for (int[] places : new int[][] {{1, 1}, {2, 1}, {-1, 0}, {1}}) {
      assertThatThrownBy(() -> new SparseSums(2, places, ones))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new SparseSums(-1, new int[0], new long[0]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SparseSums(1, new int[1], new long[1]))
        .hasMessageContaining("above 0");
  }

  @Test
  void aHistogramCountsItsRecords() {
    Histogram histogram = new Histogram(3, 0, 4);
    assertThat(histogram.size()).isEqualTo(7);
    assertThat(histogram.categories()).isEqualTo(3);
    assertThat(histogram.count(2)).isEqualTo(4);
    assertThat(histogram.counts()).containsExactly(3, 0, 4);
    assertThat(histogram.plus(1))
        .isEqualTo(new Histogram(3, 1, 4))
        .hasSameHashCodeAs(new Histogram(3, 1, 4))
        .isNotEqualTo(histogram);
    assertThat(histogram.count(1)).as("it never changes").isZero();
    assertThat(histogram).hasToString("Histogram[3 categories]");
    assertThat(new Histogram(9).size()).isEqualTo(9);
    assertThat(Histogram.empty(2).counts()).containsExactly(0, 0);
    assertThatThrownBy(Histogram::new).hasMessageContaining("at least 1 category");
    assertThatThrownBy(() -> new Histogram(1, -1)).hasMessageContaining("at least 0");
  }

  /** What lies outside counts as the nearer end, so that nobody moves a sum further. */
  @Test
  void numbersAreClippedToTheirRange() {
    NumberBounds bounds = new NumberBounds(-2, 6);
    assertThat(bounds.span()).isEqualTo(8);
    assertThat(bounds.place(-2)).isZero();
    assertThat(bounds.place(0)).isEqualTo(0.25);
    assertThat(bounds.place(6)).isEqualTo(1);
    assertThat(bounds.place(Double.POSITIVE_INFINITY)).isEqualTo(1);
    assertThat(bounds.place(-1e300)).isZero();
    assertThat(bounds.at(0.25)).isZero();
    assertThat(bounds.at(1)).isEqualTo(6);
    assertThat(bounds.at(2)).isEqualTo(6);
    assertThat(bounds.at(-1)).isEqualTo(-2);
    assertThatThrownBy(() -> bounds.place(Double.NaN)).hasMessageContaining("NaN");
    assertThat(new NumberBounds(-0.0, 1)).isEqualTo(new NumberBounds(0.0, 1));
    assertThat(new NumberBounds(-1, -0.0)).isEqualTo(new NumberBounds(-1, 0.0));
    assertThat(new NumberBounds(-1e150, 1e150).span()).isEqualTo(2e150);
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "-1.1e150, 0", "0, 1.1e150", "NaN, 1", "0, NaN"})
  void aRangeHasALowerEndAndAnUpperOne(double lo, double hi) {
    assertThatThrownBy(() -> new NumberBounds(lo, hi)).hasMessageContaining("were " + lo);
  }

  @Test
  void anEstimateLiesInItsInterval() {
    assertThat(Estimate.exact(3)).isEqualTo(new Estimate(3, 3, 3));
    assertThat(Estimate.around(-5, 2)).isEqualTo(new Estimate(-5, -7, -3));
    assertThat(Estimate.within(5, 2, 3, 0, 10)).isEqualTo(new Estimate(5, 3, 8));
    assertThat(Estimate.within(1, 2, 2, 0, 10)).isEqualTo(new Estimate(1, 0, 3));
    assertThat(Estimate.within(1, 2, 8, 0, 10)).isEqualTo(new Estimate(1, 0, 9, false, true));
    assertThat(Estimate.within(12, 3, 3, 0, 10)).isEqualTo(new Estimate(10, 7, 10, true, false));
    assertThat(Estimate.within(-239, 60, 60, 0, 1000))
        .as("never a point")
        .isEqualTo(new Estimate(0, 0, 60, true, false));
    assertThatThrownBy(() -> new Estimate(1, 2, 3)).hasMessageContaining("in its interval");
    assertThatThrownBy(() -> new Estimate(4, 2, 3)).hasMessageContaining("in its interval");
    assertThat(new Estimate(2, 2, 3).low()).isEqualTo(2);
  }

  /** Clopper and Pearson's interval of 5 of 10 at 95%, as tables have it; and the ends. */
  @Test
  void proportionsAreBoundedExactly() {
    assertThat(ClopperPearson.lower(5, 10, 0.025)).isCloseTo(0.18709, within(1e-5));
    assertThat(ClopperPearson.upper(5, 10, 0.025)).isCloseTo(0.81291, within(1e-5));
    assertThat(ClopperPearson.lower(0, 10, 0.025)).isZero();
    assertThat(ClopperPearson.upper(10, 10, 0.025)).isEqualTo(1);
  }

  /** All or none of n: (1 - p)^n is what may fail. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 1000})
  void ofNoneTheBoundIsARoot(int draws) {
    double p = -Math.expm1(Math.log(0.01) / draws);
    assertThat(ClopperPearson.upper(0, draws, 0.01)).isCloseTo(p, within(1e-9));
    assertThat(ClopperPearson.lower(draws, draws, 0.01)).isCloseTo(1 - p, within(1e-9));
  }
}
