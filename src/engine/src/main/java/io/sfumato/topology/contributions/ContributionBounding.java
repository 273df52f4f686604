// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.contributions;

import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.Selections;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.topology.budget.ExpiredLedgers;
import io.sfumato.topology.contributions.ContributionStore.UserWindow;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.dataset.Contents;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Which records of a user's closed window count in one question of the file: a function of this
 * user's records and ledger.
 */
final class ContributionBounding {
  private final int question;
  private final int selection;
  private final Population bounds;
  private final ContributionStore users;
  private final UserCharger ledgers;
  private final Optional<PeriodRecords> periods;
  private final ExpiredLedgers past;
  private final Optional<UserArrivals> arrivals;

  /** Whether each record that counts is charged, whatever its name is. */
  private final boolean chargesRecords;

  private final boolean countsBeyond;

  /** In the place of a category: a record that does not count. */
  private final long leftOut;

  /** Likewise: the user has records of the subject that count. Empty where nobody asks. */
  private final OptionalLong counts;

  /**
   * @param pipeline as the file says it
   * @param question its number, 0 for that of the file
   * @param periods where records of a whole period are bounded by their names
   * @param arrivals where distinct users are counted
   */
  ContributionBounding(
      Pipeline pipeline,
      int question,
      ContributionStore users,
      UserCharger ledgers,
      Optional<PeriodRecords> periods,
      ExpiredLedgers past,
      Optional<UserArrivals> arrivals) {
    Pipeline part = pipeline.parts().get(question);
    this.question = question;
    this.selection = Selections.of(pipeline).of(question);
    this.bounds = part.population().orElseThrow();
    this.users = users;
    this.ledgers = ledgers;
    this.periods = periods;
    this.past = past;
    this.arrivals = arrivals;
    this.chargesRecords = bounds.chargesRecords();
    this.countsBeyond = part.countsBeyond();
    this.leftOut = Contents.Layout.leftOut(part);
    this.counts =
        part.countsUsers() ? OptionalLong.of(Contents.Layout.user(part)) : OptionalLong.empty();
  }

  /** A user's closed window: all that counts of it is charged, or nothing of it counts. */
  List<Observation> of(UserWindow closed) {
    String user = closed.key().subject();
    long start = closed.key().windowStart();
    Contributions mine = users.within(closed, selection, bounds);
    List<Entry> counted = charged(user, start, mine.counted());
    List<Observation> all = new ArrayList<>();
    for (var entry : counted) {
      all.add(
          new Observation(
              entry.subject(), start, entry.category(), entry.values(), 0, entry.name(), question));
    }
    leftOut(closed, counted).forEach(subject -> all.add(marker(subject, start, leftOut)));
    counts.ifPresent(
        place ->
            counted.stream()
                .map(entry -> entry.subject())
                .distinct()
                .forEach(subject -> all.add(marker(subject, start, place))));
    if (!counted.isEmpty()) {
      // Distinct users have paid for their windows, too.
      arrivals.ifPresent(cells -> all.addAll(cells.of(user, start, mine, beyond(closed, mine))));
    }
    return all;
  }

  /** Those that are charged for: where a period is bounded the first for which there is room. */
  private List<Entry> charged(String user, long start, List<Entry> counted) {
    if (counted.isEmpty()) {
      return counted;
    }
    if (chargesRecords) {
      return counted.subList(0, ledgers.charge(user, start, counted.size()));
    }
    if (periods.isEmpty()) {
      return ledgers.charge(user, start, counted.size()) > 0 ? counted : List.of();
    }
    PeriodRecords.OfUser before = periods.get().of(user, past.chargeable(start));
    List<Entry> allowed = before.allowed(counted);
    // A ledger that came from elsewhere knows how many records there were, not of which names.
    if (allowed.isEmpty() || before.records() != ledgers.charged(user, start)) {
      return List.of();
    }
    List<Entry> charged = allowed.subList(0, ledgers.charge(user, start, allowed.size()));
    if (!charged.isEmpty()) {
      before.add(charged.size());
    }
    return charged;
  }

  /**
   * Subjects of records that are counted as left out. Where each record is charged, these are too,
   * from a share of their own: who has used up one bound is still in the other.
   */
  private List<String> leftOut(UserWindow closed, List<Entry> counted) {
    if (bounds.leftOut().isEmpty()) {
      return List.of();
    }
    if (!chargesRecords) {
      return counted.isEmpty() ? List.of() : users.leftOut(closed, counted);
    }
    List<String> lost = users.leftOut(closed, counted);
    return lost.isEmpty()
        ? lost
        : lost.subList(
            0,
            ledgers.chargeLeftOut(closed.key().subject(), closed.key().windowStart(), lost.size()));
  }

  private List<String> beyond(UserWindow closed, Contributions mine) {
    return countsBeyond ? users.beyond(closed, selection, bounds, mine) : List.of();
  }

  private Observation marker(String subject, long start, long place) {
    return new Observation(subject, start, place, List.of(), 0, "", question);
  }
}
