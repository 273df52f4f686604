// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridSensitivity;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is claimed of neighbours, against neighbours: all pairs of a grid, and random ones. */
class MomentSensitivityTest {
  private static final long STEPS = BernsteinParts.STEPS;
  private static final NumberBounds BOUNDS = new NumberBounds(0, 1);

  private static long[][] record(int degree, double... numbers) {
    long[][] parts = new long[numbers.length][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new BernsteinParts(BOUNDS, degree).of(numbers[i]);
    }
    return parts;
  }

  private static double[] numbers(Random random, int fields) {
    return random.doubles(fields).map(t -> random.nextInt(3) > 0 ? t : Math.rint(t)).toArray();
  }

  /** How far two datasets lie apart in the parts that are drawn. */
  private static double[] distances(MomentShape shape, ExactVector first, ExactVector second) {
    double sum = 0;
    double squares = 0;
    DrawnParts all = new DrawnParts(shape, 0);
    long[] one = all.of(first.values());
    long[] other = all.of(second.values());
    for (int i = 0; i < one.length; i++) {
      sum += Math.abs(one[i] - other[i]);
      squares += Math.pow(one[i] - other[i], 2);
    }
    return new double[] {sum, Math.sqrt(squares)};
  }

  private static void assertBounds(GridSensitivity claimed, double[] moved) {
    assertThat(moved[0]).isLessThanOrEqualTo(claimed.l1());
    assertThat(moved[1]).isLessThanOrEqualTo(claimed.l2());
  }

