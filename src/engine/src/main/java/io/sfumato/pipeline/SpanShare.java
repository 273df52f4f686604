// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Optional;

/**
 * How a share keeps within what it may spend under a period of any span, whatever span is taken.
 *
 * @param calendar of the file
 * @param rule what keeps it
 */
public record SpanShare(SpanCalendar calendar, Rule rule) {
  /** What keeps a share within every span. */
  public enum Rule {
    /** It affords every window of a span that is due: nothing has to be remembered of anybody. */
    EVERY_DUE,
    /** It affords one window a span, and the calendar says which. */
    FIRST,
    /** It affords fewer: a subject's charges are remembered as long as a span holds them. */
    LEDGER
  }

  /** That of a release; nothing where the budget has another period. */
  public static Optional<SpanShare> of(Pipeline pipeline, ReleaseSpec release) {
    return pipeline.calendar().map(calendar -> of(calendar, pipeline.population(), release));
  }

  /**
   * That of a release.
   *
   * @param population whose records count, where many users feed one subject
   */
  public static SpanShare of(
      SpanCalendar calendar, Optional<Population> population, ReleaseSpec release) {
    if (release.answersQueries()) {
      return new SpanShare(calendar, Rule.LEDGER);
    }
    if (release.schedule() == Schedule.ONCE_A_PERIOD) {
      return new SpanShare(calendar, population.isPresent() ? Rule.FIRST : Rule.LEDGER);
    }
    return new SpanShare(
        calendar, release.horizon() == calendar.mostDue() ? Rule.EVERY_DUE : Rule.LEDGER);
  }

  /** Whether charges are remembered. */
  public boolean hasLedger() {
    return rule == Rule.LEDGER;
  }

  /**
   * In full: two shares that are counted alike go on as one exactly if they have the same text.
   * Granted shares are kept with it, so that it never changes.
   */
  public String canonical() {
    return switch (rule) {
      case EVERY_DUE ->
          calendar.pace() == calendar.windows()
              ? "EveryWindow[" + calendar.cut() + "]"
              : "EveryDue[" + calendar.turns() + "]";
      case FIRST -> "First[" + calendar.turns() + "]";
      case LEDGER -> "Spans[" + calendar.cut() + "]";
    };
  }
}
