// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.release.PlanReport;
import java.math.BigDecimal;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/**
 * The promise of a file.
 *
 * @param protects what is bounded, as the plan says it
 * @param fields what users, subjects and categories are in the records
 * @param unit what is protected, a word of the file
 * @param neighbours two logs that outputs hardly tell apart
 * @param change add-or-remove, or replace
 * @param stayPublic what outputs do not hide, whatever the noise
 * @param epsilon of all outputs in one period
 * @param delta likewise
 * @param budget its name
 * @param period a word of the file
 * @param periodSaid the same in a sentence
 * @param account what other pipelines add
 * @param windows how time is cut
 */
public record Protection(
    String protects,
    String fields,
    String unit,
    String neighbours,
    String change,
    String stayPublic,
    BigDecimal epsilon,
    BigDecimal delta,
    String budget,
    String period,
    String periodSaid,
    String account,
    String windows) {
  static Protection of(Pipeline pipeline) {
    BudgetSpec budget = pipeline.budget();
    return new Protection(
        PlanReport.protects(pipeline),
        FieldWords.of(pipeline),
        budget.unit().word(),
        neighbours(pipeline),
        budget.unit() == PrivacyUnit.USER ? "add or remove" : "replace",
        stayPublic(pipeline),
        budget.epsilon().value(),
        budget.delta().value(),
        budget.name(),
        budget.period().word(),
        periodSaid(pipeline),
        account(pipeline),
        windows(pipeline.window()) + turns(pipeline));
  }

  /** What a bound by epsilon alone leaves out; empty where delta is 0. */
  String apartFromDelta() {
    return delta.signum() > 0 ? ", apart from delta" : "";
  }

  private static String neighbours(Pipeline pipeline) {
    String when = pipeline.budget().period().during();
    return switch (pipeline.budget().unit()) {
      case RECORD ->
          "Two logs with the same records at the same offsets, of the same subjects and times, "
              + "where "
              + (pipeline.budget().period() instanceof Period.Window
                  ? "one record has another "
                  : "one record of one subject in each window " + when + " has another ")
              + pipeline.input().content()
              + ". Nothing is added or removed.";
      case DATASET ->
          "Two logs in which one subject's records "
              + when
              + " are any two sets of records, including no records. All other subjects are the "
              + "same.";
      case USER ->
          "Two logs, one of which lacks all records of one user "
              + when.replaceAll(",$", "")
              + ". "
              + bounds(pipeline, pipeline.population().orElseThrow())
              + ownBounds(pipeline);
    };
  }

  private static String bounds(Pipeline pipeline, Population users) {
    return "Per user and window, at most %s, for at most %s%s; what exceeds that %s."
        .formatted(
            counting(pipeline, users),
            Plurals.of(users.subjects(), "subject"),
            furtherBounds(pipeline, users),
            users.leftOut().isPresent()
                ? String.format(
                    Locale.ROOT,
                    "is counted as left out, up to %,d more",
                    users.leftOut().getAsInt())
                : "does not count");
  }

  /** What counts in outputs with bounds of their own; empty where there are none. */
  static String ownBounds(Pipeline pipeline) {
    return pipeline.questions().stream()
        .map(
            question ->
                " In %s%s instead at most %s, for at most %s%s."
                    .formatted(
                        String.join(", ", question.outputs()),
                        question.windows() == 1
                            ? ""
                            : ", per user and window of "
                                + pipeline.window().times(question.windows()).sizeWord()
                                + ",",
                        counting(pipeline, question.population()),
                        Plurals.of(question.population().subjects(), "subject"),
                        furtherBounds(pipeline, question.population())))
        .collect(Collectors.joining());
  }

  /** What counts in a period and for one name, of these or of a window's; empty without a bound. */
  static String furtherBounds(Pipeline pipeline, Population users) {
    OptionalInt ofPeriod = users.perPeriod();
    String records =
        ofPeriod.isPresent()
            ? ", and per period at most " + pipeline.input().counted(ofPeriod.getAsInt())
            : "";
    return users.oneName().isPresent() && users.perName() < ofPeriod.orElse(users.records())
        ? String.format(
            Locale.ROOT, "%s, at most %,d of them for one name", records, users.perName())
        : records;
  }

  /** How many records, items or units of weight of a user and window count. */
  static String counting(Pipeline pipeline, Population users) {
    return pipeline.input().counted(users.records())
        + (users.records() == 1 ? " counts" : " count");
  }

  private static String stayPublic(Pipeline pipeline) {
    return switch (pipeline.budget().unit()) {
      case RECORD ->
          "Who has records, how many and when: releases state the number. The content of a "
              + "record (its "
              + pipeline.input().content()
              + ") is protected, its existence is not.";
      case DATASET ->
          "Which subjects are enrolled or listed. Whether they have any records is " + "protected.";
      case USER ->
          (pipeline.subjects() == Pipeline.Subjects.DISCOVERED
                  ? "Subjects stay public once they are published."
                  : "The list of subjects (not of users).")
              + (pipeline.input().discovers() ? " Names stay public once they are published." : "")
              + " Whether a user has any records is protected.";
    };
  }

  private static String periodSaid(Pipeline pipeline) {
    Period period = pipeline.budget().period();
    if (period instanceof Period.Window) {
      return "The guarantee covers one window. The next window has a new budget, so the losses "
          + "of windows add up.";
    }
    if (period instanceof Period.Lifetime) {
      return "The guarantee holds forever: when the budget is spent, %s."
          .formatted(
              pipeline.population().isPresent()
                  ? "further records of that user do not count"
                  : "nothing more is released about that subject");
    }
    if (period instanceof Period.Span any) {
      return "The guarantee covers any %s, whenever they start. Losses over longer times add up."
          .formatted(any.spoken());
    }
    return "The guarantee covers what happens %s.%s Each period has a new budget, so a time of that length across the end of a period can lose more."
        .formatted(
            period.during(),
            period instanceof Period.Local local
                ? " Periods follow the calendar of %s, and each window lies in exactly one."
                    .formatted(local.periods().zone())
                : "");
  }

  private static String account(Pipeline pipeline) {
    return pipeline
        .budget()
        .account()
        .map(
            account ->
                "This budget is part of the account '%s' (epsilon %s, delta %s), which bounds the loss of all its pipelines together if one period of any of them changes."
                    .formatted(
                        account.name(),
                        Figures.plain(account.epsilon().value()),
                        Figures.plain(account.delta().value())))
        .orElse(
            "No account: releases of other pipelines, reports or systems about the same people "
                + "add to these losses and are not included here.");
  }

  /** Which windows are released, where it is not every one. */
  private static String turns(Pipeline pipeline) {
    return pipeline
        .calendar()
        .filter(calendar -> calendar.pace() < calendar.windows())
        .map(
            calendar ->
                String.format(
                    Locale.ROOT,
                    "; of any %,d consecutive windows, %,d are released, the same for all "
                        + "subjects; records in the others do not count",
                    calendar.windows(),
                    calendar.pace()))
        .orElse("");
  }

  private static String windows(WindowSpec window) {
    return "windows of %s of event time%s%s, released %s after their end by %s"
        .formatted(
            window.sizeSpoken(),
            window.calendar().map(windows -> " in " + windows.zone()).orElse(""),
            window.begin().isPresent()
                ? " from " + window.startText(window.begin().getAsLong()) + " on"
                : "",
            Period.spoken(window.grace()),
            window.clock() == WindowSpec.Clock.RECORDS ? "the records' own clock" : "signed ticks");
  }
}
