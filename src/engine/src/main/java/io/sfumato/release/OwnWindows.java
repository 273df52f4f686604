// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.Fields;
import io.sfumato.pipeline.WindowSpec;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads how long an output's windows are. A period of the budget has whole windows of every output:
 * what a user did in a part of one is no neighbour of what is bounded in it.
 *
 * @param window of the file
 * @param period of the budget
 */
record OwnWindows(WindowSpec window, Period period) {
  private static final String FIELD = "window";

  /** Periods count from there, whatever windows do. */
  private static final String ORIGIN = "'window.origin: 1970-01-01'";

  /** A year of seconds. */
  private static final long MOST = 31_622_400;

  /** How many of the file's windows one window of an output has; what is wrong is told. */
  int of(Fields release) {
    Optional<Duration> size = release.optional(ReleaseSections.WINDOW);
    if (size.isEmpty()) {
      return 1;
    }
    String found = "found " + Durations.word(size.get());
    if (window.calendar().isPresent()) {
      release.conflict(
          FIELD, found + " with 'window.zone'", "only where all windows have one length");
      return 1;
    }
    long count = window.countIn(size.get()).orElse(0);
    if (count < 1 || count > MOST) {
      release.problem(FIELD, found, "a multiple of 'window.size', which is " + window.sizeWord());
      return 1;
    }
    int windows = (int) count;
    if (windows > 1) {
      wrongPeriod(size.get(), window.times(windows))
          .ifPresent(
              allowed ->
                  release.conflict(
                      FIELD, found + " with 'budget.period: " + period.word() + "'", allowed));
      window.begin().stream()
          .filter(begin -> window.times(windows).startOf(begin) != begin)
          .forEach(
              begin ->
                  release.conflict(
                      FIELD,
                      found + " with 'window.begin: " + window.startText(begin) + "'",
                      "a 'window.begin' at which a window of this output begins, such as "
                          + window.startText(window.times(windows).firstStartFrom(begin))));
    }
    return windows;
  }

  /** What the period would have to be; nothing if each one has whole windows. */
  private Optional<String> wrongPeriod(Duration size, WindowSpec own) {
    if (period instanceof Period.Lifetime) {
      return Optional.empty();
    }
    if (period instanceof Period.Window) {
      return Optional.of(
          "'budget.period: %s', or of several of these windows: what a user does in one of the longest windows is protected"
              .formatted(Durations.word(size)));
    }
    boolean counted = own.startOf(0) == 0;
    boolean fits =
        period instanceof Period.Fixed fixed && fixed.length().toMillis() % size.toMillis() == 0;
    if (fits && counted) {
      return Optional.empty();
    }
    String allowed =
        fits
            ? ORIGIN + ", from which 'budget.period' counts"
            : "a fixed 'budget.period' of whole windows of this output, such as '"
                + Durations.periodWord(size)
                + (counted ? "'" : "', with " + ORIGIN);
    return Optional.of(allowed + "; or 'lifetime'");
  }
}
