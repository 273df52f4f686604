// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.ValueType.Decimal;
import io.sfumato.pipeline.ValueType.LengthOrMonths;
import io.sfumato.pipeline.ValueType.Mapping;
import io.sfumato.pipeline.ValueType.Range;
import io.sfumato.pipeline.ValueType.Word;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** Reads {@code budget:} of a pipeline file, and what a share is made of. */
public final class BudgetReader {
  private static final Delta NO_DELTA = new Delta(BigDecimal.ZERO);
  private static final Duration SHORTEST_SPAN = Duration.ofMillis(1);
  private static final Duration LONGEST_SPAN = Duration.ofDays(3650);
  private static final int LONGEST_SPAN_MONTHS = 120;
  private static final String PERIODS =
      "lifetime, window, a length such as 30d, or {any: 30d} for every span of that length";

  /** A pure or approximate epsilon. */
  public static final FieldSpec<Epsilon> EPSILON =
      FieldSpec.typed(
          "epsilon",
          new Decimal<>(
              "a number above 0, at most 1000000",
              Range.above0(1_000_000),
              Epsilon::new,
              Epsilon.of("1")));

  /** A delta above 0. */
  public static final FieldSpec<Delta> DELTA =
      FieldSpec.typed(
          "delta",
          new Decimal<>(
              "a number above 0 and below 1: the chance that epsilon fails, such as 1e-6",
              Range.below1(true),
              Delta::new,
              Delta.of("1e-6")));

  /** A delta that may be 0. */
  public static final FieldSpec<Delta> DELTA_OR_0 =
      FieldSpec.typed(
              "delta",
              new Decimal<>("a number from 0, below 1", Range.below1(false), Delta::new, NO_DELTA))
          .byDefault(NO_DELTA, "0");

  private static final FieldSpec<String> NAME =
      FieldSpec.typed("name", FieldTypes.NAME)
          .means(
              "Names the ledger, which outlives files and pipelines of other names"
                  + " ([a second budget](../operate/deploy.md#a-second-budget-about-the-same-topic)).")
          .example("wards");

  private static final FieldSpec<PrivacyUnit> UNIT =
      FieldSpec.word(
              "unit",
              new Word<>(EnumWords.of(PrivacyUnit.values()))
                  .means("record", "one record of one subject.")
                  .means("user", "all records of one user in a period.")
                  .means("dataset", "everything about one subject."))
          .means("What is protected ([three units](../concepts/privacy-unit.md#three-units)).")
          .example("user");

  private static final FieldSpec<String> ACCOUNT_NAME =
      FieldSpec.typed("name", FieldTypes.NAME).means("Names the account.").example("hospital");

  private static final FieldSpec<Section> ACCOUNT =
      FieldSpec.section(
              "account",
              Section.of(
                  "An account that several budgets share.",
                  ACCOUNT_NAME,
                  EPSILON
                      .means(
                          "What all budgets of the account may spend together where one period of any"
                              + " of them is changed. The first claimant fixes it.")
                      .example("8"),
                  DELTA_OR_0.means("The same for delta.").example("1e-5")))
          .optional()
          .means(
              "An [account](../concepts/budget.md#accounts) that several budgets share, and what they"
                  + " may spend together.")
          .example("{name: hospital, epsilon: 8, delta: 1e-5}");

  private static final FieldSpec<CalendarLength> ANY =
      FieldSpec.typed("any", new LengthOrMonths(SHORTEST_SPAN))
          .means(
              "A multiple of `window.size`, at most 3650d. Every span of that length stays within the"
                  + " budget, wherever it begins. With `window.zone` it is a number of windows.")
          .example("30d");

  private static final FieldSpec<Integer> PACE =
      FieldSpec.count("pace", 1, 1_000_000)
          .optional("all windows")
          .means(
              "How many windows of every span are released: the same for everybody, evenly spaced from"
                  + " `window.begin` (or `window.origin`) on. Records in the others do not count.")
          .example("5");

  private static final Section SPAN =
      Section.of("Every span of one length, wherever it begins.", ANY, PACE);

  private static final FieldSpec<?> PERIOD =
      FieldSpec.typed(
              "period",
              FieldTypes.either(PERIODS, FieldTypes.text(PERIODS).schema(), SPAN.schema())
                  .part("", SPAN))
          .optional("lifetime")
          .means(
              "In which time the budget may be spent: `lifetime`, `window`, a length of event time such"
                  + " as `30d` (with `window.zone` also `1mo`), or `{any: 30d}`"
                  + " ([which one](../concepts/budget.md#which-period-to-promise)).")
          .example("{any: 30d, pace: 5}");

