// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.Plans;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.quantile.Bins;
import io.sfumato.mechanism.quantile.Bins.Scale;
import io.sfumato.mechanism.quantile.QuantileQuery;
import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Google's cases of bounded quantiles. Theirs come from a tree of noisy counts, ours from noisy
 * rows over as many bins as the tree has leaves; Laplace noise is not drawn for rows, so those
 * cases are run with Gaussian noise of delta 1e-6. Neighbours lie no further apart than is claimed,
 * and the claim loses no more than the case allows.
 */
class GoogleQuantilesTest {
  static List<Row> rows() {
    return ForeignRows.of("google-quantiles.txt");
  }

  @Test
  void shouldRunEveryCase() {
    assertThat(rows()).hasSize(39);
    assertThat(rows()).filteredOn(row -> row.text("noise").equals("laplace")).hasSize(18);
  }

  private static Bins bins(Row row) {
    int leaves = (int) Math.pow(row.whole("branching"), row.whole("height"));
    return Bins.of(row.number("lower"), row.number("upper"), leaves, Scale.LINEAR);
  }

  private static ExactVector counts(Row row, String name) {
    Bins bins = bins(row);
    long[] counts = new long[bins.number()];
    for (double value : row.numbers(name)) {
      counts[bins.of(value)]++;
    }
    return new ExactVector(counts);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldMoveAndLoseNoMoreThanIsClaimed(Row row) {
    boolean laplace = row.text("noise").equals("laplace");
    String delta = laplace ? "1e-6" : row.text("delta");
    int records = row.whole("partitions") * row.whole("contributions");
    GridMeasurement<QuantileQuery> mechanism =
        Plans.quantilesOfUsers(
                new CalibrationTarget(
                    "foreign", Epsilon.of(row.text("epsilon")), Delta.of(delta), 1),
                bins(row),
                records)
            .orElseThrow()
            .mechanism();
    ExactVector one = counts(row, "records");
    ExactVector other = counts(row, "neighbours");
    long[] first = mechanism.query().vector(one);
    long[] second = mechanism.query().vector(other);
    double squares = 0;
    for (int i = 0; i < first.length; i++) {
      squares += Math.pow(first[i] - second[i], 2);
    }
    assertThat(Math.sqrt(squares)).isPositive().isLessThanOrEqualTo(mechanism.sensitivity().l2());
    double held = laplace ? 1e-6 : row.number("heldDelta");
    double epsilon = row.number("heldEpsilon");
    assertThat(mechanism.charge().profile().orElseThrow().delta(epsilon * (1 + 1e-12)))
        .isLessThanOrEqualTo(held)
        .isGreaterThan(0.99 * Double.parseDouble(delta));
    for (double order : new double[] {1.5, 2, 8, 64}) {
      assertThat(mechanism.divergence(order, one, other).orElseThrow())
          .isLessThanOrEqualTo(mechanism.charge().curve().at(order));
    }
  }
}
