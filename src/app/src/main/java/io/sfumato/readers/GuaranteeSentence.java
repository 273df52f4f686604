// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.schema.Guarantee;
import java.math.BigDecimal;
import java.util.Locale;

/** What a release promises, in one sentence for its readers. */
final class GuaranteeSentence {
  /** Larger factors are written as a power. */
  private static final double LARGE = 1e6;

  private GuaranteeSentence() {}

  /** Of one output, as its record states it. */
  static String of(Guarantee guarantee) {
    String delta =
        guarantee.getDelta() == 0
            ? ""
            : ", except with probability " + small(guarantee.getDelta()) + " (delta)";
    return "This output changes the odds of any guess about %s by a factor of at most %s (epsilon %s)%s."
        .formatted(
            what(guarantee), factor(guarantee.getEpsilon()), plain(guarantee.getEpsilon()), delta);
  }

  /** Of all outputs of a budget, as the pipeline file states it. */
  static String together(BudgetSpec budget) {
    return "All outputs of budget %s together: epsilon at most %s, delta at most %s."
        .formatted(
            budget.name(),
            budget.epsilon().value().toPlainString(),
            small(budget.delta().value().doubleValue()));
  }

  private static String what(Guarantee guarantee) {
    String time = during(guarantee.getPeriod());
    return switch (guarantee.getUnit()) {
      case "user" -> "what one user did " + time;
      case "dataset" -> "one subject's records " + time;
      default -> "the content of one record";
    };
  }

  private static String during(String word) {
    try {
      String during = Period.of(word).during();
      return during.endsWith(",") ? during.substring(0, during.length() - 1) : during;
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