  /** The fields of {@code budget:}. */
  public static final Section SECTION =
      Section.of(
          "What is protected, and how much may be released about it.",
          NAME,
          UNIT,
          EPSILON
              .means(
                  "What all outputs about one subject may spend in one period, an exact decimal.")
              .example("2"),
          DELTA
              .as(DELTA_OR_0.type())
              .optional("required; 0 with unit dataset")
              .means("The same for delta.")
              .example("1e-5"),
          PERIOD,
          ACCOUNT);

  private BudgetReader() {}

  /**
   * The file's budget.
   *
   * @param window of the file, whose calendar its periods follow
   */
  public static BudgetSpec budget(Fields fields, WindowSpec window) {
    String name = fields.get(NAME);
    int before = fields.unreadable();
    PrivacyUnit unit = fields.get(UNIT);
    boolean hasUnit = fields.unreadable() == before;
    Epsilon epsilon = epsilon(fields);
    // Items are purely private: their budget needs no delta.
    Delta delta = unit == PrivacyUnit.DATASET || !hasUnit ? deltaOr0(fields) : delta(fields);
    Period period = period(fields, window);
    Optional<AccountSpec> account = account(fields, epsilon, delta);
    fields.refuseUnknown();
    return new BudgetSpec(name, unit, epsilon, delta, period, account);
  }

  private static Optional<AccountSpec> account(Fields budget, Epsilon epsilon, Delta delta) {
    if (!budget.has(ACCOUNT)) {
      return Optional.empty();
    }
    Fields fields = budget.section(ACCOUNT);
    AccountSpec account =
        new AccountSpec(fields.get(ACCOUNT_NAME), epsilon(fields), deltaOr0(fields));
    fields.refuseUnknown();
    if (account.epsilon().compareTo(epsilon) < 0 || account.delta().compareTo(delta) < 0) {
      budget.conflict(
          "account", "is smaller than the budget", "at least the budget's epsilon and delta");
    }
    return Optional.of(account);
  }

  private static Period period(Fields budget, WindowSpec window) {
    budget.refuse(
        "pace", "stands beside 'period'", "as a part of it: 'period: {any: 30d, pace: 5}'");
    if (budget.isMapping("period")) {
      return anySpan(budget.section(PERIOD.as(new Mapping(SPAN))), window);
    }
    int before = budget.unreadable();
    String word = budget.optional(PERIOD.as(FieldTypes.text(PERIODS))).orElse("lifetime");
    if (budget.unreadable() > before) {
      return new Period.Lifetime();
    }
    return switch (word) {
      case "lifetime" -> new Period.Lifetime();
      case "window" -> new Period.Window();
      default -> fixedPeriod(budget, word, window);
    };
  }

  private static Period anySpan(Fields fields, WindowSpec window) {
    CalendarLength length = fields.get(ANY);
    boolean tooLong =
        length.time().compareTo(LONGEST_SPAN) > 0 || length.months() > LONGEST_SPAN_MONTHS;
    if (tooLong) {
      fields.problem("any", "found more than 3650d", "at most 3650d");
    }
    OptionalInt pace = fields.count(PACE);
    fields.refuseUnknown();
    CalendarLength span = tooLong ? CalendarLength.of(LONGEST_SPAN) : length;
    return window
        .calendar()
        .<Period>map(windows -> LocalPeriods.any(fields, span, windows, pace))
        .orElseGet(() -> new Period.Any(timeOf(fields, "any", span), pace));
  }

  private static Period fixedPeriod(Fields fields, String word, WindowSpec window) {
    Optional<CalendarLength> length =
        CalendarLength.parse(word).filter(found -> found.isMonths() || !found.time().isZero());
    if (length.isEmpty()) {
      fields.problem("period", "found '" + word + "'", PERIODS);
      return new Period.Lifetime();
    }
    return window
        .calendar()
        .map(windows -> LocalPeriods.period(fields, length.get(), windows))
        .orElseGet(() -> new Period.Fixed(timeOf(fields, "period", length.get())));
  }

  /** Months are of a calendar, which only files with a zone have. */
  private static Duration timeOf(Fields fields, String field, CalendarLength length) {
    if (length.isMonths()) {
      fields.conflict(
          field,
          "found '" + length.word() + "' without 'window.zone'",
          "a number of days such as 30d, or months of a zone: 'window: {..., zone: Europe/Berlin}'");
      return SHORTEST_SPAN;
    }
    return length.time();
  }

  /** An epsilon that must be there. */
  public static Epsilon epsilon(Fields fields) {
    return fields.get(EPSILON);
  }

  /** A delta above 0 that must be there. */
  public static Delta delta(Fields fields) {
    return fields.get(DELTA);
  }

  /** A delta, or 0 where the field is not there. */
  public static Delta deltaOr0(Fields fields) {
    return fields.get(DELTA_OR_0);
  }
}