  @ParameterizedTest
  @CsvSource({"1, 1, 1", "2, 1, 2", "1, 2, 3", "2, 3, 4", "2, 1, 4"})
  void shouldBoundAUsersRecordsWhateverTheirNumbers(int degree, int fields, int most) {
    Random random = new Random(1);
    MomentShape shape = new MomentShape(3, fields, degree);
    GridSensitivity claimed = MomentSensitivity.addOrRemove(degree, fields, most).moved();
    for (int i = 0; i < 5_000; i++) {
      ExactVector without = shape.record(1, record(degree, numbers(random, fields)));
      ExactVector with = without;
      for (int record = 0; record < most; record++) {
        with = with.plus(shape.record(random.nextInt(3), record(degree, numbers(random, fields))));
      }
      double[] moved = distances(shape, without, with);
      assertBounds(claimed, moved);
      // Exactly C records of every number, whatever they are.
      assertThat(moved[0]).isEqualTo((double) claimed.l1());
    }
    ExactVector none = ExactVector.none(shape.size());
    ExactVector alike = none;
    for (int record = 0; record < most; record++) {
      alike = alike.plus(shape.record(2, record(degree, new double[fields])));
    }
    double[] moved = distances(shape, none, alike);
    assertThat(moved[1]).isBetween(claimed.l2() * (1 - 1e-11), claimed.l2());
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 1", "1, 2", "2, 3"})
  void shouldBoundAReplacedRecordOfAnyGroup(int degree, int fields) {
    Random random = new Random(2);
    MomentShape shape = new MomentShape(2, fields, degree);
    MomentSensitivity sensitivity = MomentSensitivity.replaceOne(degree, fields);
    GridSensitivity claimed = sensitivity.moved();
    for (int i = 0; i < 20_000; i++) {
      ExactVector first = shape.record(random.nextInt(2), record(degree, numbers(random, fields)));
      ExactVector second = shape.record(random.nextInt(2), record(degree, numbers(random, fields)));
      assertBounds(claimed, distances(shape, first, second));
    }
    double[] zeros = new double[fields];
    double[] ones = new double[fields];
    Arrays.fill(ones, 1);
    double[] moved =
        distances(
            shape, shape.record(0, record(degree, zeros)), shape.record(0, record(degree, ones)));
    assertThat(moved[0]).isEqualTo(2.0 * fields * STEPS).isEqualTo(claimed.l1());
    assertThat(moved[1]).isBetween(claimed.l2() * (1 - 1e-11), claimed.l2());
    assertThat(claimed.parts()).isEqualTo(2 * fields);
    assertThat(claimed.each()).isEqualTo(STEPS);
  }

  /** All pairs of 2,000 numbers; and all that rounding does near the worst ones. */
  @ParameterizedTest
  @CsvSource({"1", "2"})
  void shouldBoundAReplacedRecordOfOneGroup(int degree) {
    GridSensitivity claimed = MomentSensitivity.replaceOneOfOneGroup(degree, 1).moved();
    long[][] parts = new long[2_001][];
    for (int i = 0; i < parts.length; i++) {
      parts[i] = new BernsteinParts(BOUNDS, degree).of(i / 2_000.0);
    }
    double furthest = 0;
    for (long[] one : parts) {
      for (long[] other : parts) {
        double[] moved = moved(one, other);
        assertBounds(claimed, moved);
        furthest = Math.max(furthest, moved[1]);
      }
    }
    // 1/5 and 1 are on the grid.
    assertThat(furthest).isBetween(claimed.l2() - 4, claimed.l2());
    assertThat(claimed.parts()).isEqualTo(1);
  }

  private static double[] moved(long[] one, long[] other) {
    double sum = 0;
    double squares = 0;
    for (int k = 1; k < one.length; k++) {
      sum += Math.abs(one[k] - other[k]);
      squares += Math.pow(one[k] - other[k], 2);
    }
    return new double[] {sum, Math.sqrt(squares)};
  }

  /** Every t of the grid 2^-30 near 1/3 and 1/5, against both ends. */
  @Test
  void shouldContainTheWorstRounding() {
    GridSensitivity claimed = MomentSensitivity.replaceOneOfOneGroup(2, 1).moved();
    BernsteinParts parts = new BernsteinParts(BOUNDS, 2);
    long[][] ends = {parts.of(0), parts.of(1)};
    double furthest = 0;
    for (double around : new double[] {1 / 3.0, 1 / 5.0}) {
      long middle = Math.round(around * 0x1.0p30);
      for (long t = middle - 500_000; t <= middle + 500_000; t++) {
        long[] here = parts.of(t * 0x1.0p-30);
        for (long[] end : ends) {
          double[] moved = moved(here, end);
          assertThat(moved[0] <= claimed.l1() && moved[1] <= claimed.l2()).isTrue();
          furthest = Math.max(furthest, moved[0]);
        }
      }
    }
    assertThat(claimed.l1()).isEqualTo(1_398_102);
    assertThat(furthest).isBetween(claimed.l1() - 1.0, (double) claimed.l1());
  }

  /** The polynomials alone: no pair of points is further apart than 1/5 and 1. */
  @Test
  void shouldKnowTheFurthestPairOfPoints() {
    double furthest = 0;
    double widest = 0;
    for (int i = 0; i <= 3_000; i++) {
      for (int j = 0; j < i; j++) {
        double s = i / 3_000.0;
        double t = j / 3_000.0;
        double first = 2 * s * (1 - s) - 2 * t * (1 - t);
        double second = s * s - t * t;
        furthest = Math.max(furthest, first * first + second * second);
        widest = Math.max(widest, Math.abs(first) + Math.abs(second));
      }
    }
    assertThat(furthest).isBetween(1.024 - 1e-12, 1.024 + 1e-12);
    assertThat(widest).isBetween(4 / 3.0 - 1e-12, 4 / 3.0 + 1e-12);
  }

  @Test
  void shouldSayWhatIsProtected() {
    MomentSensitivity users = MomentSensitivity.addOrRemove(2, 3, 4);
    assertThat(users.unit()).isEqualTo(PrivacyUnit.USER);
    assertThat(users.sizeIsPublic()).isFalse();
    assertThat(users.moved().word()).isEqualTo("moments add-or-remove-4 m=2 fields=3");
    MomentSensitivity one = MomentSensitivity.replaceOneOfOneGroup(1, 1);
    assertThat(one.sizeIsPublic()).isTrue();
    assertThat(one.firstPart()).isEqualTo(1);
    assertThat(one.moved().word()).isEqualTo("moments replace-one-of-one-group m=1 fields=1");
    assertThat(MomentSensitivity.replaceOne(1, 1).firstPart()).isZero();
    assertThatThrownBy(() -> MomentSensitivity.addOrRemove(1, 1, 0)).hasMessageContaining("record");
    assertThatThrownBy(() -> MomentSensitivity.addOrRemove(1, 0, 1)).hasMessageContaining("part");
    assertThatThrownBy(() -> MomentSensitivity.replaceOne(3, 1)).hasMessageContaining("degree");
  }
}
