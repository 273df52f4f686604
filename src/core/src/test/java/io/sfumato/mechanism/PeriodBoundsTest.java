// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.additive.GridLaplace;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.DecayingCoefficients;
import io.sfumato.mechanism.continual.RowSensitivity;
import io.sfumato.mechanism.continual.SquareRootCoefficients;
import io.sfumato.mechanism.count.CountTree;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

/**
 * What a user's records of a period move, and cost, against every way to place them: C and W up to
 * 4, P up to 9, in five windows.
 */
class PeriodBoundsTest {
  private static final int MOST = 4;
  private static final int MOST_IN_PERIOD = 9;
  private static final int WINDOWS = 5;

  private static final double[] ORDERS = {1.1, 1.5, 2, 4, 16, 64};

  /** Covers roundings of sums of doubles. */
  private static final double ROUNDING = 1 + 1e-12;

  /** Every number of records in each window, at most C in one. */
  private static List<int[]> placements(int records) {
    List<int[]> all = new ArrayList<>();
    place(new int[WINDOWS], 0, records, all::add);
    return all;
  }

  private static void place(int[] placed, int window, int records, Consumer<int[]> found) {
    if (window == placed.length) {
      found.accept(placed.clone());
      return;
    }
    for (int n = 0; n <= records; n++) {
      placed[window] = n;
      place(placed, window + 1, records, found);
    }
    placed[window] = 0;
  }

  private static Predicate<int[]> within(PeriodBounds bounds) {
    return placed ->
        sum(placed) <= bounds.period()
            && Arrays.stream(placed).filter(n -> n > 0).count() <= bounds.windows();
  }

  private static int sum(int[] placed) {
    return Arrays.stream(placed).sum();
  }

  /** Every bound, with all placements that keep within it. */
  private interface Check {
    void of(PeriodBounds bounds, List<int[]> placed);
  }

  private static void everyBound(Check check) {
    for (int records = 1; records <= MOST; records++) {
      List<int[]> all = placements(records);
      for (int windows = 1; windows <= MOST; windows++) {
        for (int period = 1; period <= MOST_IN_PERIOD; period++) {
          PeriodBounds bounds = new PeriodBounds(windows, records, period);
          check.of(bounds, all.stream().filter(within(bounds)).toList());
        }
      }
    }
  }

  private static double most(List<int[]> placed, ToDoubleFunction<int[]> of) {
    return placed.stream().mapToDouble(of).max().orElseThrow();
  }

  private static double squares(int[] placed) {
    return Arrays.stream(placed).mapToDouble(n -> (double) n * n).sum();
  }

  @Test
  void shouldMoveIndependentNumbersByTheWorstPlacement() {
    everyBound(
        (bounds, placed) -> {
          assertThat((double) bounds.total()).as("%s", bounds).isEqualTo(most(placed, p -> sum(p)));
          assertThat((double) bounds.squaredL2())
              .as("%s", bounds)
              .isEqualTo(most(placed, PeriodBoundsTest::squares));
          assertThat(placed)
              .allMatch(p -> squares(p) <= sum(p) * (double) bounds.squaredL2OfOneRecord());
        });
  }

  /** Of two subjects, or categories, together no placement moves them further. */
  @Test
  void shouldMoveNumbersOfSeveralGroupsNoFurther() {
    PeriodBounds bounds = new PeriodBounds(3, 2, 5);
    double[] most = new double[2];
    place(
        new int[2 * 4],
        0,
        2,
        placed -> {
          int[] windows = new int[4];
          for (int i = 0; i < placed.length; i++) {
            windows[i / 2] += placed[i];
          }
          if (Arrays.stream(windows).allMatch(n -> n <= 2) && within(bounds).test(windows)) {
            most[0] = Math.max(most[0], sum(placed));
            most[1] = Math.max(most[1], squares(placed));
          }
        });
    assertThat(most).containsExactly(bounds.total(), bounds.squaredL2());
  }

  private static BigInteger squaredRows(int[] placed, Coefficients coefficients) {
    BigInteger squares = BigInteger.ZERO;
    for (int row = 0; row < WINDOWS + coefficients.band(); row++) {
      long sum = 0;
      for (int window = 0; window <= Math.min(row, WINDOWS - 1); window++) {
        sum += placed[window] * coefficients.at(row - window);
      }
      squares = squares.add(BigInteger.valueOf(sum).pow(2));
    }
    return squares;
  }

