// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.Period;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.FactJson;
import io.sfumato.pipeline.FactText;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.Schedule;
import io.sfumato.pipeline.TotalError;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import java.time.format.TextStyle;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Optional;
import java.util.stream.Stream;

/** A plan in words and as JSON. */
public final class PlanReport {
  private PlanReport() {}

  /** For people. */
  public static String text(Plan plan) {
    return FactText.of(facts(plan));
  }

  /** For programs. */
  public static String json(Plan plan) {
    return FactJson.of(facts(plan)).toPrettyString();
  }

  /** All that a plan says. */
  public static Facts facts(Plan plan) {
    Pipeline pipeline = plan.pipeline();
    Facts facts =
        Facts.of()
            .row("pipeline")
            .words("", "pipeline", pipeline.name())
            .number("version", "version", pipeline.version());
    windows(facts, pipeline.window()).row("protects").words("", "protects", protects(pipeline));
    PathReport.addTo(facts, pipeline);
    ExampleReport.of(pipeline).ifPresent(example -> example.addTo(facts));
    budget(facts, pipeline);
    new SpanReport(plan).addTo(facts);
    SizeReport.addTo(facts, WorstCase.of(plan));
    if (pipeline.rows() == Pipeline.Rows.PUBLISHED) {
      facts.row("rows").say("rows of all outputs -> topic %s", pipeline.rowsTopic());
      facts.forPrograms().words("", "rows_topic", pipeline.rowsTopic());
    }
    lacksBegin(pipeline).ifPresent(warning -> facts.row("warning").say("%s", warning));
    facts.warnings(
        Stream.concat(unequalShares(plan).stream(), FilterWarnings.of(plan).stream()).toList());
    facts
        .row("releases")
        .table("releases", plan.releases().stream().map(one -> facts(pipeline, one)).toList());
    return pipeline.derived().isEmpty()
        ? facts
        : facts
            .row("derived")
            .table(
                "derived",
                pipeline.derived().stream()
                    .map(derived -> derived.facts(pipeline, plan.sources(derived)))
                    .toList());
  }

  /** All that it says of one release. */
  public static Facts facts(Pipeline pipeline, PlannedRelease release) {
    Pipeline part = pipeline.partOf(release.spec());
    Facts facts = release.facts(part);
    TotalError.of(part, facts).ifPresent(total -> total.addTo(facts));
    if (pipeline.questionOf(release.spec()) > 0) {
      own(facts, pipeline, part);
    }
    return facts;
  }

  /** What an output is about, where that is not what the file says for all. */
  private static void own(Facts facts, Pipeline file, Pipeline part) {
    InputSpec ofAll = file.input();
    InputSpec input = part.input();
    if (!part.window().grid().equals(file.window().grid())) {
      facts.row("window").say("its own: %s", part.window().sizeWord());
    }
    Population users = part.population().orElseThrow();
    if (!input.where().equals(ofAll.where())) {
      facts.row("where").say("records of which %s", input.where().words());
    }
    if (!input.categoryFields().equals(ofAll.categoryFields())) {
      facts.row("category").say("its own: %s", String.join(", ", input.categoryFields()));
    }
    boolean isOwn = !users.boundsAs(file.population().orElseThrow());
    facts
        .forPrograms()
        .number("", "per_window", users.records())
        .number("", "subjects", users.subjects())
        .row("users")
        .say(
            "%s: at most %s of a user and %s, for at most %s%s",
            isOwn ? "its own" : "the file's",
            input.counted(users.records()),
            part.window().equals(file.window()) ? "window" : part.window().sizeWord(),
            Plurals.of(users.subjects(), "subject"),
            users.chargesRecords()
                ? String.format(Locale.ROOT, ", and %,d in a period", users.perPeriod().getAsInt())
                : "");
  }

  private static Facts windows(Facts facts, WindowSpec window) {
    return facts
        .row("windows")
        .say(
            "%s of event time%s, closing %s after their end by %s",
            window.sizeWord(),
            zone(window)
                + (window.begin().isPresent()
                    ? " from " + window.startText(window.begin().getAsLong()) + " on"
                    : ""),
            Durations.word(window.grace()),
            window.clock() == WindowSpec.Clock.RECORDS ? "the records' clock" : "ticks");
  }

  private static String zone(WindowSpec window) {
    return window
        .calendar()
        .map(windows -> " in " + windows.zone() + firstOfWeek(windows))
        .orElse("");
  }

