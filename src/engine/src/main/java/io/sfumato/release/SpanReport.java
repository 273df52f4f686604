// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Facts;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.ReportText;
import io.sfumato.pipeline.Schedule;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.window.CalendarWindows;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;

/** What a plan says of spans that begin anywhere: what bounds them, or what would. */
final class SpanReport {
  /** Windows whose turn it is that are named. */
  private static final int NAMED = 4;

  private static final Duration YEAR = Duration.ofDays(365);

  private final Plan plan;
  private final Pipeline pipeline;

  SpanReport(Plan plan) {
    this.plan = plan;
    this.pipeline = plan.pipeline();
  }

  /** Adds it to a plan; nothing where the budget is for a lifetime. */
  void addTo(Facts facts) {
    said().ifPresent(said -> facts.row("spans").group("", "spans", spans(said)));
  }

  private Facts spans(String said) {
    Optional<SpanCalendar> calendar = pipeline.calendar();
    Facts spans =
        Facts.of().words("", "says", said).forPrograms().flag("", "bounded", calendar.isPresent());
    calendar.ifPresent(
        turns ->
            spans
                .number("", "windows_touched", turns.touched())
                .number("", "windows_due", turns.mostDue())
                .many("", "ledgers", withLedger().stream().map(ReleaseSpec::name).toList()));
    return spans;
  }

  private Optional<String> said() {
    Period period = pipeline.budget().period();
    if (period instanceof Period.Span span) {
      return Optional.of(bounded(span, SpanCalendar.of(span, pipeline.window())));
    }
    if (period instanceof Period.Window) {
      return Optional.of(anew());
    }
    if (period instanceof Period.Fixed fixed) {
      return Optional.of(tiled(fixed));
    }
    return period instanceof Period.Local local ? Optional.of(local(local)) : Optional.empty();
  }

  private String bounded(Period.Span span, SpanCalendar calendar) {
    String touched =
        "any %s touch at most %,d windows".formatted(span.spoken(), calendar.touched());
    if (span.pace().isPresent()) {
      return touched
          + ", of which at most %,d are due, the same for all: %s; nothing is released for the others, and records in them do not count"
              .formatted(calendar.mostDue(), due(calendar));
    }
    List<ReleaseSpec> some = withLedger();
    return some.isEmpty()
        ? touched + ", and the shares cover them all, so no ledger is needed"
        : touched
            + "; %s: a ledger per subject records which of them, as long as a span can contain them"
                .formatted(
                    some.stream()
                        .map(release -> release.name() + " covers some")
                        .collect(Collectors.joining(", ")));
  }

  private List<ReleaseSpec> withLedger() {
    return pipeline.releases().stream()
        .filter(release -> SpanShare.of(pipeline, release).filter(SpanShare::hasLedger).isPresent())
        .toList();
  }

  /** From the window on that is the first of all, or that the calendar counts from. */
  private String due(SpanCalendar calendar) {
    List<String> starts = new ArrayList<>();
    for (long start = calendar.from(); starts.size() < NAMED; ) {
      start = calendar.nextDue(start);
      starts.add(pipeline.window().startText(start));
      start = pipeline.window().endOf(start);
    }
    return "those that start " + String.join(", ", starts) + ", ...";
  }

  /** Whose losses of many windows add up at most. */
  private String whose() {
    return switch (pipeline.budget().unit()) {
      case USER -> "a user of all";
      case DATASET -> "a subject of all";
      case RECORD -> "one record in each of";
    };
  }

  /** Somebody is there in many windows, and what these lose adds up at most. */
  private String anew() {
    LongRun year = LongRun.of(plan, YEAR).orElseThrow();
    List<String> unbounded = year.unbounded();
    String said =
        year.parts().size() == unbounded.size() || year.delta().compareTo(BigDecimal.ONE) >= 0
            ? "composition does not bound the loss of %s the %,d windows of %s that 365 days touch"
                .formatted(whose(), year.periods(), pipeline.window().sizeWord())
            : "%s the %,d windows of %s that 365 days touch loses at most epsilon %s, delta %s, by basic composition%s"
                .formatted(
                    whose(),
                    year.periods(),
                    pipeline.window().sizeWord(),
                    ReportText.plain(year.epsilon()),
                    ReportText.plain(year.delta()),
                    unbounded.isEmpty()
                        ? ""
                        : ", not including %s: its windows share noise, so composition gives no bound"
                            .formatted(String.join(", ", unbounded)));
    return "every window has the whole budget: %s ('sfumato report' states tighter bounds where proved); period: {any: %s} bounds every span of that length"
        .formatted(said, pipeline.window().spanWord());
  }