  @Test
  void shouldMoveRowsByTheWorstPlacement() {
    for (int band : new int[] {1, 2, 5, 12}) {
      Coefficients root = new SquareRootCoefficients(band);
      everyBound(
          (bounds, placed) -> {
            BigInteger worst =
                placed.stream()
                    .map(p -> squaredRows(p, root))
                    .max(BigInteger::compareTo)
                    .orElseThrow();
            assertThat(RowSensitivity.squaredRows(root, bounds))
                .as("%s band %d", bounds, band)
                .isEqualTo(worst);
          });
    }
  }

  /** Whatever number of records there is, each pays its part: no ledger is short of one. */
  @Test
  void shouldChargeEveryPlacementOfRecordsInRows() {
    for (int band : new int[] {1, 3, 12}) {
      Coefficients root = new SquareRootCoefficients(band);
      everyBound(
          (bounds, placed) -> {
            double l2 = RowSensitivity.perRecord(window(bounds.records()), root, bounds).l2();
            for (int[] p : placed) {
              assertThat(squaredRows(p, root).doubleValue())
                  .isLessThanOrEqualTo(sum(p) * l2 * l2 * ROUNDING);
            }
            if (bounds.total() % bounds.records() == 0) {
              double all = RowSensitivity.squaredRows(root, bounds).doubleValue();
              assertThat(bounds.total() * l2 * l2).isCloseTo(all, Offset.offset(1e-9 * all));
            }
          });
    }
  }

  private static GridSensitivity window(int records) {
    return new GridSensitivity("window-" + records, PrivacyUnit.USER, 1, records, records);
  }

  @Test
  void shouldBoundRowsWithoutAnEnd() {
    PeriodBounds bounds = new PeriodBounds(2, 3, 5);
    BigInteger all = RowSensitivity.squaredRows(DecayingCoefficients.FADING, bounds);
    for (int[] placed : new int[][] {{3, 2, 0, 0, 0}, {2, 3, 0, 0, 0}, {3, 0, 2, 0, 0}}) {
      BigInteger sum = BigInteger.ZERO;
      for (int row = 0; row < 1 << 16; row++) {
        long inRow = 0;
        for (int window = 0; window <= Math.min(row, WINDOWS - 1); window++) {
          inRow += placed[window] * DecayingCoefficients.FADING.at(row - window);
        }
        sum = sum.add(BigInteger.valueOf(inRow).pow(2));
      }
      assertThat(all).isGreaterThan(sum);
    }
  }

  /** P C g(0) would be too little: neighbouring windows move the same rows. */
  @Test
  void shouldNotMistakeRowsForIndependentNumbers() {
    Coefficients root = new SquareRootCoefficients(64);
    double one = root.squaredNorm(1).doubleValue();
    double twoOfOne = RowSensitivity.squaredRows(root, new PeriodBounds(9, 1, 2)).doubleValue();
    double threeOfTwo = RowSensitivity.squaredRows(root, new PeriodBounds(9, 2, 3)).doubleValue();
    assertThat(twoOfOne / (2 * one)).isGreaterThan(1.5);
    assertThat(threeOfTwo / (3 * 2 * one)).isGreaterThan(1.25);
  }

  /** What noise of a scale loses at each order where 0, 1, ... records move it. */
  private static double[][] responses(double scale) {
    double[][] lost = new double[ORDERS.length][MOST_IN_PERIOD + 1];
    for (int n = 1; n <= MOST_IN_PERIOD; n++) {
      RenyiCurve curve = RenyiCurve.pure(n / scale);
      for (int i = 0; i < ORDERS.length; i++) {
        lost[i][n] = curve.at(ORDERS[i]);
      }
    }
    return lost;
  }