  private static String firstOfWeek(CalendarWindows windows) {
    return windows.unit() instanceof CalendarUnit.Days days && days.count() % 7 == 0
        ? ", weeks from %s"
            .formatted(
                windows.origin().getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH))
        : "";
  }

  private static void budget(Facts facts, Pipeline pipeline) {
    BudgetSpec budget = pipeline.budget();
    boolean ofUsers = pipeline.population().isPresent();
    Facts terms =
        Facts.of()
            .words("", "name", budget.name())
            .words("unit", "unit", budget.unit().word())
            .number("epsilon", "epsilon", budget.epsilon().value())
            .number("delta", "delta", budget.delta().value())
            .words(ofUsers ? "per user and" : "per subject and", "period", budget.period().word());
    budget
        .account()
        .ifPresent(
            account ->
                terms.group(
                    "account",
                    "account",
                    Facts.of()
                        .words("", "name", account.name())
                        .number("epsilon", "epsilon", account.epsilon().value())
                        .number("delta", "delta", account.delta().value())));
    facts
        .row("budget")
        .group("", "budget", terms)
        .row("account")
        .say(
            budget.account().isPresent()
                ? "this budget claims its share of the account permanently"
                : "none: releases of other pipelines about the same %s ADD to these losses",
            ofUsers ? "users" : "subjects");
  }

  private static Optional<String> lacksBegin(Pipeline pipeline) {
    return pipeline.window().lacksBegin()
        ? Optional.of(
            "field 'window.begin' is missing: a new pipeline under 'clock: ticks' needs the start"
                + " of its first window, such as begin: 2026-01-05")
        : Optional.empty();
  }

  /** What it warns of as a whole, beside the warnings of each release. */
  public static List<String> warnings(Plan plan) {
    return Stream.concat(
            Stream.of(
                    lacksBegin(plan.pipeline()), unequalShares(plan), unusedValues(plan.pipeline()))
                .flatMap(Optional::stream),
            FilterWarnings.of(plan).stream())
        .toList();
  }

  /** A version may drop the last output that is about them. */
  private static Optional<String> unusedValues(Pipeline pipeline) {
    boolean used =
        pipeline.releases().stream()
            .anyMatch(release -> release.measuresFeatures() || !release.tallies().isEmpty());
    return pipeline.population().isEmpty() || pipeline.input().values().isEmpty() || used
        ? Optional.empty()
        : Optional.of(
            "no output is about 'input.values': leave them out, unless a running state was made with them");
  }

  /** A window of a user counts for all outputs or for none. */
  private static Optional<String> unequalShares(Plan plan) {
    return plan.pipeline().parts().stream()
        .flatMap(part -> unequalShares(part).stream())
        .findFirst();
  }

  private static Optional<String> unequalShares(Pipeline pipeline) {
    LongSummaryStatistics windows =
        pipeline.releases().stream()
            .filter(release -> release.schedule() == Schedule.EVERY_WINDOW)
            .mapToLong(ReleaseSpec::horizon)
            .summaryStatistics();
    return pipeline.population().isEmpty() || windows.getMin() >= windows.getMax()
        ? Optional.empty()
        : Optional.of(
            "the shares last from %,d to %,d windows per user, but a user's records count for all outputs or for none, so longer shares are wasted. Plan the same 'windows' for all"
                .formatted(windows.getMin(), windows.getMax()));
  }

  /** What the guarantee bounds, in the words of docs/theory/guarantee.md. */
  public static String protects(Pipeline pipeline) {
    if (pipeline.population().isPresent()) {
      Population population = pipeline.population().get();
      return users(
              population,
              pipeline.input().counted(population.records())
                  + (population.records() == 1 ? " counts" : " count"),
              pipeline.budget().period())
          + (pipeline.questions().isEmpty() ? "" : ", unless an output says otherwise")
          + (pipeline.subjects() == Pipeline.Subjects.DISCOVERED
              ? "; published subjects stay public"
              : "; the list of subjects stays public");
    }
    if (pipeline.budget().unit() == PrivacyUnit.DATASET) {
      return "everything about a subject's records in "
          + pipeline
              .budget()
              .anySpan()
              .map(span -> span.whatever() + ": in all windows that these touch")
              .orElse(
                  "one "
                      + (pipeline.budget().period() instanceof Period.Window ? "window" : "period"))
          + ", including whether there were any; who is enrolled stays public";
    }
    String bound =
        pipeline.budget().period() instanceof Period.Window
            ? "what all outputs together reveal about the "
                + pipeline.input().content()
                + " of any ONE record"
            : pipeline
                .budget()
                .anySpan()
                .map(
                    span ->
                        "what all outputs together reveal about one record's "
                            + pipeline.input().content()
                            + ", "
                            + span.whatever()
                            + ", even if one record of ONE subject in EVERY window that these touch"
                            + " is changed")
                .orElse(
                    "what all outputs of one period together reveal about one record's "
                        + pipeline.input().content()
                        + ", even if one record of ONE subject in EVERY window of the period is"
                        + " changed");
    return bound + "; who has records, how many and when stays public";
  }

  private static String users(Population population, String counted, Period period) {
    String what =
        period instanceof Period.Window
            ? "all that any ONE user did in one window (a user's window, not the user)"
            : period instanceof Period.Span any
                ? "all that any ONE user did, "
                    + any.whatever()
                    + ", in the windows that these touch"
                : period instanceof Period.Lifetime
                    ? "all that any ONE user did at any time"
                    : "all that any ONE user did in one period";
    return "%s, including whether there was anything; per user and window at most %s, for at most %s%s%s"
        .formatted(
            what,
            counted,
            Plurals.of(population.subjects(), "subject"),
            population.chargesRecords()
                ? String.format(
                    Locale.ROOT,
                    ", and at most %,d in a period, those of its first windows",
                    population.perPeriod().getAsInt())
                : "",
            population.leftOut().isPresent()
                ? String.format(
                    Locale.ROOT,
                    ", and %,d more are counted as left out",
                    population.leftOut().getAsInt())
                : "");
  }
}
