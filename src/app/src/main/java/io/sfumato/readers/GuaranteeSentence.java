// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.schema.Guarantee;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** What a release promises, in one sentence for its readers. */
final class GuaranteeSentence {
  /** Larger factors are written as a power. */
  private static final double LARGE = 1e6;

  private GuaranteeSentence() {}

  /**
   * Of one output, as its record states it. What a user did is two steps away from anything else
   * that the user may have done: without it, and with the other.
   */
  static String of(Guarantee guarantee) {
    double epsilon = guarantee.getEpsilon();
    double delta = guarantee.getDelta();
    String time = during(guarantee.getPeriod());
    String odds = "This output changes the odds of any guess ";
    return switch (guarantee.getUnit()) {
      case "user" ->
          odds
              + "whether one user did anything %s by a factor of at most %s (epsilon %s), and of any guess what that user did by at most %s%s."
                  .formatted(
                      time,
                      factor(epsilon),
                      plain(epsilon),
                      factor(2 * epsilon),
                      delta == 0
                          ? ""
                          : ", except with probability %s (delta) and %s"
                              .formatted(
                                  small(delta),
                                  small(Math.min(1, rounded((1 + Math.exp(epsilon)) * delta)))));
      case "dataset" -> odds + "about one subject's records " + time + oneStep(guarantee);
      default -> odds + "about the content of one record" + oneStep(guarantee);
    };
  }

  private static String oneStep(Guarantee guarantee) {
    return " by a factor of at most %s (epsilon %s)%s."
        .formatted(
            factor(guarantee.getEpsilon()),
            plain(guarantee.getEpsilon()),
            guarantee.getDelta() == 0
                ? ""
                : ", except with probability " + small(guarantee.getDelta()) + " (delta)");
  }

  /** To two digits, upwards. */
  private static double rounded(double number) {
    return Double.isInfinite(number)
        ? number
        : new BigDecimal(number).round(new MathContext(2, RoundingMode.CEILING)).doubleValue();
  }

  /** Of all outputs of a budget, as the pipeline file states it. */
  static String together(BudgetSpec budget) {
    return "All outputs of budget %s together: epsilon at most %s, delta at most %s."
        .formatted(
            budget.name(),
            budget.epsilon().value().toPlainString(),
            small(budget.delta().value().doubleValue()));
  }

  private static String during(String word) {
    try {
      return Period.of(word).during();
    } catch (IllegalArgumentException e) {
      // A period of a zone's calendar, of which a record has the word alone.
      return "in a period of " + word;
    }
  }

  private static String factor(double epsilon) {
    double factor = Math.exp(epsilon);
    return factor < 100
        ? String.format(Locale.ROOT, "%.2f", factor)
        : factor < LARGE ? String.format(Locale.ROOT, "%,.0f", factor) : "e^" + plain(epsilon);
  }

  private static String plain(double number) {
    return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
  }

  /** Such as {@code 1e-6}. */
  private static String small(double number) {
    BigDecimal exact = BigDecimal.valueOf(number).stripTrailingZeros();
    if (number == 0 || number >= 1e-3) {
      return exact.toPlainString();
    }
    int exponent = exact.precision() - exact.scale() - 1;
    return exact.scaleByPowerOfTen(-exponent).stripTrailingZeros().toPlainString() + "e" + exponent;
  }
}
