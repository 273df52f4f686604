// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.abc.Summary.OfAll;
import io.sfumato.mechanism.abc.Summary.Quantile;
import io.sfumato.mechanism.abc.Summary.Share;
import io.sfumato.mechanism.abc.Summary.Statistic;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SummariesTest {
  private static final Summaries ALL =
      new Summaries(
          List.of(
              new OfAll(Statistic.MEAN, 1, 20),
              new OfAll(Statistic.DEVIATION, 1, 10),
              new OfAll(Statistic.SMALLEST, 0, 3),
              new OfAll(Statistic.LARGEST, 1, 30),
              new Quantile(1, 0.25, 5),
              new Share(1, 0.1)),
          4);
  private static final NumberSums.Layout LAYOUT = NumberSums.Layout.of(ALL.list());

  private final Random random = new Random(7);

  private static SummaryData data(List<double[]> rows) {
    long[] counts = new long[3];
    rows.forEach(row -> counts[(int) Math.abs(row[0]) % 3]++);
    return SummaryData.pseudo(LAYOUT, rows, Optional.of(new Histogram(counts)));
  }

  private List<double[]> rows(int size) {
    List<double[]> rows = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      rows.add(new double[] {random.nextInt(50) - 9, 130 + 45 * random.nextGaussian()});
    }
    return rows;
  }

  /** Against decimals of 60 digits; steps are 2^-32 of the smaller scale. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 10, 257, 2000})
  void shouldBeTheStatisticsOfTheRecords(int size) {
    List<double[]> rows = rows(size);
    double[] found = ALL.of(data(rows));
    MathContext exact = new MathContext(60);
    BigDecimal n = BigDecimal.valueOf(size);
    BigDecimal mean =
        rows.stream()
            .map(row -> new BigDecimal(row[1]))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(n, exact);
    BigDecimal variance =
        rows.stream()
            .map(row -> new BigDecimal(row[1]).subtract(mean).pow(2))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .divide(n, exact);
    double step = 20 * 0x1p-32;
    assertThat(found[0]).isCloseTo(mean.doubleValue(), within(step));
    assertThat(found[1]).isCloseTo(variance.sqrt(exact).doubleValue(), within(step));
    double[] first = rows.stream().mapToDouble(row -> row[0]).sorted().toArray();
    double[] second = rows.stream().mapToDouble(row -> row[1]).sorted().toArray();
    assertThat(found[2]).isEqualTo(first[0]);
    assertThat(found[3]).isEqualTo(second[size - 1]);
    double least =
        Arrays.stream(second)
            .filter(x -> Arrays.stream(second).filter(y -> y <= x).count() >= 0.25 * size)
            .findFirst()
            .orElseThrow();
    assertThat(found[4]).isEqualTo(least);
    assertThat(found[5])
        .isEqualTo(
            rows.stream().filter(row -> (int) Math.abs(row[0]) % 3 == 1).count() / (double) size);
  }

  @Test
  void shouldNotDependOnTheOrderOfRecords() {
    List<double[]> rows = rows(300);
    SummaryData before = data(rows);
    for (int i = 0; i < 20; i++) {
      Collections.shuffle(rows, random);
      SummaryData after = data(rows);
      assertThat(after.sums()).isEqualTo(before.sums());
      assertThat(ALL.of(after)).containsExactly(ALL.of(before));
    }
  }

  /** Whatever is replaced, no distance moves by more than the clip; and some do by all of it. */
  @Test
  void shouldMoveByNoMoreThanTheClip() {
    double most = 0;
    for (int i = 0; i < 2000; i++) {
      List<double[]> rows = rows(1 + random.nextInt(20));
      double[] pseudo = ALL.of(data(rows(30)));
      double before = ALL.distance(ALL.of(data(rows)), pseudo);
      rows.set(
          random.nextInt(rows.size()),
          random.nextBoolean()
              ? rows(1).get(0)
              : new double[] {
                1e12 * random.nextGaussian(), Math.scalb(1, random.nextInt(80) - 40)
              });
      double after = ALL.distance(ALL.of(data(rows)), pseudo);
      assertThat(before).isBetween(0.0, 4.0);
      assertThat(after).isBetween(0.0, 4.0);
      most = Math.max(most, Math.abs(after - before));
    }
    assertThat(most)
        .isGreaterThan(1)
        .isLessThanOrEqualTo(new DistanceMeasure.OfSummaries(ALL).sensitivity(20));
    assertThat(ALL.distance(new double[] {1e12, 0, 0, 0, 0, 0}, new double[6])).isEqualTo(4);
    double[] other = ALL.of(data(rows(9)));
    assertThat(ALL.distance(other, other)).isZero();
  }

  @Test
  void shouldCountDifferencesInTheirScales() {
    double[] far = {20, 20, 0, 30, 0, 0.2};
    assertThat(ALL.distance(far, new double[6])).isCloseTo(Math.sqrt(1 + 4 + 1 + 4), within(1e-12));
  }

  /** Beyond 2^30 scales a number counts as that, so that sums have a bounded size. */
  @Test
  void shouldBoundWhatOneNumberAdds() {
    NumberSum one = NumberSum.empty(NumberSum.exponent(1e-12));
    NumberSum full = one.plus(1e12);
    assertThat(full.sum().bitLength()).isLessThanOrEqualTo(63);
    assertThat(full.squares().bitLength()).isLessThanOrEqualTo(125);
    assertThat(full.largest()).isEqualTo(1e12);
    assertThat(one.plus(1e-12).mean(1)).isCloseTo(1e-12, within(1e-12 * 0x1p-31));
  }

  @Test
  void shouldRefuseWhatIsNoDataset() {
    assertThatThrownBy(() -> data(List.of()))
        .hasMessageContaining("an empty dataset has no summaries");
    for (double bad : new double[] {Double.NaN, Double.POSITIVE_INFINITY, -1 / 0.0}) {
      assertThatThrownBy(() -> data(List.of(new double[] {1, bad})))
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> new DistanceMeasure.OfSummaries(ALL).sensitivity(0))
        .hasMessageContaining("an empty dataset answers no query");
    assertThatThrownBy(() -> new Summaries(List.of(), 1)).hasMessageContaining("at least one");
  }

  @Test
  void shouldNeverPrintWhatIsPrivate() {
    SummaryData data = data(rows(3));
    assertThat(data.toString() + data.sums() + data.sums().fields())
        .doesNotContainPattern("\\d\\.\\d");
  }
}