  /**
   * Periods that follow each other bound themselves, and what lies across their ends not always.
   */
  private String tiled(Period.Fixed period) {
    String length = Durations.word(period.length());
    long windows = SpanCalendar.windowsIn(anyOf(period), pipeline.window());
    boolean whole = pipeline.window().lasting(windows).toMillis() == period.length().toMillis();
    List<ReleaseSpec> fewer =
        pipeline.releases().stream()
            .filter(release -> !isOfEvery(release, windowsOf(release, period)))
            .toList();
    if (hasLonger()) {
      return tiledByLonger(length, fewer);
    }
    if (whole && fewer.isEmpty()) {
      return "the shares cover all %,d windows of a period, hence of every %s that starts with a window, as long as this version runs; period: {any: %s} bounds those with any start, in every version"
          .formatted(windows, length, length);
    }
    return "each period has a new budget: %s across the end of a period can lose twice as much (%s); %s"
        .formatted(
            length,
            whole
                ? fewer.stream().map(this::twice).collect(Collectors.joining(", "))
                : "its windows are no whole number",
            fewer.stream().anyMatch(ReleaseSpec::chargesRecords)
                ? "what is charged by the record is not bounded in spans that begin anywhere"
                : "period: %s bounds every span of that length".formatted(instead(fewer, windows)));
  }

  /** Outputs have windows of several sizes, of which each period has whole ones. */
  private boolean hasLonger() {
    return pipeline.questions().stream().anyMatch(question -> question.windows() > 1);
  }

  /** No period of any span is there, which all windows would have to follow. */
  private String tiledByLonger(String length, List<ReleaseSpec> fewer) {
    String own = "'period: {any: …}' needs outputs without a 'window' of their own";
    return fewer.isEmpty()
        ? "the shares cover all windows of a period, hence of every %s that starts with a window of every output, as long as this version runs; %s"
            .formatted(length, own)
        : "each period has a new budget: %s across the end of a period can lose twice as much (%s); %s"
            .formatted(
                length, fewer.stream().map(this::twice).collect(Collectors.joining(", ")), own);
  }

  /** Windows of a release in a period, which may be longer than the file's. */
  private long windowsOf(ReleaseSpec release, Period.Fixed period) {
    return SpanCalendar.windowsIn(anyOf(period), pipeline.windowOf(release));
  }

  private static Period.Any anyOf(Period.Fixed period) {
    return new Period.Any(period.length(), OptionalInt.empty());
  }

  /**
   * Periods of a calendar: each window lies in one, but months have different numbers of days, so
   * that a share for the longest one covers more windows than a shorter one has.
   */
  private String local(Period.Local period) {
    long windows = pipeline.window().mostIn(period).orElseThrow();
    CalendarWindows periods = period.periods();
    long first = periods.startOf(pipeline.window().first());
    String said =
        "periods of %s in %s: the one that starts %s has the windows up to %s, at most %,d; each window belongs to exactly one"
            .formatted(
                period.spoken(),
                periods.zone(),
                pipeline.window().startText(first),
                pipeline.window().startText(periods.endOf(first)),
                windows);
    boolean every = pipeline.releases().stream().allMatch(release -> isOfEvery(release, windows));
    return said
        + (every
            ? ". The shares cover %,d windows in a row, as long as this version runs; period: {any: %s} bounds every span of that length, in every version"
                .formatted(windows, pipeline.window().spanWord())
            : ". Each period has a new budget: as many windows in a row across the end of a period can lose twice as much");
  }

  private static boolean isOfEvery(ReleaseSpec release, long windows) {
    return !release.answersQueries()
        && !release.chargesRecords()
        && release.schedule() == Schedule.EVERY_WINDOW
        && release.horizon() >= windows;
  }

  private String twice(ReleaseSpec release) {
    if (release.chargesRecords()) {
      return "%s: %,d records of a user".formatted(release.name(), 2 * release.horizon());
    }
    return release.answersQueries() || release.schedule() == Schedule.ONCE_A_PERIOD
        ? release.name() + ": two periods' worth"
        : release.name() + ": " + Plurals.of(2 * release.horizon(), "window") + ofSize(release);
  }

  /** Behind a number of windows: how long they are, if that is not the file's size. */
  private String ofSize(ReleaseSpec release) {
    WindowSpec own = pipeline.windowOf(release);
    return own.grid().equals(pipeline.window().grid()) ? "" : " of " + own.sizeWord();
  }

  /** Under users a calendar says which windows, elsewhere a ledger. */
  private String instead(List<ReleaseSpec> fewer, long windows) {
    long most =
        fewer.stream()
            .filter(release -> release.schedule() == Schedule.EVERY_WINDOW)
            .mapToLong(ReleaseSpec::horizon)
            .filter(horizon -> horizon < windows)
            .max()
            .orElse(0);
    String length = Durations.word(pipeline.window().lasting(Math.max(1, windows)));
    return pipeline.population().isPresent() && most > 1
        ? "{any: %s, pace: %d}".formatted(length, most - 1)
        : "{any: %s}".formatted(length);
  }
}
