// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.StandardNormal;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.NoiseCalibration;
import io.sfumato.mechanism.additive.GridNoise;
import io.sfumato.mechanism.additive.GridSensitivity;
import io.sfumato.random.KeyedRandom;
import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import io.sfumato.testkit.KolmogorovSmirnov;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Google's cases of how near noise is to its law: as much noise for the same sensitivity, epsilon
 * and delta, and drawn from the law that they name. Fixed public seeds; false-alarm rate 2e-10 a
 * case.
 */
class GoogleNoiseTest {
  private static final int DRAWS = 4_000;

  static List<Row> laplace() {
    return ForeignRows.of("google-laplace-closeness.txt");
  }

  static List<Row> gaussian() {
    return ForeignRows.of("google-gaussian-closeness.txt");
  }

  @Test
  void shouldRunEveryCase() {
    assertThat(laplace()).hasSize(19);
    assertThat(gaussian()).hasSize(23);
  }

  /** A sensitivity of up to l0 numbers, each moved by up to linf, with fine steps beside noise. */
  private static GridSensitivity sensitivity(Row row, int digits) {
    int l0 = row.whole("l0");
    double each = row.number("linf") * Math.scalb(1.0, digits);
    return new GridSensitivity(
        "foreign", PrivacyUnit.USER, l0, (long) Math.ceil(each), each * Math.sqrt(l0));
  }

  /** So many that the noise has about 32 binary digits in steps, and sums fit into a long. */
  private static int digits(Row row) {
    int above = Math.getExponent(Math.sqrt(row.number("variance")));
    int most = row.number("input") == 0 ? GridNoise.MOST_DIGITS : GridNoise.DIGITS;
    return Math.max(0, Math.min(most, 32 - above));
  }

  /** Theirs is sqrt(2) l0 linf / epsilon, and so is ours, to what a grid's step is. */
  @ParameterizedTest
  @MethodSource("laplace")
  void laplaceShouldBeAsLargeAsTheirs(Row row) {
    int digits = digits(row);
    GridNoise noise =
        NoiseCalibration.pureLaplace(
                Epsilon.of(row.text("epsilon")), 1, sensitivity(row, digits), digits)
            .orElseThrow()
            .noise();
    double variance = Math.pow(Math.scalb(noise.deviation(), -digits), 2);
    // Two steps at most: the sensitivity's and the scale's rounding.
    double slack = 1e-7 + 4.0 / noise.steps() * Math.max(1, row.whole("l0"));
    assertThat(variance / row.number("variance")).isBetween(1 - slack, 1 + slack);
    double scale = Math.sqrt(row.number("variance") / 2);
    assertFollows(row, noise, x -> x < 0 ? Math.exp(x / scale) / 2 : 1 - Math.exp(-x / scale) / 2);
  }

  /** Their search ends up to 1e-3 above the least sigma; ours, at it. */
  @ParameterizedTest
  @MethodSource("gaussian")
  void gaussianShouldBeNoLargerThanTheirs(Row row) {
    int digits = digits(row);
    CalibrationTarget request =
        new CalibrationTarget(
            "foreign", Epsilon.of(row.text("epsilon")), Delta.of(row.text("delta")), 1);
    GridNoise noise =
        NoiseCalibration.gaussian(request, sensitivity(row, digits), digits).orElseThrow().noise();
    double sigma = Math.scalb(noise.deviation(), -digits);
    double theirs = Math.sqrt(row.number("variance"));
    assertThat(sigma / theirs).isBetween(1 - 1e-3, 1 + 1e-9);
    assertFollows(row, noise, x -> Math.exp(StandardNormal.lnPhi(x / theirs)));
  }

  private static void assertFollows(Row row, GridNoise noise, DoubleUnaryOperator cdf) {
    KeyedRandom random = KeyedRandom.ofPublicSeed(noise.method() + " case " + row.whole("case"));
    ToLongFunction<KeyedRandom> sampler = noise.sampler();
    long input = Math.round(Math.scalb(row.number("input"), noise.digits()));
    double mean = row.number("mean");
    double[] sample = new double[DRAWS];
    for (int i = 0; i < DRAWS; i++) {
      long noisy = Math.addExact(input, sampler.applyAsLong(random));
      sample[i] = Math.scalb((double) noisy, -noise.digits()) - mean;
    }
    KolmogorovSmirnov.assertFollows(sample, cdf);
  }
}
