// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.names;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.Durations;
import io.sfumato.pipeline.WindowSpec;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * Runs of windows whose counts are added up, and how they lie to the periods of a budget.
 *
 * @param window of the file
 * @param windows T, of a run
 * @param period of the budget
 * @param boundsPeriods whether what of a user counts is bounded in a period, whatever runs there
 *     are
 */
record Runs(WindowSpec window, int windows, Period period, boolean boundsPeriods) {
  private static final int LOOKED_AT = 1_000;

  /** So many are named. */
  private static final int NAMED = 3;

  /** When the first ones begin. */
  String begins() {
    return LongStream.range(0, NAMED)
        .mapToObj(run -> window.startText(window.plus(window.first(), run * windows)))
        .collect(Collectors.joining(", "));
  }

  /** That a user's records of one run are bounded in two periods, and what to do about it. */
  Optional<String> warning() {
    if (boundsPeriods && period instanceof Period.Local local) {
      return warning(local);
    }
    if (!boundsPeriods || !(period instanceof Period.Fixed fixed)) {
      return Optional.empty();
    }
    long periods = fixed.length().toMillis();
    long run = window.lasting(windows).toMillis();
    String word = Durations.word(fixed.length());
    if (periods % run != 0) {
      return Optional.of(
          "no whole number of runs of %,d windows fills a period of %s: a user counts once a name and period, hence twice or not at all in a run across its end; choose 'running' or 'period' so that they fit"
              .formatted(windows, word));
    }
    long late = Math.floorMod(window.first(), periods);
    return late % run == 0
        ? Optional.empty()
        : Optional.of(
            "runs begin where windows do, and periods of %s at multiples of it from 1970-01-01: a user counts once a name and period, hence twice or not at all in a run across its end; with begin: %s both begin together"
                .formatted(word, window.startText(window.first() - late + periods)));
  }

  /** Runs that lie across the end of one of the calendar's periods, of many years' runs. */
  private Optional<String> warning(Period.Local local) {
    long start = window.first();
    for (int run = 0; run < LOOKED_AT; run++) {
      long next = window.plus(start, windows);
      if (local.indexOf(start) != local.indexOf(window.plus(next, -1))) {
        return Optional.of(
            "the run of %,d windows from %s lies across the end of a period of %s: a user counts once a name and period, hence twice or not at all in that run; choose 'running' or 'period' so that they fit"
                .formatted(windows, window.startText(start), local.spoken()));
      }
      start = next;
    }
    return Optional.empty();
  }
}
