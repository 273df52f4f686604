// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.NumberBounds;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.moments.BernsteinParts;
import io.sfumato.mechanism.moments.MomentQuery;
import io.sfumato.mechanism.moments.MomentSensitivity;
import io.sfumato.mechanism.moments.MomentShape;
import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Google's cases of bounded sums. No sum of numbers is released here: noise is on the parts that
 * sum and count are linear in. So what is asked of a case is that its neighbours lie no further
 * apart in the parts than is claimed, that this loses no more than the case allows, and that the
 * parts have the case's sum.
 */
class GoogleSumsTest {
  private static final double STEPS = BernsteinParts.STEPS;
  private static final MomentShape SHAPE = new MomentShape(1, 1, 1);

  static List<Row> rows() {
    return ForeignRows.of("google-sums.txt");
  }

  @Test
  void shouldRunEveryCase() {
    assertThat(rows()).hasSize(38);
  }

  private static NumberBounds bounds(Row row) {
    return new NumberBounds(row.number("lower"), row.number("upper"));
  }

  private static ExactVector sums(Row row, String name) {
    BernsteinParts parts = new BernsteinParts(bounds(row), 1);
    ExactVector sums = ExactVector.none(SHAPE.size());
    for (double number : row.numbers(name)) {
      sums = sums.plus(SHAPE.record(0, parts.of(number)));
    }
    return sums;
  }

  private static GridMeasurement<MomentQuery> mechanism(Row row) {
    MomentSensitivity sensitivity = MomentSensitivity.addOrRemove(1, 1, row.whole("partitions"));
    Epsilon epsilon = Epsilon.of(row.text("epsilon"));
    return row.text("noise").equals("laplace")
        ? VectorCalibrator.pureLaplace(
                "foreign", epsilon, 1, new MomentQuery(sensitivity), sensitivity.moved())
            .orElseThrow()
            .mechanism()
        : Plans.gaussian(
                new CalibrationTarget("foreign", epsilon, Delta.of(row.text("delta")), 1),
                sensitivity)
            .orElseThrow()
            .mechanism();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldHaveTheirSums(Row row) {
    NumberBounds bounds = bounds(row);
    for (String name : List.of("records", "neighbours")) {
      double[] numbers = row.numbers(name);
      double sum =
          Arrays.stream(numbers).map(x -> Math.max(bounds.lo(), Math.min(bounds.hi(), x))).sum();
      ExactVector sums = sums(row, name);
      assertThat(SHAPE.records(sums)).isEqualTo(numbers.length);
      assertThat(bounds.lo() * numbers.length + bounds.span() * sums.of(1) / STEPS)
          .isCloseTo(sum, within(numbers.length * bounds.span() / STEPS + 1e-12));
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldMoveAndLoseNoMoreThanIsClaimed(Row row) {
    long[] one = sums(row, "records").values();
    long[] other = sums(row, "neighbours").values();
    double l1 = 0;
    double squares = 0;
    for (int i = 0; i < one.length; i++) {
      double moved = Math.abs(one[i] - other[i]);
      l1 += moved;
      squares += moved * moved;
    }
    GridMeasurement<MomentQuery> mechanism = mechanism(row);
    double claimed = row.whole("partitions") * STEPS;
    assertThat(l1).isPositive().isLessThanOrEqualTo(claimed);
    double epsilon = row.number("heldEpsilon");
    double delta = row.number("heldDelta");
    assertThat(mechanism.charge().profile().orElseThrow().delta(epsilon * (1 + 1e-12)))
        .isLessThanOrEqualTo(delta);
    GridNoise noise = mechanism.noise();
    if (row.text("noise").equals("laplace")) {
      assertThat(l1 / noise.steps()).isLessThanOrEqualTo(epsilon);
      // And what is claimed needs it all.
      assertThat(1.001 * claimed / noise.steps()).isGreaterThan(epsilon);
    } else {
      double mu = Math.sqrt(squares) / Math.sqrt((double) noise.steps() * noise.steps() - 16);
      assertThat(PrivacyProfile.gaussian(mu).delta(epsilon)).isLessThanOrEqualTo(delta);
      double further = 1.5 * claimed / noise.steps();
      assertThat(PrivacyProfile.gaussian(further).delta(epsilon)).isGreaterThan(delta);
    }
  }
}
