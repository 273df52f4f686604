// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.gate.NoiseKey;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.serde.JournalEntry.Contribution;
import io.sfumato.topology.context.PipelineMeters;
import io.sfumato.topology.contributions.ContributionStore;
import io.sfumato.topology.contributions.ContributionStore.UserWindow;
import io.sfumato.topology.contributions.Contributions.Entry;
import io.sfumato.topology.dataset.DatasetStore.Key;
import io.sfumato.topology.store.StagedWrites;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What is kept of users: in order, by window and user, whatever was read ahead. */
class ContributionStoreTest {
  private static final long SIZE = 10_000;

  private static final Pipeline PIPELINE =
      Fixture.plan(
"""
pipeline: test
input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
contributions: { per-window: 2, subjects: 1, left-out: 2 }
subjects: [west, east]
window: { size: 10s, clock: ticks, begin: 2026-06-01 }
budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: window }
releases:
  - count: { name: lost, by: left-out, share: { epsilon: 1, delta: 2e-7 } }
""")
          .pipeline();

  private final NoiseKey key = Fixture.deployment(1, PipelineMeters.none()).noiseKey();
  private final WornStore rows = new WornStore("contributions");
  private final StagedWrites staged = new StagedWrites(rows);
  private final ContributionStore users = new ContributionStore(staged, PIPELINE, key);

  private static Contribution record(String user, int window, String subject, int rank) {
    return new Contribution(user, NOW + window * SIZE, subject, 0, rank);
  }

  private void add(String user, int window) {
    users.add(List.of(record(user, window, "west", 1)));
  }

  private static Key key(String user, int window) {
    return new Key(NOW + window * SIZE, user);
  }

  /** "user@window" of the next ones. */
  private List<String> after(Key last, int before, int most) {
    return users.after(Optional.ofNullable(last), NOW + before * SIZE, most).stream()
        .map(UserWindow::key)
        .map(k -> k.subject() + "@" + (k.windowStart() - NOW) / SIZE)
        .toList();
  }

  @Test
  void usersComeInOrderWindowByWindowFromWhereverItIsAsked() {
    add("b", 1);
    add("a", 1);
    add("b", 0);
    add("a", 0);
    add("a", 2);
    assertThat(after(null, 2, 3)).containsExactly("a@0", "b@0", "a@1");
    assertThat(after(key("a", 0), 2, 2)).containsExactly("b@0", "a@1");
    assertThat(after(key("b", 0), 3, 5)).containsExactly("a@1", "b@1", "a@2");
    assertThat(after(key("b", 0), 2, 5)).as("what was read ahead is not closed yet").hasSize(2);
    assertThat(after(null, 1, 5)).as("back to the front").containsExactly("a@0", "b@0");
    assertThat(after(key("a", 2), 3, 5)).isEmpty();
  }

  @Test
  void whatIsDeletedIsNotReadAgain() {
    for (int i = 0; i < 4; i++) {
      add("u" + i, 0);
    }
    assertThat(after(null, 1, 2)).containsExactly("u0@0", "u1@0");
    users.delete(key("u0", 0));
    assertThat(after(null, 1, 2)).containsExactly("u1@0", "u2@0");
    users.forget("u3", NOW);
    staged.flush();
    assertThat(rows.alive()).hasSize(2);
    users.forget("u1", NOW + SIZE);
    staged.flush();
    assertThat(rows.alive()).as("its window is closed").hasSize(2);
  }

  @Test
  void recordsOfOneBatchGoToTheirOwnUsersAndWindows() {
    users.add(
        List.of(
            record("a", 0, "west", 1),
            record("a", 0, "west", 2),
            record("a", 1, "west", 3),
            record("b", 1, "west", 4),
            record("b", 1, "west", 5)));
    assertThat(users.after(Optional.empty(), NOW + 2 * SIZE, 9))
        .extracting(
            window ->
                window.key().subject()
                    + window.contributions().counted().stream().map(Entry::rank).toList())
        .containsExactly("a[1, 2]", "a[3]", "b[4, 5]");
    long before = rows.operations();
    users.add(List.of(record("c", 2, "west", 1), record("c", 2, "west", 2)));
    staged.flush();
    assertThat(rows.operations() - before).as("read once, written once").isEqualTo(2);
  }

  /** Which subject counts is a keyed hash's choice, neither the user's nor the alphabet's. */
  @Test
  void theSubjectWithTheSmallestRankCountsAndTheOthersAreTold() {
    TreeSet<String> chosen = new TreeSet<>();
    for (int i = 0; i < 20; i++) {
      String user = "u" + i;
      users.add(List.of(record(user, 0, "west", 1), record(user, 0, "east", 2)));
      long west = key.rank(user, NOW, "west");
      long east = key.rank(user, NOW, "east");
      UserWindow window = users.after(Optional.empty(), NOW + SIZE, 1).get(0);
      String counts = west < east ? "west" : "east";
      assertThat(window.contributions().counted())
          .extracting(Entry::subject)
          .containsExactly(counts);
      assertThat(users.leftOut(window, window.contributions().counted()))
          .containsExactly(west < east ? "east" : "west");
      chosen.add(counts);
      users.delete(window.key());
    }
    assertThat(chosen).containsExactly("east", "west");
  }

  @Test
  void forgettingLooksAtNoWindowThatIsEmptied() {
    List<Long> costs = new ArrayList<>();
    for (int emptied = 0; emptied <= 3; emptied++) {
      WornStore worn = new WornStore("counting");
      ContributionStore fresh = new ContributionStore(new StagedWrites(worn), PIPELINE, key);
      for (int window = 0; window < 3; window++) {
        fresh.add(List.of(record("a", window, "west", 1)));
      }
      fresh.emptied(NOW + emptied * SIZE);
      long before = worn.operations();
      fresh.forget("nobody", NOW);
      costs.add(worn.operations() - before);
    }
    assertThat(costs).containsExactly(3L, 2L, 1L, 0L);
  }

  /** A process that begins finds the windows that the store has. */
  @Test
  void whoeverGoesOnFindsEveryWindow() {
    add("a", 0);
    add("b", 1);
    add("a", 3);
    staged.flush();
    ContributionStore next = new ContributionStore(new StagedWrites(rows), PIPELINE, key);
    next.forget("a", NOW);
    next.forget("b", NOW);
    next.after(Optional.empty(), NOW + 9 * SIZE, 9);
    assertThat(rows.alive()).isEmpty();
  }
}
