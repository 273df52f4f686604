// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.PldAccountant;
import io.sfumato.accounting.PldAccountant.Bound;
import io.sfumato.accounting.PldAccountant.Part;
import io.sfumato.accounting.PldAccountant.Precision;
import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.accounting.RenyiCurve;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.Sensitivity.Shift;
import io.sfumato.mechanism.additive.GaussianNoise;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.math3.special.Erf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Figures that Google's accountants are held to, each with its direction and tolerance. */
class AccountantRowsTest {
  /** Theirs have so many digits. */
  private static final double DIGITS = 1e-9;

  static List<Row> rows() {
    return ForeignRows.of("google-accountants.txt");
  }

  @Test
  void shouldRunEveryRow() {
    assertThat(rows()).hasSize(27);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void shouldAgree(Row row) {
    double[] numbers = row.numbers("parameters");
    double expected = row.number("expected");
    switch (row.text("measure")) {
      // A line in the order, which is not on our grid: exact at 4, and never below.
      case "gaussian-renyi" -> {
        RenyiCurve curve = RenyiCurve.zero();
        for (double sigma : numbers) {
          curve = curve.plus(1, RenyiCurve.gaussian(1 / sigma));
        }
        assertThat(curve.at(4) * row.number("at") / 4).isCloseTo(expected, within(1e-10));
      }
      case "discrete-gaussian-renyi" -> {
        long steps = Math.round(numbers[0] * numbers[0] * 1024);
        Sensitivity sensitivity =
            new Sensitivity(" foreign", PrivacyUnit.USER, List.of(new Shift(numbers[1], 1)));
        RenyiCurve curve = new GaussianNoise(steps).charge(sensitivity).curve();
        assertThat(curve.at(4) * row.number("at") / 4).isCloseTo(expected, within(DIGITS));
      }
      // Of two answers it is exact; more of them lose no more, and at most a sixth less here.
      case "response-renyi" -> {
        double ours = RenyiCurve.pure(response(numbers)).at(row.number("at"));
        assertThat(ours).isBetween(expected * (1 - 1e-9), expected * 1.2);
      }
      case "response-pure" -> assertThat(response(numbers)).isCloseTo(expected, within(DIGITS));
      case "constant-epsilon" ->
          assertThat(Conversion.epsilon(numbers[0], numbers[1], row.number("at")))
              .isCloseTo(expected, within(DIGITS));
      // Theirs is over a hundred thousand orders, ours over the grid; the truth is lower.
      case "gaussian-epsilon" -> {
        double mu = 1 / numbers[0];
        double delta = row.number("at");
        assertThat(Conversion.epsilon(RenyiCurve.gaussian(mu), delta))
            .isBetween(expected, 1.001 * expected);
        assertThat(PrivacyProfile.gaussian(mu).delta(expected)).isLessThan(delta);
      }
      // Theirs is an upper bound that was published; a level of the tree is a release: whole nodes
      // of 1,600 windows hold 1 to 1,024, so that a window is in 11 of them. The truth is lower.
      case "tree-epsilon" -> {
        long steps = (long) Math.floor(numbers[0] * numbers[0] * 1024);
        Sensitivity sensitivity =
            new CountTree((int) numbers[1]).perWindow(Sensitivity.addOrRemove(1), 1);
        RenyiCurve curve = new GaussianNoise(steps).charge(sensitivity).curve();
        double ours = Conversion.epsilon(curve, row.number("at"));
        assertThat(ours).isLessThanOrEqualTo(expected);
        PrivacyProfile truth = PrivacyProfile.gaussian(Math.sqrt(11) / numbers[0]);
        assertThat(truth.delta(ours)).isLessThan(row.number("at"));
        assertThat(truth.delta(0.9 * ours)).isGreaterThan(row.number("at"));
      }
      // Theirs is the sum of the epsilons; ours is no larger but for what losses are rounded up.
      case "pure-epsilon" -> {
        List<Part> parts = new ArrayList<>();
        for (double epsilon : Arrays.stream(numbers).distinct().toArray()) {
          long count = Arrays.stream(numbers).filter(number -> number == epsilon).count();
          parts.add(new Part(PrivacyProfile.pure(epsilon), count));
        }
        Bound bound = PldAccountant.of(parts, Precision.FINE).epsilon(row.number("at"));
        assertThat(bound.value()).isLessThanOrEqualTo(1.0001 * expected);
        // Only of many can all hardly ever be lost.
        assertThat(bound.value()).isGreaterThan(numbers.length > 5 ? 0 : 0.999 * expected);
      }
      case "gaussian-delta" -> {
        PldAccountant composition =
            PldAccountant.of(
                PrivacyProfile.gaussian(1 / numbers[0]), numbers.length, Precision.FINE);
        double delta = composition.delta(row.number("at"), 1e-3);
        // Six digits.
        assertThat(delta).isBetween(expected - 5e-7, expected + 2e-6);
        assertThat(composition.epsilon(expected).value()).isCloseTo(row.number("at"), within(1e-5));
      }
      default -> throw new AssertionError(row);
    }
  }

  /** Of k answers each has probability p / k, and the true one 1 - p more. */
  private static double response(double[] noiseAndAnswers) {
    double p = noiseAndAnswers[0];
    return Math.log1p((1 - p) * noiseAndAnswers[1] / p);
  }

  /** Their 500 epsilons: the optimal delta, at most that of any order, and the usual bound. */
  @Test
  void shouldLieBetweenTheirBoundsOfGaussianNoise() {
    RenyiCurve curve = RenyiCurve.gaussian(1);
    for (int i = 0; i < 500; i++) {
      double epsilon = i / 10.0;
      double theirs =
          Erf.erfc((epsilon - 0.5) / Math.sqrt(2)) / 2
              - Math.exp(epsilon) * Erf.erfc((epsilon + 0.5) / Math.sqrt(2)) / 2;
      double ours = PrivacyProfile.gaussian(1).delta(epsilon);
      assertThat(ours).isGreaterThanOrEqualTo(theirs * (1 - 1e-9) - 1e-15);
      if (epsilon < 5) {
        assertThat(ours).isCloseTo(theirs, within(1e-9 * theirs + 1e-15));
      }
      if (epsilon >= 0.5) {
        assertThat(ours).isLessThanOrEqualTo(Math.exp(-Math.pow(epsilon - 0.5, 2) / 2) + 1e-300);
      }
      if (ours > 1e-300 && ours < 0.3) {
        assertThat(Conversion.epsilon(curve, ours)).isGreaterThanOrEqualTo(epsilon * (1 - 1e-12));
      }
    }
  }

  @Test
  void shouldRefuseNoReleases() {
    for (int count : new int[] {0, -1}) {
      assertThatThrownBy(() -> new Part(PrivacyProfile.gaussian(1), count))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }
}
