// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Entries.end;
import static io.sfumato.topology.Entries.number;
import static io.sfumato.topology.Entries.record;
import static io.sfumato.topology.Fixture.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.serde.JournalEntry.Candidate;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.topology.context.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

/**
 * Steps of a slice, between which a thread looks at its clock: each does as much as it may, and no
 * more, whatever the work is.
 */
class StepsTest {
  private static final long SIZE = 10_000;

  private static final String QUERIES =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, category: what, categories: [a, b, c] }
      window: { size: 10s, grace: 2s }
      budget: { name: test, unit: record, epsilon: 4, delta: 1e-5, period: lifetime }
      releases:
        - histogram: { name: mix, method: laplace, share: { epsilon: 1, delta: 1e-6 }, windows: 9 }
        - abc: { name: coin, threshold: 0.3, share: { epsilon: 0.5, delta: 2e-7 }, queries: 9, keep: 2, waiting: { time: 15s } }
      """;

  private static final String SUMS =
      """
      pipeline: test
      version: 1
      input: { topic: in, subject: who, time: at, values: [x] }
      window: { size: 10s, grace: 2s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: record, epsilon: 2, delta: 1e-5, period: lifetime }
      releases:
        - mean: { name: run, value: x, bounds: [0, 8], running: forever, share: { epsilon: 2, delta: 1e-6 }, windows: 80 }
      """;

  private static Candidate candidate(String subject, int window) {
    return new Candidate(
        "coin",
        "q" + window,
        0,
        1,
        subject,
        NOW + window * SIZE,
        List.of(),
        List.of(0.4, 0.3, 0.3));
  }

  /** Rows that are there: what a step deletes of them is work. */
  private static Set<Bytes> rows(SlicedStateMachine keeper, String store, String kinds) {
    keeper.commit();
    Set<Bytes> rows = new TreeSet<>(keeper.store(store).alive().keySet());
    rows.removeIf(key -> !kinds.isEmpty() && kinds.indexOf(key.get()[0]) < 0);
    return rows;
  }

  private static int gone(Set<Bytes> before, Set<Bytes> after) {
    Set<Bytes> gone = new TreeSet<>(before);
    gone.removeAll(after);
    return gone.size();
  }

  /** How much each step does, until nothing is left. */
  private static List<Integer> steps(SlicedStateMachine keeper, int most, boolean datasets) {
    List<Integer> steps = new ArrayList<>();
    boolean left = true;
    while (left) {
      assertThat(steps).as("steps").hasSizeLessThan(100);
      int outputs = keeper.outputs().size();
      Set<Bytes> meta = rows(keeper, Names.META_STORE, "gx");
      Set<Bytes> data = rows(keeper, Names.DATASET_STORE, "");
      left = keeper.slice(1, most);
      int done = keeper.outputs().size() - outputs;
      done += gone(meta, rows(keeper, Names.META_STORE, "gx"));
      done += datasets ? gone(data, rows(keeper, Names.DATASET_STORE, "")) : 0;
      steps.add(done);
    }
    return steps;
  }

  /** Candidates that expire, releases, answers, datasets that are over, and who was forgotten. */
  private static SlicedStateMachine asked() {
    SlicedStateMachine keeper = SlicedStateMachine.begun(Fixture.plan(QUERIES));
    for (int i = 0; i < 5; i++) {
      keeper.take(record("a" + i, 0));
    }
    keeper.take(end(0), end(1));
    keeper.settle();
    for (int i = 0; i < 5; i++) {
      keeper.take(record("a" + i, 2), candidate("a" + i, 2));
    }
    for (int i = 0; i < 4; i++) {
      keeper.take(candidate("a" + i, 8));
    }
    keeper.take(end(2), NOW + 16_000);
    return keeper;
  }

  @Test
  void aStepDoesAsMuchAsItMayAndNoMore() {
    int all = 4 + 5 + 5 + 5;
    // Those that wait for the closed window are looked at before it is known that they do not
    // expire.
    int looked = all + 5;
    for (int most = 1; most <= 7; most++) {
      List<Integer> steps = steps(asked(), most, true);
      assertThat(steps.stream().mapToInt(Integer::intValue).sum()).isEqualTo(all);
      assertThat(steps).as("steps of %d", most).hasSizeLessThanOrEqualTo(looked / most + 3);
      for (int done : steps) {
        assertThat(done).as("steps of %d: %s", most, steps).isLessThanOrEqualTo(most);
      }
    }
  }

  /** Two windows, the second with more subjects, and memories that go with them. */
  private static SlicedStateMachine summed(String yaml) {
    SlicedStateMachine keeper = SlicedStateMachine.begun(Fixture.plan(yaml));
    List<String> first = List.of("a0", "a1", "a2");
    for (int i = 0; i < 9; i++) {
      String subject = "a" + i;
      int from = first.contains(subject) ? 0 : 1;
      keeper.take(new Enrolment(subject, NOW + from * SIZE));
      for (int window = from; window < 2; window++) {
        keeper.take(number(subject, window));
      }
    }
    keeper.take(end(0), end(1));
    for (int i = 0; i < 9; i++) {
      keeper.take(new Forgetting("a" + i));
    }
    return keeper;
  }

  /** A step that ends a window looks at those too who are not enrolled. */
  @Test
  void aStepDropsNoMoreThanItMay() {
    for (int most = 1; most <= 4; most++) {
      SlicedStateMachine keeper =
          SlicedStateMachine.begun(Fixture.plan(SUMS + "subjects: roster\n"));
      keeper.take(new Enrolment("ann", NOW), number("ann", 0), number("ann", 1));
      for (int i = 0; i < 9; i++) {
        keeper.take(number("s" + i, 0), number("s" + i, 1));
      }
      keeper.take(end(0), end(1));
      List<Integer> steps = steps(keeper, most, true);
      assertThat(rows(keeper, Names.DATASET_STORE, "")).isEmpty();
      for (int done : steps) {
        assertThat(done)
            .as("steps of %d, of which ann's dataset and its release count as two: %s", most, steps)
            .isLessThanOrEqualTo(most + 1);
      }
    }
  }

  @Test
  void aStepThatWalksSubjectsDoesNoMoreThanItMay() {
    for (String yaml : List.of(SUMS + "subjects: roster\n", SUMS)) {
      for (int most = 1; most <= 5; most++) {
        SlicedStateMachine keeper = summed(yaml);
        List<Integer> steps = steps(keeper, most, false);
        assertThat(keeper.outputs()).hasSize(12);
        assertThat(rows(keeper, Names.META_STORE, "fgrx")).isEmpty();
        assertThat(rows(keeper, Names.RUNNING_STORE, "")).isEmpty();
        for (int done : steps) {
          assertThat(done).as("steps of %d: %s", most, steps).isLessThanOrEqualTo(most);
        }
        // Six are enrolled that are not released yet; a window's end is looked at too.
        assertThat(steps).hasSizeLessThanOrEqualTo((12 + 6 + 2 + 9 + 9) / most + 3);
      }
    }
  }

  /** Wherever the look for those who were forgotten before has come. */
  @Test
  void whoIsForgottenBetweenTwoStepsLeavesNothing() {
    for (int before = 0; before < 10; before++) {
      SlicedStateMachine keeper = SlicedStateMachine.begun(Fixture.plan(SUMS));
      keeper.take(number("ann", 0), number("bob", 0), number("cy", 0), end(0));
      keeper.take(new Forgetting("bob"), new Forgetting("cy"));
      for (int step = 0; step < before; step++) {
        keeper.slice(1, 1);
      }
      keeper.take(new Forgetting("ann"));
      keeper.settle();
      assertThat(rows(keeper, Names.RUNNING_STORE, "")).as("after %d steps", before).isEmpty();
      assertThat(rows(keeper, Names.META_STORE, "rx")).as("after %d steps", before).isEmpty();
    }
  }
}
