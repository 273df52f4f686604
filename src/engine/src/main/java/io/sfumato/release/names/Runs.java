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
  /** So many are named. */
  private static final int NAMED = 3;

  private long begin() {
    return window.begin().orElse(window.origin());
  }

  private long length() {
    return Math.multiplyExact(window.size().toMillis(), windows);
  }

  /** When the first ones begin. */
  String begins() {
    return LongStream.range(0, NAMED)
        .mapToObj(run -> WindowSpec.beginText(begin() + run * length()))
        .collect(Collectors.joining(", "));
  }

  /** That a user's records of one run are bounded in two periods, and what to do about it. */
  Optional<String> warning() {
    if (!boundsPeriods || !(period instanceof Period.Fixed fixed)) {
      return Optional.empty();
    }
    long periods = fixed.length().toMillis();
    String word = Durations.word(fixed.length());
    if (periods % length() != 0) {
      return Optional.of(
          "no whole number of runs of %,d windows fills a period of %s: a user counts once a name and period, hence twice or not at all in a run across its end; choose 'running' or 'period' so that they fit"
              .formatted(windows, word));
    }
    long late = Math.floorMod(begin(), periods);
    return late % length() == 0
        ? Optional.empty()
        : Optional.of(
            "runs begin where windows do, and periods of %s at multiples of it from 1970-01-01: a user counts once a name and period, hence twice or not at all in a run across its end; with begin: %s both begin together"
                .formatted(word, WindowSpec.beginText(begin() - late + periods)));
  }
}
