// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.foreign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.testkit.ForeignRows;
import io.sfumato.testkit.ForeignRows.Row;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Google's expected privacy-loss distributions, rounded to whole losses: upward, so that delta is
 * never below the truth; downward, never above; or connecting dots, so that it is the truth at
 * whole epsilons. Ours is exact for Gaussian noise and for two-sided geometric noise that is moved
 * by one; for other Laplace noise it is the bound by randomised response.
 */
class LossDistributionsTest {
  /** Their figures have eight digits or more, of which up to eight are added up. */
  private static final double DIGITS = 2e-7;

  static List<Row> all() {
    return ForeignRows.of("google-loss-distributions.txt");
  }

  static List<Row> run() {
    return all().stream().filter(row -> row.text("state").equals("run")).toList();
  }

  /** What is not run: sampling, truncated noise, neighbours whom a third value stands for. */
  @Test
  void shouldAccountForEveryRow() {
    assertThat(all()).hasSize(120);
    assertThat(run()).hasSize(50);
    Map<String, Long> explained =
        all().stream()
            .filter(row -> row.text("state").equals("explained"))
            .collect(
                Collectors.groupingBy(
                    row -> row.text("mechanism"), TreeMap::new, Collectors.counting()));
    assertThat(explained)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "discrete-gaussian", 18L,
                "discrete-laplace", 12L,
                "gaussian", 24L,
                "laplace", 12L,
                "randomised-response", 4L));
  }

  /** Of theirs, at a whole epsilon. */
  private static double theirs(Row row, int epsilon) {
    double delta = row.number("infinite");
    for (String part : row.text("losses").split(" ")) {
      String[] pair = part.split(":");
      double loss = Double.parseDouble(pair[0]);
      if (loss > epsilon) {
        delta -= Double.parseDouble(pair[1]) * Math.expm1(epsilon - loss);
      }
    }
    return delta;
  }

  private static PrivacyProfile ours(Row row) {
    double parameter = row.number("parameter");
    double sensitivity = row.number("sensitivity");
    return switch (row.text("mechanism")) {
      // A replaced record moves a sum by twice what a record that is added does.
      case "gaussian" ->
          PrivacyProfile.gaussian(
              (row.text("neighbours").equals("replace") ? 2 : 1) * sensitivity / parameter);
      case "laplace" -> PrivacyProfile.pure(sensitivity / parameter);
      case "discrete-laplace" -> PrivacyProfile.pure(sensitivity * parameter);
      // Each other answer has probability p / k, the true one 1 - p + p / k.
      case "randomised-response" ->
          PrivacyProfile.pure(Math.log((1 - parameter) * sensitivity / parameter + 1));
      default -> throw new AssertionError(row);
    };
  }

  private static boolean isExact(Row row) {
    return switch (row.text("mechanism")) {
      case "gaussian" -> true;
      case "discrete-laplace" -> row.number("sensitivity") == 1;
      case "randomised-response" -> row.number("sensitivity") == 2;
      default -> false;
    };
  }

  @ParameterizedTest
  @MethodSource("run")
  void shouldAgree(Row row) {
    PrivacyProfile ours = ours(row);
    for (int epsilon = 0; epsilon <= largest(row); epsilon++) {
      double delta = ours.delta(epsilon);
      double theirs = theirs(row, epsilon);
      switch (row.text("kind")) {
        case "dots" -> {
          assertThat(delta).isGreaterThan(theirs - DIGITS);
          if (isExact(row)) {
            assertThat(delta).isCloseTo(theirs, within(DIGITS));
          }
        }
        case "optimistic" -> assertThat(delta).isGreaterThan(theirs - DIGITS);
        case "pessimistic" -> {
          if (isExact(row)) {
            assertThat(delta).isLessThan(theirs + DIGITS);
          } else {
            // Theirs is rounded up from the law's own, ours is that of any with the same largest
            // loss:
            // both say from where on nothing is lost, and before that both say that something is.
            assertThat(ours.delta(largest(row))).isZero();
            if (epsilon < largest(row)) {
              assertThat(delta).isPositive();
              assertThat(theirs).isPositive();
            }
          }
        }
        default -> throw new AssertionError(row);
      }
    }
  }

  private static double largest(Row row) {
    double largest = 0;
    for (String part : row.text("losses").split(" ")) {
      largest = Math.max(largest, Double.parseDouble(part.split(":")[0]));
    }
    return largest;
  }
}
