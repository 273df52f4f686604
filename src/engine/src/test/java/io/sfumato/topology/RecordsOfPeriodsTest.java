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

/** Where at most P records of a user count in a period, and at most C in a window. */
class RecordsOfPeriodsTest {
  /** Periods of eight windows. */
  private static final int PERIOD = 8;

  private static final String YAML =
"""
pipeline: test
input: { topic: in, subject: land, user: who, time: at, category: what, categories: [a, b] }
contributions: { per-window: 2, per-period: 3 }
subjects: roster
window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
budget: { name: test, unit: user, epsilon: 2, delta: 2e-6, period: 80s }
releases:
  - count: { name: hourly, by: total, method: laplace, share: { epsilon: 1, delta: 1e-6 } }
  - count: { name: sum, by: total, running: 8, share: { epsilon: 1, delta: 1e-6 } }
""";

  private static final String LEFT_OUT =
      YAML.replace("per-period: 3", "per-period: 3, left-out: 2")
          .replace("name: sum, by: total, running: 8", "name: lost, by: left-out");

  private UsersRun run = UsersRun.begun(YAML);

  private void records(String user, int window, int times) {
    List<Contribution> records = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      records.add(
          new Contribution(user, NOW + window * SIZE, "west", 0, records.size(), List.of(), ""));
    }
    run.take(new Contributions(records));
  }

  /** How many records count of a window that ends now. */
  private int close(int window) {
    run.take(new Watermark(0, NOW + (window + 1) * SIZE));
    run.settle();
    List<Observation> counted =
        run.forwarded().stream()
            .filter(Observations.class::isInstance)
            .flatMap(entry -> ((Observations) entry).records().stream())
            .toList();
    return counted.size();
  }

  @Test
  void shouldCountEarlyWindowsInFullAndLateOnesShort() {
    records("ann", 0, 5);
    assertThat(close(0)).as("C").isEqualTo(2);
    run.restart();
    records("ann", 1, 5);
    records("bob", 1, 1);
    assertThat(close(1)).as("what is left of P, and bob's").isEqualTo(2);
    records("ann", 2, 1);
    records("bob", 2, 2);
    assertThat(close(2)).as("bob's").isEqualTo(2);
    records("bob", 3, 1);
    assertThat(close(3)).isZero();
    records("ann", PERIOD, 1);
    assertThat(close(PERIOD)).as("another period").isEqualTo(1);
  }

  /** One late record more or less of one period changes nothing of the next. */
  @Test
  void shouldDecideEachPeriodByItsOwnRecords() {
    records("ann", PERIOD - 1, 2);
    assertThat(close(PERIOD - 1)).isEqualTo(2);
    records("ann", PERIOD, 2);
    assertThat(close(PERIOD)).isEqualTo(2);
    records("ann", PERIOD + 1, 2);
    assertThat(close(PERIOD + 1)).isEqualTo(1);
  }

  /** A window of the period that closes when the next one has begun already is still bounded. */
  @Test
  void shouldKeepTheCountUntilTheLastWindowOfThePeriodIsClosed() {
    records("ann", 0, 2);
    close(0);
    records("ann", PERIOD - 1, 2);
    records("ann", PERIOD, 2);
    run.commit();
    run.restart();
    run.take(new Watermark(0, NOW + (PERIOD + 1) * SIZE));
    for (int window = 0; window <= PERIOD; window++) {
      run.settle();
    }
    assertThat(
            run.forwarded().stream()
                .filter(Observations.class::isInstance)
                .flatMap(entry -> ((Observations) entry).records().stream())
                .map(Observation::windowStart))
        .containsExactly(NOW + (PERIOD - 1) * SIZE, NOW + PERIOD * SIZE, NOW + PERIOD * SIZE);
  }

  /** Who is forgotten gets no second P. */
  @Test
  void shouldKeepTheCountOfAUserWhoIsForgotten() {
    records("ann", 0, 2);
    close(0);
    run.take(new Forgetting("ann"));
    run.settle();
    records("ann", 1, 2);
    assertThat(close(1)).as("of three in all").isEqualTo(1);
    records("ann", 2, 2);
    assertThat(close(2)).isZero();
  }

  /** What is cut off by either bound is left out, and bounded by itself. */
  @Test
  void shouldCountWhatThePeriodLeavesOut() {
    run = UsersRun.begun(LEFT_OUT);
    records("ann", 0, 3);
    assertThat(close(0)).as("two of three, and one that is left out").isEqualTo(3);
    records("ann", 1, 2);
    assertThat(close(1)).as("one of two, and one that is left out").isEqualTo(2);
    records("ann", 2, 2);
    assertThat(close(2)).as("the third that is left out").isEqualTo(1);
    records("ann", 3, 2);
    assertThat(close(3)).isZero();
  }

  /** No names, no store of them. */
  @Test
  void shouldNeedNoStoreBesideTheLedger() {
    records("ann", 0, 2);
    close(0);
    assertThat(run.periods.alive()).isEmpty();
    assertThat(run.ledgers.alive()).as("one a share").hasSize(2);
  }
}
