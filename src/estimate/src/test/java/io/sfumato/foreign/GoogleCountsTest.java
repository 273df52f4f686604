// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Google's cases of counts. Theirs draw a million samples of both neighbours and compare them
 * within a tolerance; here delta is the sum over all whole numbers, and there is no tolerance.
 */
class GoogleCountsTest {
  static List<Row> rows() {
    return ForeignRows.of("google-counts.txt");
  }

  @Test
  void shouldRunEveryCase() {
    assertThat(rows()).hasSize(36);
  }

  /**
   * Theirs is of a user who adds 1 to up to so many counts. Their neighbours for Laplace noise have
   * all of it in one count: pure epsilons are the same, and it is what is claimed here.
   */
  private static Sensitivity sensitivity(Row row) {
    int partitions = row.whole("partitions");
    return row.text("noise").equals("laplace")
        ? Sensitivity.addOrRemove(partitions)
        : new Sensitivity(
            " foreign", PrivacyUnit.USER, Collections.nCopies(partitions, new Shift(1, 1)));
  }

  private static AdditiveNoise noise(Row row) {
    boolean laplace = row.text("noise").equals("laplace");
    // Purely private noise spends no delta, but a request names one.
    Delta delta = Delta.of(laplace ? "1e-9" : row.text("delta"));
    CalibrationTarget request =
        new CalibrationTarget("foreign", Epsilon.of(row.text("epsilon")), delta, 1);
    return laplace
        ? NoiseCalibration.pureLaplace(request, sensitivity(row)).orElseThrow().noise()
        : NoiseCalibration.gaussian(request, Accountant.RENYI, sensitivity(row))
            .orElseThrow()
            .noise();
  }

  private static long total(Row row, String name) {
    return Arrays.stream(row.numbers(name)).mapToLong(x -> (long) x).reduce(0, Math::addExact);
  }

  /** sup P(E) - e^epsilon Q(E) of noise and of the same noise a distance away. */
  private static double delta(AdditiveNoise noise, double epsilon, long distance) {
    int reach = (int) Math.ceil(60 * noise.deviation()) + 60;
    double[] distribution = new double[2 * reach + 1];
    for (int i = 0; i < distribution.length; i++) {
      double x = i - reach;
      distribution[i] =
          noise instanceof LaplaceNoise laplace
              ? Math.exp(-Math.abs(x) / laplace.scale())
              : Math.exp(-x * x / 2 / (noise.deviation() * noise.deviation()));
    }
    double all = Arrays.stream(distribution).sum();
    double delta = 0;
    for (int i = 0; i < distribution.length; i++) {
      // Far out on both sides there is nothing that counts.
      double other = i >= distance ? distribution[i - (int) distance] : 0;
      // Of purely private noise the two are equal there but for roundings.
      delta += Math.max(0, distribution[i] * (1 - 1e-12) - Math.exp(epsilon) * other) / all;
    }
    return delta;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldBeAsPrivateAsTheyAskFor(Row row) {
    AdditiveNoise noise = noise(row);
    long distance = total(row, "neighbours") - total(row, "records");
    assertThat(distance).isPositive();
    double epsilon = row.number("heldEpsilon");
    // Below the reach of the sum lies e^-60 of Laplace noise.
    assertThat(delta(noise, epsilon, distance))
        .isLessThanOrEqualTo(row.number("heldDelta") + 1e-20);
    // And would not be for neighbours half as far away again: the noise is no larger than needed.
    long further = distance + (distance + 1) / 2;
    assertThat(delta(noise, epsilon, further)).isGreaterThan(row.number("heldDelta") + 1e-6);
  }

  /** Their counts go up to ten thousand million: noise does not depend on them. */
  @ParameterizedTest
  @MethodSource("rows")
  void shouldAddTheSameNoiseToAnyCount(Row row) {
    CountMeasurement<CountQuery> mechanism =
        new CountMeasurement<>(new CountQuery(), sensitivity(row), noise(row));
    long records = total(row, "records");
    long neighbours = total(row, "neighbours");
    for (int i = 0; i < 20; i++) {
      String seed = "count " + row.whole("case") + " " + i;
      assertThat(drawn(mechanism, records, seed) - records)
          .isEqualTo(drawn(mechanism, neighbours, seed) - neighbours)
          .isEqualTo(drawn(mechanism, 0, seed));
    }
    double lost =
        mechanism
            .divergence(2, new ExactVector(records), new ExactVector(neighbours))
            .orElseThrow();
    assertThat(lost).isBetween(0.0, mechanism.charge().curve().at(2) * (1 + 1e-12));
  }

  private static long drawn(CountMeasurement<CountQuery> mechanism, long count, String seed) {
    return mechanism
        .distribution(new ExactVector(count))
        .draw(KeyedRandom.ofPublicSeed(seed))
        .of(0);
  }
}
