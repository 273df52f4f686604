// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.SpanCalendar;
import io.sfumato.pipeline.SpanShare;
import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a file's shares can keep within every span of a length.
 *
 * @param population whose records count, where many users feed one subject
 */
record SpanCheck(Period.Span span, WindowSpec window, Optional<Population> population) {
  /** Windows whose charges a ledger adds up: each is a read of some microseconds. */
  private static final long LEDGER_WINDOWS = 1_000;

  /** What does not fit, each a whole sentence; empty if all does. */
  List<String> of(List<ReleaseSpec> releases) {
    long windows = SpanCalendar.windowsIn(span, window);
    if (span instanceof Period.Any any
        && any.length().toMillis() != window.lasting(windows).toMillis()) {
      return List.of(
          "field 'budget.period.any': found %s with windows of %s, allowed is a multiple of 'window.size', such as %s or %s"
              .formatted(
                  Durations.word(any.length()),
                  window.sizeWord(),
                  Durations.word(window.lasting(Math.max(1, windows))),
                  Durations.word(window.lasting(Math.max(1, windows) + 1))));
    }
    if (span.pace().isPresent() && span.pace().getAsInt() > windows) {
      return List.of(
          "field 'budget.period.pace': found '%d', allowed is a whole number from 1 to %d, the windows of a span"
              .formatted(span.pace().getAsInt(), windows));
    }
    SpanCalendar calendar = SpanCalendar.of(span, window);
    List<String> conflicts = new ArrayList<>();
    if (population.isPresent() && window.begin().isEmpty()) {
      conflicts.add(
          "field 'window.begin': is missing; the calendar of 'budget.period.any' is counted from it");
    }
    for (ReleaseSpec release : releases) {
      conflict(calendar, release).ifPresent(conflicts::add);
    }
    return conflicts;
  }

  private Optional<String> conflict(SpanCalendar calendar, ReleaseSpec release) {
    String name = "release '" + release.name() + "': ";
    if (span.pace().isPresent() && release.answersQueries()) {
      return Optional.of(
          name + "queries ask about any window; leave 'budget.period.pace' out, or the queries");
    }
    if (span.pace().isPresent() && release.windowsCounted() > 1) {
      String left = "leave 'pace' out, or publish the windows' own numbers";
      return Optional.of(
          calendar.pace() < calendar.windows()
              ? name
                  + "it is about several windows, and 'budget.period.pace' passes most of them over; "
                  + left
              : name
                  + "it is about several windows, and a 'budget.period.pace' counts single ones, even where it has all %d of a span; "
                      .formatted(calendar.windows())
                  + left);
    }
    if (!SpanShare.of(calendar, population, release).hasLedger()) {
      return Optional.empty();
    }
    if (population.isPresent()) {
      return Optional.of(name + tooFew(calendar, release));
    }
    return calendar.windows() <= LEDGER_WINDOWS
        ? Optional.empty()
        : Optional.of(
            name
                + "its share affords some of the %,d windows that a span touches, and a ledger adds up %,d at most; leave 'windows' out, take a 'pace', or widen the window"
                    .formatted(calendar.touched(), LEDGER_WINDOWS));
  }

  /** What a ledger of users admits later would tell of windows that have left the span. */
  private String tooFew(SpanCalendar calendar, ReleaseSpec release) {
    String length =
        span instanceof Period.Any any
            ? Durations.word(any.length())
            : ((Period.AnyWindows) span).length().word();
    return "its share is planned for %d of the %d windows that any %s touch, and under 'user' no ledger may say which: what it admits after a span would tell of the span (docs/theory/periods-and-accounts.md, Theorem L). Leave 'windows' out, or write budget.period: {any: %s, pace: %d}, which releases the same windows for all by a public calendar%s"
        .formatted(
            release.horizon(),
            calendar.touched(),
            length,
            length,
            Math.max(1, release.horizon() - 1),
            release.windowsCounted() > 1
                ? " (and is for windows by themselves: 'running' and 'over' would go)"
                : "");
  }
}
