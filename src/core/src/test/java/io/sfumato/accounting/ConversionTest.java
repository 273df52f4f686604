// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.testkit.HighPrecision;
import java.math.BigDecimal;
import java.math.MathContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Between Rényi bounds and (epsilon, delta): the formula in 40 digits, rounded against whoever
 * spends.
 */
class ConversionTest {
  private static final HighPrecision EXACT = new HighPrecision(40);
  private static final MathContext DIGITS = EXACT.digits();

  private static BigDecimal exact(double renyi, double order, double delta) {
    BigDecimal l = new BigDecimal(order);
    BigDecimal less = l.subtract(BigDecimal.ONE);
    return new BigDecimal(renyi)
        .add(EXACT.ln(less.divide(l, DIGITS)))
        .subtract(EXACT.ln(new BigDecimal(delta)).add(EXACT.ln(l)).divide(less, DIGITS));
  }

  private static double allowance(double epsilon, double order, double delta) {
    double terms = epsilon + (Math.log(order) - Math.log(delta)) / (order - 1);
    return Math.max(0x1.0p-40, 0x1.0p-50 * terms);
  }

  /** From orders at which terms are a few nats to those at which they are thousands. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 16, 1e-6",
    "2, 1.5, 1e-9",
    "3000, 1.1, 1e-300",
    "100000, 8, 1e-6",
    "0.1, 1024, 0.001"
  })
  void roundsEpsilonUpByMoreThanItsRoundings(double renyi, double order, double delta) {
    double found = Conversion.epsilon(renyi, order, delta);
    double above = new BigDecimal(found).subtract(exact(renyi, order, delta)).doubleValue();
    double allowance = allowance(renyi, order, delta);
    assertThat(above).isBetween(0.6 * allowance, 1.4 * allowance);
  }

  @ParameterizedTest
  @CsvSource({"0.5, 64, 0.001", "10, 16, 0.00001", "9000, 1.1, 1e-300", "100000, 8, 0.001"})
  void roundsBudgetsDownByMoreThanTheirRoundings(String epsilon, double order, String delta) {
    double found = Conversion.renyiBudget(Epsilon.of(epsilon), Delta.of(delta), order);
    double e = Epsilon.of(epsilon).roundedDown();
    double d = Delta.of(delta).roundedDown();
    // epsilon = budget + penalty, so that the formula at budget 0 is the penalty.
    double below =
        new BigDecimal(e)
            .subtract(exact(0, order, d))
            .subtract(new BigDecimal(found))
            .doubleValue();
    double allowance = allowance(e, order, d);
    assertThat(below).isBetween(0.6 * allowance, 1.4 * allowance);
  }

  @Test
  void affordsNothingWithoutADelta() {
    assertThat(Conversion.renyiBudget(Epsilon.of("1"), Delta.of("0"), 16)).isZero();
    assertThat(Conversion.renyiBudget(Epsilon.of("0.5"), Delta.of("1e-9"), 1.1)).isNegative();
  }

  @Test
  void refusesWhatIsNoOrderAndNoDelta() {
    for (double wrong : new double[] {1, 0.5, Double.NaN}) {
      assertThatThrownBy(() -> Conversion.epsilon(1, wrong, 0.1)).hasMessageContaining("above 1");
      assertThatThrownBy(() -> Conversion.renyiBudget(Epsilon.of("1"), Delta.of("0.1"), wrong))
          .hasMessageContaining("above 1");
    }
    for (double wrong : new double[] {0, 1, -1, Double.NaN}) {
      assertThatThrownBy(() -> Conversion.epsilon(1, 2, wrong)).hasMessageContaining("in (0, 1)");
    }
  }

  @Test
  void takesTheLowestOfEquallyGoodOrders() {
    assertThat(Conversion.bestOrder(RenyiCurve.zero(), 0.9)).isEqualTo(1.1);
    RenyiCurve gaussian = RenyiCurve.gaussian(0.5);
    double best = Conversion.bestOrder(gaussian, 1e-6);
    for (int i = 0; i < RenyiOrders.size(); i++) {
      double order = RenyiOrders.at(i);
      assertThat(Conversion.epsilon(gaussian.at(order), order, 1e-6))
          .isGreaterThanOrEqualTo(Conversion.epsilon(gaussian.at(best), best, 1e-6));
    }
    assertThat(Conversion.epsilon(gaussian, 1e-6))
        .isEqualTo(Conversion.epsilon(gaussian.at(best), best, 1e-6));
  }
}
