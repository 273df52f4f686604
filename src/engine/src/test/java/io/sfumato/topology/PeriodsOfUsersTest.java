// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.UsersRun.SIZE;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a user's records are bounded in a whole period: so many, each name so often. */
class PeriodsOfUsersTest {
  /** Periods of eight windows. */
  private static final int PERIOD = 8;

  private static final String YAML =
"""
pipeline: test
input:
  topic: in
  subject: land
  user: who
  time: at
  category: what
  categories: { discover: { name: terms, share: { epsilon: 1, delta: 1e-6 }, running: 8, test-every: 1 } }
contributions: { per-window: 4, per-period: 5 }
subjects: roster
window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
budget: { name: test, unit: user, epsilon: 1, delta: 1e-6, period: 80s }
""";

  private final UsersRun run = UsersRun.begun(YAML);

  private void records(String user, int window, String... names) {
    List<Contribution> records = new ArrayList<>();
    for (String name : names) {
      records.add(
          new Contribution(user, NOW + window * SIZE, "west", 0, records.size(), List.of(), name));
    }
    run.take(new Contributions(records));
  }

  /** Names that count of a window that ends now. */
  private List<String> close(int window) {
    run.take(new Watermark(0, NOW + (window + 1) * SIZE));
    run.settle();
    return run.forwarded().stream()
        .filter(Observations.class::isInstance)
        .flatMap(entry -> ((Observations) entry).records().stream())
        .map(Observation::name)
        .toList();
  }

  @Test
  void aNameCountsOnceInAPeriodAndSoManyNamesInAll() {
    records("ann", 0, "a", "b");
    assertThat(close(0)).containsExactly("a", "b");
    assertThat(run.periods.alive()).hasSize(1);
    run.restart();
    records("ann", 1, "a", "c");
    records("bob", 1, "a");
    assertThat(close(1)).as("of ann the new one, of bob his").containsExactly("c", "a");
    records("ann", 2, "d", "e", "f");
    assertThat(close(2)).as("five in all").containsExactly("d", "e");
    records("ann", 3, "g");
    assertThat(close(3)).isEmpty();
    assertThat(run.contributions.alive()).isEmpty();
    records("ann", PERIOD, "a", "g");
    assertThat(close(PERIOD)).as("another period").containsExactly("a", "g");
    run.settle();
    assertThat(run.periods.alive()).as("nothing stays of the one before").hasSize(1);
    assertThat(run.ledgers.alive()).hasSize(1);
  }

  /** A guess could be tested against the hashes. */
  @Test
  void hashesOfAUserWhoIsForgottenGoAndNothingMoreCountsInThePeriod() {
    records("ann", 0, "a");
    records("bob", 0, "a");
    close(0);
    assertThat(run.periods.alive()).hasSize(2);
    run.take(new Forgetting("ann"));
    run.settle();
    assertThat(run.periods.alive()).as("bob's").hasSize(1);
    records("ann", 1, "b");
    records("bob", 1, "b");
    assertThat(close(1)).as("bob's").containsExactly("b");
    records("ann", PERIOD, "a");
    assertThat(close(PERIOD)).as("another period").containsExactly("a");
  }

  /** A window that is closed is decided as if the forgetting had come after it. */
  @Test
  void whoIsForgottenWhileAClosedWindowWaitsCountsInItAndIsForgottenThen() {
    records("ann", 0, "a");
    close(0);
    records("ann", 1, "a", "b");
    run.take(new Watermark(0, NOW + 2 * SIZE));
    run.take(new Forgetting("ann"));
    run.commit();
    run.restart();
    assertThat(run.periods.alive()).as("hers, and when to delete them").hasSize(2);
    assertThat(close(2)).as("a has counted").containsExactly("b");
    assertThat(run.periods.alive()).isEmpty();
    records("ann", 3, "c");
    assertThat(close(3)).isEmpty();
  }
}