  @Test
  void shouldChargeEveryPlacementOfRecordsWithLaplaceNoise() {
    LaplaceNoise noise = new LaplaceNoise(LaplaceNoise.STEPS / 4);
    GridLaplace onGrid = new GridLaplace(0, 4);
    double[][] lost = responses(4);
    everyBound(
        (bounds, placed) -> {
          PrivacyCost charge = noise.charge(Sensitivity.ofOneRecord(bounds.records()));
          PrivacyCost grid = onGrid.charge(window(bounds.records()).ofOneRecord(bounds.records()));
          for (int i = 0; i < ORDERS.length; i++) {
            double[] responses = lost[i];
            double one = charge.curve().at(ORDERS[i]);
            double oneOnGrid = grid.curve().at(ORDERS[i]);
            for (int[] p : placed) {
              double all = Arrays.stream(p).mapToDouble(n -> responses[n]).sum();
              assertThat(all).isLessThanOrEqualTo(sum(p) * one * ROUNDING);
              assertThat(all).isLessThanOrEqualTo(sum(p) * oneOnGrid * ROUNDING);
            }
          }
          assertThat(charge.pure().orElseThrow()).isBetween(0.25, 0.25 * ROUNDING);
          assertThat(grid.pure()).hasValue(0.25);
        });
  }

  @Test
  void shouldChargeEveryPlacementOfRecordsWithGaussianNoise() {
    GaussianNoise noise = new GaussianNoise(4 << 10);
    everyBound(
        (bounds, placed) -> {
          double one = noise.charge(Sensitivity.ofOneRecord(bounds.records())).curve().at(2);
          for (int[] p : placed) {
            assertThat(squares(p) / 4).isLessThanOrEqualTo(sum(p) * one * ROUNDING);
          }
        });
  }

  /** Nodes of 1, 2 and 4 windows, wherever a user's windows lie in them. */
  @Test
  void shouldChargeEveryPlacementOfRecordsInATree() {
    CountTree tree = new CountTree(WINDOWS);
    LaplaceNoise noise = new LaplaceNoise(LaplaceNoise.STEPS / 2);
    double[][] lost = responses(2);
    everyBound(
        (bounds, placed) -> {
          PrivacyCost charge = noise.charge(tree.perRecord(bounds));
          for (int i = 0; i < ORDERS.length; i++) {
            double one = charge.curve().at(ORDERS[i]);
            for (int[] p : placed) {
              double all = 0;
              for (int level = 0; level < tree.levels(); level++) {
                for (int[] node : nodes(p, 1 << level)) {
                  all += lost[i][sum(node)];
                }
              }
              assertThat(all).as("%s", bounds).isLessThanOrEqualTo(sum(p) * one * ROUNDING);
            }
          }
        });
  }

  private static List<int[]> nodes(int[] placed, int size) {
    List<int[]> nodes = new ArrayList<>();
    for (int from = 0; from < placed.length; from += size) {
      nodes.add(Arrays.copyOfRange(placed, from, Math.min(placed.length, from + size)));
    }
    return nodes;
  }

  /** Four records of a window cost 16, and six of the period 20: not four sixths of it. */
  @Test
  void shouldNotChargeARecordWithAnEqualPartOfThePeriod() {
    PeriodBounds bounds = PeriodBounds.of(4, 6);
    assertThat(bounds.squaredL2()).isEqualTo(20);
    assertThat(4 * bounds.squaredL2OfOneRecord()).isEqualTo(16);
    assertThat(6 * bounds.squaredL2OfOneRecord()).isGreaterThan(bounds.squaredL2());
  }

  @Test
  void shouldFillAsFewWindowsAsRecordsNeed() {
    assertThat(PeriodBounds.of(4, 6)).isEqualTo(new PeriodBounds(2, 4, 6));
    assertThat(PeriodBounds.of(4, 8)).isEqualTo(new PeriodBounds(2, 4, 8));
    assertThat(PeriodBounds.of(1, 2).inOne(1)).isEqualTo(1);
    assertThat(PeriodBounds.of(1, 2).inOne(8)).isEqualTo(2);
  }

  @Test
  void shouldRefuseBoundsBelowOne() {
    assertThatThrownBy(() -> new PeriodBounds(0, 1, 1)).hasMessageContaining("at least 1 record");
    assertThatThrownBy(() -> new PeriodBounds(1, 0, 1)).hasMessageContaining("at least 1 record");
    assertThatThrownBy(() -> new PeriodBounds(1, 1, 0)).hasMessageContaining("at least 1 record");
    assertThatThrownBy(() -> window(2).ofOneRecord(0)).hasMessageContaining("is charged");
    assertThatThrownBy(() -> window(2).ofOneRecord(2).ofOneRecord(2))
        .hasMessageContaining("is charged");
  }
}
