// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** Reads {@code budget:} of a pipeline file, and what a share is made of. */
public final class BudgetReader {
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,62}");
  private static final Pattern FIELD = Pattern.compile("\\S(.{0,198}\\S)?");
  private static final Duration SHORTEST_SPAN = Duration.ofMillis(1);
  private static final Duration LONGEST_SPAN = Duration.ofDays(3650);
  private static final String PERIODS =
      "lifetime, window, a length such as 30d, or {any: 30d} for every span of that length";
  private static final String NAME_RULE = "lower-case letters, digits and '-', a letter first";

  private BudgetReader() {}

  /** The file's budget. */
  public static BudgetSpec budget(Fields fields) {
    String name = fields.text("name", NAME, NAME_RULE);
    int before = fields.unreadable();
    PrivacyUnit unit = fields.choice("unit", EnumWords.of(PrivacyUnit.values()), Optional.empty());
    boolean hasUnit = fields.unreadable() == before;
    Epsilon epsilon = epsilon(fields);
    // Items are purely private: their budget needs no delta.
    Delta delta = unit == PrivacyUnit.DATASET || !hasUnit ? deltaOr0(fields) : delta(fields);
    Period period = period(fields);
    Optional<AccountSpec> account = account(fields, epsilon, delta);
    fields.refuseUnknown();
    return new BudgetSpec(name, unit, epsilon, delta, period, account);
  }

  private static Optional<AccountSpec> account(Fields budget, Epsilon epsilon, Delta delta) {
    if (!budget.has("account")) {
      return Optional.empty();
    }
    Fields fields = budget.section("account");
    AccountSpec account =
        new AccountSpec(fields.text("name", NAME, NAME_RULE), epsilon(fields), deltaOr0(fields));
    fields.refuseUnknown();
    if (account.epsilon().compareTo(epsilon) < 0 || account.delta().compareTo(delta) < 0) {
      budget.conflict(
          "account", "is smaller than the budget", "at least the budget's epsilon and delta");
    }
    return Optional.of(account);
  }

  private static Period period(Fields budget) {
    if (budget.has("pace")) {
      budget.problem(
          "pace", "stands beside 'period'", "as a part of it: 'period: {any: 30d, pace: 5}'");
    }
    if (budget.mentions("period.any") || budget.mentions("period.pace")) {
      return anySpan(budget.section("period"));
    }
    String word = budget.optionalText("period", FIELD, PERIODS).orElse("lifetime");
    return switch (word) {
      case "lifetime" -> new Period.Lifetime();
      case "window" -> new Period.Window();
      default -> fixedPeriod(budget, word);
    };
  }

  private static Period anySpan(Fields fields) {
    Duration length = fields.duration("any", SHORTEST_SPAN, Optional.empty());
    boolean tooLong = length.compareTo(LONGEST_SPAN) > 0;
    if (tooLong) {
      fields.problem("any", "found more than 3650d", "at most 3650d");
    }
    OptionalInt pace =
        fields.has("pace")
            ? OptionalInt.of((int) fields.whole("pace", 1, 1_000_000, Optional.empty()))
            : OptionalInt.empty();
    fields.refuseUnknown();
    return new Period.Any(tooLong ? LONGEST_SPAN : length, pace);
  }

  private static Period fixedPeriod(Fields fields, String word) {
    Optional<Duration> length = Durations.parse(word).filter(d -> !d.isZero());
    if (length.isEmpty()) {
      fields.problem("period", "found '" + word + "'", PERIODS);
    }
    return length.<Period>map(Period.Fixed::new).orElse(new Period.Lifetime());
  }

  /** A pure or approximate epsilon that must be there. */
  public static Epsilon epsilon(Fields fields) {
    return fields.decimal(
        "epsilon", "a number above 0, at most 1000000", Epsilon::new, Epsilon.of("1"));
  }

  /** A delta above 0 that must be there. */
  public static Delta delta(Fields fields) {
    return fields.decimal(
        "delta",
        "a number above 0 and below 1: the chance that epsilon fails, such as 1e-6",
        value -> {
          if (value.signum() == 0) {
            throw new IllegalArgumentException("0");
          }
          return new Delta(value);
        },
        Delta.of("1e-6"));
  }

  /** A delta, or 0 where the field is not there. */
  public static Delta deltaOr0(Fields fields) {
    return fields.mentions("delta")
        ? fields.decimal(
            "delta", "a number from 0, below 1", Delta::new, new Delta(BigDecimal.ZERO))
        : new Delta(BigDecimal.ZERO);
  }
}
