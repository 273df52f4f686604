// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.accounting.Period;
import io.sfumato.pipeline.BudgetSpec;
import io.sfumato.pipeline.Pipeline.Subjects;
import io.sfumato.pipeline.Plurals;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.ReleaseSpec;
import io.sfumato.pipeline.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Whether a file may bound a user's records in a whole period ({@code contributions.per-period}).
 *
 * @param users whose records are bounded
 * @param perPeriod P
 */
record PeriodCheck(Population users, int perPeriod, WindowSpec window, BudgetSpec budget) {
  private static final String FIELD = "field 'contributions.per-period': found ";

  /** That of a file; nothing where windows alone bound records. */
  static Optional<PeriodCheck> of(Population users, WindowSpec window, BudgetSpec budget) {
    return users.perPeriod().stream()
        .mapToObj(most -> new PeriodCheck(users, most, window, budget))
        .findFirst();
  }

  /** What does not fit, each a whole sentence; empty if all does. */
  List<String> of(Subjects subjects, List<ReleaseSpec> releases) {
    List<String> conflicts = new ArrayList<>();
    others(releases).ifPresent(conflicts::add);
    if (subjects == Subjects.DISCOVERED) {
      conflicts.add(
          FIELD
              + "with 'subjects: discover', where what users give to a subject before it is found would be spent for nothing; allowed is a list of subjects");
    }
    period().ifPresent(conflicts::add);
    if (users.chargesRecords()) {
      number().ifPresent(conflicts::add);
    }
    return conflicts;
  }

  /** A record is charged once, for all outputs that it counts in. */
  private Optional<String> others(List<ReleaseSpec> releases) {
    List<String> others =
        releases.stream()
            .filter(release -> !release.chargesRecords())
            .map(release -> "'" + release.name() + "'")
            .toList();
    if (others.isEmpty()) {
      return Optional.empty();
    }
    String names = String.join(", ", others);
    return Optional.of(
        users.oneName().isPresent()
            ? FIELD
                + "beside %s, where records that a user has given to names in earlier windows would be missing; allowed is a pipeline of its own for names that are counted over a period"
                    .formatted(names)
            : FIELD
                + "beside %s, which charges users for whole windows; allowed are 'count' of records, 'mean' with ranges in the file, 'quantile' and 'table'"
                    .formatted(names));
  }

  private Optional<String> period() {
    if (budget.period() instanceof Period.Window) {
      return Optional.of(
          FIELD
              + "with 'budget.period: window', allowed is a period of several windows, such as '%s'"
                  .formatted(window.spanWord()));
    }
    return budget
        .anySpan()
        .map(
            span ->
                FIELD
                    + "with 'budget.period: {any: …}', allowed is a period of fixed length, or a lifetime: it says in which records are added up");
  }

  /** One that bounds nothing, or that no window can reach, is not meant. */
  private Optional<String> number() {
    if (perPeriod < users.records()) {
      return Optional.of(
          FIELD
              + "%d with 'per-window: %d', allowed is at least 'per-window': lower it to %d, since no more of a window ever count"
                  .formatted(perPeriod, users.records(), perPeriod));
    }
    OptionalLong windows = window.mostIn(budget.period());
    if (windows.isPresent() && perPeriod > users.records() * windows.getAsLong()) {
      return Optional.of(
          FIELD
              + "%,d, allowed is at most %,d: 'per-window' lets no more count in the %s of a period"
                  .formatted(
                      perPeriod,
                      users.records() * windows.getAsLong(),
                      Plurals.of(windows.getAsLong(), "window")));
    }
    return Optional.empty();
  }
}
