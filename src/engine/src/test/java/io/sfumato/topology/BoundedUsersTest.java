// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.StateEpoch;
import io.sfumato.serde.JournalCodec;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.serde.JournalEntry.Contributions;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.Names;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.context.Slices;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One entry about one user costs the same however many others wait to be passed on. */
class BoundedUsersTest {
  private static final long SIZE = 10_000;

  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 2, delta: 5e-7 }, windows: 4 }
      """;

  /** The users' keeper, with slices only where it is told. */
  private static final class Users {
    final List<WornStore> stores =
        Stream.of(Names.META_STORE, Names.LEDGER_STORE, Names.CONTRIBUTION_STORE)
            .map(WornStore::new)
            .toList();
    final ProcessorRun<byte[]> keeper;
    boolean slicing;
    long offset;

    Users() {
      Slices resting =
          new Slices() {
            @Override
            public boolean begin() {
              return slicing;
            }

            @Override
            public boolean mayContinue() {
              return true;
            }

            @Override
            public void end(boolean left) {}
          };
      keeper =
          ProcessorRun.users(
              Fixture.plan(YAML),
              Fixture.deployment(1, PipelineMeters.none())
                  .watchedBy((draw, input) -> {}, () -> resting),
              stores);
      take(new Genesis(0, new StateEpoch(7, 7)));
      take(new Watermark(0, NOW));
      settle();
    }

    void take(JournalEntry entry) {
      keeper.take(offset++, JournalCodec.encode(entry), NOW);
    }

    void window(int users, int window) {
      for (int i = 0; i < users; i++) {
        take(
            new Contributions(
                List.of(new Contribution("u" + i, NOW + window * SIZE, "west", 0, 1))));
      }
    }

    void settle() {
      slicing = true;
      for (int turn = 0; turn < 20; turn++) {
        keeper.punctuate();
      }
      slicing = false;
      keeper.commit();
    }

    long operations() {
      return stores.stream().mapToLong(WornStore::operations).sum();
    }

    /** Users whose records have been passed on, and have not been told before. */
    List<Integer> counted() {
      return keeper.forwarded().stream()
          .map(ProcessorRun.Forwarded::entry)
          .filter(Observations.class::isInstance)
          .map(entry -> ((Observations) entry).records().stream().map(Observation::subject))
          .map(subjects -> (int) subjects.count())
          .toList();
    }
  }

  private static long forgetting(int users) {
    Users keeper = new Users();
    keeper.window(users, 0);
    keeper.take(new Watermark(0, NOW + SIZE));
    keeper.window(users, 1);
    keeper.keeper.commit();
    keeper.keeper.forwarded();
    long before = keeper.operations();
    keeper.take(new Forgetting("u3"));
    keeper.keeper.commit();
    long cost = keeper.operations() - before;
    assertThat(keeper.keeper.forwarded()).as("nobody is passed on").isEmpty();
    keeper.settle();
    assertThat(keeper.counted()).as("the closed window is what it was").containsExactly(users);
    keeper.take(new Watermark(0, NOW + 2 * SIZE));
    keeper.settle();
    assertThat(keeper.counted()).as("the open one is without her").containsExactly(users - 1);
    return cost;
  }

  @Test
  void forgettingAUserPassesNobodyOn() {
    assertThat(forgetting(400)).isLessThanOrEqualTo(forgetting(10));
  }

  @Test
  void forgettingTenTimesAsManyCostsTenTimesAsMuch() {
    assertThat(forgettingAll(1_000)).isLessThanOrEqualTo(12 * forgettingAll(100));
  }

  private static long forgettingAll(int users) {
    Users keeper = new Users();
    keeper.window(users, 0);
    keeper.window(users, 1);
    keeper.keeper.commit();
    long before = keeper.operations();
    for (int i = 0; i < users; i++) {
      keeper.take(new Forgetting("u" + i));
      keeper.keeper.commit();
    }
    return keeper.operations() - before;
  }
}
