// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static io.sfumato.topology.Fixture.NOW;
import static io.sfumato.topology.UsersRun.SIZE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.gate.StateEpoch;
import io.sfumato.serde.JournalEntry;
import io.sfumato.serde.JournalEntry.Activation;
import io.sfumato.serde.JournalEntry.Departure;
import io.sfumato.serde.JournalEntry.Drained;
import io.sfumato.serde.JournalEntry.Enrolment;
import io.sfumato.serde.JournalEntry.Forgetting;
import io.sfumato.serde.JournalEntry.Genesis;
import io.sfumato.serde.JournalEntry.Observation;
import io.sfumato.serde.JournalEntry.Observations;
import io.sfumato.serde.JournalEntry.Seal;
import io.sfumato.serde.JournalEntry.Skip;
import io.sfumato.serde.JournalEntry.Watermark;
import io.sfumato.topology.context.PipelineStopException;
import io.sfumato.topology.dataset.Contents;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users' contributions are passed on once, charged once, and then gone. */
class ClosedContributionsTest {
  private static final String YAML =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 1 }
      subjects: [west]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 2, delta: 5e-7 }, windows: 2 }
      """;

  private static final int USERS = 5;

  private static UsersRun withAWindow() {
    UsersRun run = UsersRun.begun(YAML);
    for (int i = 0; i < USERS; i++) {
      run.record("u" + i, 0);
    }
    run.commit();
    return run;
  }

  @Test
  void whatWasPassedOnIsKeptNoLonger() {
    UsersRun run = withAWindow();
    run.record("u0", 1);
    run.commit();
    assertThat(run.contributions.alive()).hasSize(USERS + 1);
    run.take(new Watermark(0, NOW + SIZE));
    run.settle();
    assertThat(UsersRun.counted(run.forwarded())).isEqualTo(USERS);
    assertThat(run.contributions.alive()).as("the open window alone").hasSize(1);
    run.take(new Watermark(0, NOW + 2 * SIZE));
    run.settle();
    assertThat(UsersRun.counted(run.forwarded())).isEqualTo(1);
    assertThat(run.contributions.alive()).isEmpty();
  }

  @Test
  void eachUserIsPassedOnAndChargedOnceWhereverSlicesAreCutAndProcessesEnd() {
    for (int steps = 1; steps <= USERS + 1; steps++) {
      UsersRun run = withAWindow();
      run.take(new Watermark(0, NOW + SIZE));
      List<JournalEntry> told = new ArrayList<>(run.forwarded());
      int left = USERS;
      for (int turn = 0; turn < 2 * USERS; turn++) {
        run.steps(steps);
        List<JournalEntry> next = run.forwarded();
        told.addAll(next);
        left -= UsersRun.counted(next);
        assertThat(run.contributions.alive()).as("those who wait").hasSize(left);
        run.restart();
      }
      assertThat(UsersRun.counted(told)).isEqualTo(USERS);
      assertThat(UsersRun.ends(told)).as("told once").containsExactly(1L);
      assertThat(told.get(told.size() - 1)).as("behind all records").isInstanceOf(Watermark.class);
      assertThat(run.ledgers.alive()).hasSize(USERS);
    }
  }

  @Test
  void aProcessThatBeginsAgainGoesOnWithTheFirstWindowThatIsNotPassedOn() {
    UsersRun run = withAWindow();
    run.take(new Watermark(0, NOW + 2 * SIZE));
    run.settle();
    assertThat(UsersRun.ends(run.forwarded())).containsExactly(1L, 2L);
    run.restart();
    run.settle();
    assertThat(run.forwarded()).as("nothing is told again").isEmpty();
    run.record("u0", 2);
    run.take(new Watermark(0, NOW + 3 * SIZE));
    run.settle();
    List<JournalEntry> told = run.forwarded();
    assertThat(UsersRun.counted(told)).isEqualTo(1);
    assertThat(UsersRun.ends(told)).containsExactly(3L);
  }

  @Test
  void aWindowIsPassedOnWhenTheLastSourceHasPassedItsEnd() {
    UsersRun run = new UsersRun(YAML, 2);
    run.take(new Genesis(0, new StateEpoch(7, 7)));
    run.take(new Genesis(1, new StateEpoch(8, 8)));
    run.take(new Watermark(0, NOW), 1);
    run.take(new Watermark(1, NOW), 2);
    run.settle();
    run.forwarded();
    run.record("u0", 0);
    run.take(new Watermark(1, NOW + 2 * SIZE), 40);
    run.settle();
    assertThat(run.forwarded()).as("one is behind").isEmpty();
    assertThat(run.contributions.alive()).hasSize(1);
    run.take(new Watermark(0, NOW + SIZE), 30);
    run.settle();
    List<UsersRun.Told> told = run.told();
    assertThat(told).extracting(UsersRun.Told::timestamp).containsOnly(40L);
    assertThat(told.stream().map(UsersRun.Told::entry).filter(Observations.class::isInstance))
        .hasSize(1);
    assertThat(UsersRun.ends(told.stream().map(UsersRun.Told::entry).toList()))
        .isNotEmpty()
        .containsOnly(1L);
  }

  @Test
  void aUserIsChargedUpToTheShareAndNoFurther() {
    UsersRun run = UsersRun.begun(YAML);
    List<Integer> counted = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    for (int window = 0; window < 4; window++) {
      run.record("u0", window);
      run.take(new Watermark(0, NOW + (window + 1) * SIZE));
      run.settle();
      List<JournalEntry> told = run.forwarded();
      counted.add(UsersRun.counted(told));
      ends.addAll(UsersRun.ends(told));
      assertThat(run.contributions.alive()).as("kept by nobody, charged or not").isEmpty();
      // What is spent is read, not remembered.
      run.restart();
    }
    assertThat(counted).as("two windows of budget").containsExactly(1, 1, 0, 0);
    assertThat(ends).containsExactly(1L, 2L, 3L, 4L);
    assertThat(run.ledgers.alive()).hasSize(1);
  }

  @Test
  void whoIsForgottenInAClosedWindowIsPassedOnInTheirTurnAndGoneAfterIt() {
    UsersRun run = withAWindow();
    run.record("u0", 1);
    run.take(new Watermark(0, NOW + SIZE));
    run.take(new Forgetting("u0"));
    run.commit();
    assertThat(run.contributions.alive()).as("the open window's row").hasSize(USERS);
    run.settle();
    assertThat(UsersRun.counted(run.forwarded())).isEqualTo(USERS);
    assertThat(run.contributions.alive()).isEmpty();
  }

  @Test
  void aSealPassesOnWhatIsClosedAndTellsOnceThatNothingFollows() {
    UsersRun run = withAWindow();
    run.take(new Watermark(0, NOW + SIZE));
    run.take(new Seal());
    run.steps(1);
    assertThat(run.forwarded()).as("not yet").doesNotHaveAnyElementsOfTypes(Drained.class);
    run.settle();
    List<JournalEntry> told = run.forwarded();
    assertThat(told.get(told.size() - 1)).isInstanceOf(Drained.class);
    assertThat(told).filteredOn(Drained.class::isInstance).hasSize(1);
    assertThat(UsersRun.ends(told)).containsExactly(1L);
  }

  /** A crash while others still release must not stop them at the next start. */
  @Test
  void shouldIdleWithADrainedStateUntilItIsSealedAgain() {
    UsersRun run = withAWindow();
    run.take(new Seal());
    run.settle();
    assertThat(run.forwarded()).hasSize(1).first().isInstanceOf(Drained.class);
    run.restart();
    run.settle();
    assertThat(run.forwarded()).as("nothing more").isEmpty();
    assertThatThrownBy(() -> run.take(new Seal())).isInstanceOf(PipelineStopException.class);
  }

  /** A state that lost what intake knew would count records of a window twice. */
  @Test
  void aRecordOfAClosedWindowAndASourceThatBeginsAnewStopTheKeeper() {
    UsersRun run = withAWindow();
    run.take(new Watermark(0, NOW + SIZE));
    assertThatThrownBy(() -> run.record("late", 0))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("a window that is closed");
    run.record("in time", 1);
    assertThatThrownBy(() -> run.take(new Genesis(0, new StateEpoch(9, 9))))
        .isInstanceOf(PipelineStopException.class)
        .hasMessageContaining("restarted from an offset before");
  }

  /** What concerns subjects goes on to their keepers, from the first window that is open here. */
  @Test
  void changesOfTheRosterAndSkipsReachTheSubjects() {
    UsersRun run = withAWindow();
    run.take(new Watermark(0, NOW + SIZE));
    run.take(new Enrolment("north", NOW));
    run.take(new Departure("south", NOW));
    run.take(new Enrolment("east", NOW + 3 * SIZE + 1));
    run.take(new Skip("tag"));
    assertThat(run.forwarded())
        .containsExactly(
            new Enrolment("north", NOW + SIZE),
            new Departure("south", NOW + SIZE),
            new Enrolment("east", NOW + 4 * SIZE),
            new Skip("tag"));
  }

  @Test
  void whatWatchersHear() {
    UsersRun run = withAWindow();
    assertThat(run.metered).filteredOn("observed 1"::equals).hasSize(USERS);
    run.metered.clear();
    run.take(new Watermark(0, NOW + SIZE));
    run.take(new Forgetting("u0"));
    run.commit();
    run.punctuate();
    run.steps(100);
    run.close();
    assertThat(run.metered).containsExactly("held back by -1", "forgot 1", "done", "left");
  }

  /** A process that begins in the middle does what is closed without waiting for a record. */
  @Test
  void aRecordIsEnoughToGoOn() {
    UsersRun run = withAWindow();
    run.take(new Watermark(0, NOW + SIZE));
    run.commit();
    run.restart();
    run.give(100);
    run.record("u9", 1);
    run.commit();
    assertThat(UsersRun.counted(run.forwarded())).isEqualTo(USERS);
  }

  /** What nobody knew to lie before the beginning costs nobody, and goes. */
  @Test
  void whatLiesBeforeTheBeginningIsDeletedAndChargedToNobody() {
    UsersRun run = new UsersRun(YAML, 1);
    for (int i = 0; i < USERS; i++) {
      run.kept("u" + i, -1);
    }
    run.kept("u0", 0);
    run.restart();
    run.take(new Genesis(0, new StateEpoch(7, 7)));
    run.forwarded();
    run.take(new Watermark(0, NOW));
    run.steps(2);
    assertThat(run.contributions.alive()).hasSize(USERS + 1 - 2);
    assertThat(run.forwarded()).as("not yet").doesNotHaveAnyElementsOfTypes(Watermark.class);
    run.restart();
    run.settle();
    assertThat(run.contributions.alive()).as("the first window's").hasSize(1);
    List<JournalEntry> told = run.forwarded();
    assertThat(UsersRun.counted(told)).isZero();
    assertThat(UsersRun.ends(told)).containsExactly(0L);
    assertThat(run.ledgers.alive()).isEmpty();
    run.take(new Watermark(0, NOW + SIZE));
    run.settle();
    told = run.forwarded();
    assertThat(UsersRun.counted(told)).isEqualTo(1);
    assertThat(UsersRun.ends(told)).containsExactly(1L);
  }

  /** Nothing of what is over stays: ledgers of past windows, closing times. */
  @Test
  void ledgersOfWindowsThatAreOverAreDeleted() {
    UsersRun run =
        UsersRun.begun(
            YAML.replace("period: lifetime", "period: window").replace(", windows: 2", ""));
    int meta = run.meta.alive().size();
    for (int window = 0; window < 4; window++) {
      run.record("u0", window);
      run.commit();
      run.take(new Watermark(0, NOW + (window + 1) * SIZE));
      run.settle();
      assertThat(UsersRun.counted(run.forwarded())).as("each window has its own").isEqualTo(1);
      // One ledger of the window that was decided last, if any: rows go behind the commit.
      assertThat(run.ledgers.alive().size()).isLessThanOrEqualTo(1);
    }
    run.settle();
    assertThat(run.ledgers.alive()).isEmpty();
    assertThat(run.meta.alive().size())
        .as("no boundary, no time stays")
        .isLessThanOrEqualTo(meta + 1);
  }

  private static final String TOLD =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1, left-out: 2 }
      subjects: [west, east]
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 4, delta: 1e-6, period: lifetime }
      releases:
        - count: { name: n, share: { epsilon: 1, delta: 2e-7 }, windows: 2 }
        - count: { name: lost, by: left-out, share: { epsilon: 1, delta: 2e-7 }, windows: 2 }
      """;

  private static final String FOUND =
      """
      pipeline: test
      input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b] }
      contributions: { per-window: 2, subjects: 1, left-out: 2 }
      subjects: { discover: { name: places, share: { epsilon: 1, delta: 1e-6 } } }
      window: { size: 10s, clock: ticks, begin: 2026-06-01 }
      budget: { name: test, unit: user, epsilon: 2, delta: 2e-6, period: window }
      releases:
        - count: { name: lost, by: left-out, share: { epsilon: 1, delta: 1e-6 } }
      """;

  /** Each record that counts, one mark of each that is left out, one of a user in a subject. */
  @Test
  void whoCountsAndWhatIsLeftOutIsToldBesideTheRecords() {
    assertThat(toldOfThree(TOLD)).containsExactly(0L, 0L, leftOut(TOLD));
    assertThat(toldOfThree(FOUND))
        .containsExactly(
            0L, 0L, leftOut(FOUND), Contents.Layout.user(Fixture.plan(FOUND).pipeline()));
  }

  private static long leftOut(String yaml) {
    return Contents.Layout.leftOut(Fixture.plan(yaml).pipeline());
  }

  private static List<Long> toldOfThree(String yaml) {
    UsersRun run = UsersRun.begun(yaml);
    run.records("u0", 0, "west", "west", "west");
    run.take(new Watermark(0, NOW + SIZE));
    run.settle();
    List<Observation> told =
        run.forwarded().stream()
            .filter(Observations.class::isInstance)
            .flatMap(entry -> ((Observations) entry).records().stream())
            .toList();
    assertThat(told).extracting(Observation::subject).containsOnly("west");
    return told.stream().map(Observation::category).toList();
  }

  /** One turn is bounded, whatever the clock says: 2,000 users. */
  @Test
  void aTurnPassesNoMoreOnThanItMay() {
    UsersRun run = new UsersRun(YAML, 1);
    for (int i = 0; i < 2_010; i++) {
      run.kept("u" + i, 0);
      run.kept("u" + i, -1);
    }
    run.restart();
    run.atOnce = Integer.MAX_VALUE;
    run.take(new Genesis(0, new StateEpoch(7, 7)));
    run.take(new Watermark(0, NOW));
    run.steps(Integer.MAX_VALUE);
    assertThat(run.contributions.alive()).as("before the beginning too").hasSize(2_020);
    run.steps(Integer.MAX_VALUE);
    assertThat(run.contributions.alive()).hasSize(2_010);
    run.forwarded();
    run.take(new Watermark(0, NOW + SIZE));
    run.metered.clear();
    run.steps(Integer.MAX_VALUE);
    assertThat(UsersRun.counted(run.forwarded())).isEqualTo(2_000);
    assertThat(run.metered).containsExactly("left over");
    run.steps(Integer.MAX_VALUE);
    assertThat(UsersRun.counted(run.forwarded())).isEqualTo(10);
    assertThat(run.metered).containsExactly("left over", "done");
  }

  /**
   * An output that is drawn once a period costs a user one charge, in the window it is drawn of.
   */
  @Test
  void whatIsDrawnOnceAPeriodIsChargedOnce() {
    UsersRun run =
        UsersRun.begun(
            """
            pipeline: test
            input: { topic: in, subject: ward, user: who, time: at, category: what, categories: [a, b], values: [x] }
            contributions: { per-window: 1 }
            subjects: [west]
            window: { size: 10s, clock: ticks, begin: 2026-06-01 }
            budget: { name: test, unit: user, epsilon: 9, delta: 1e-6, period: 30s }
            releases:
              - bounds: { name: range, value: x, share: { epsilon: 1 } }
              - mean: { name: means, value: x, bounds: [0, 8], by: total, share: { epsilon: 1 } }
            """);
    for (int window = 0; window < 2; window++) {
      run.number("u0", window, 1.5);
      run.take(new Watermark(0, NOW + (window + 1) * SIZE));
      run.settle();
      assertThat(UsersRun.counted(run.forwarded())).as("window %d", window).isEqualTo(1);
    }
    assertThat(run.ledgers.alive()).as("one for each output").hasSize(2);
  }

  /** It goes on, and whoever watches hears that the others wait. */
  @Test
  void shouldSayThatAVersionIsAnnouncedForAClosedWindow() {
    UsersRun run = UsersRun.begun(YAML);
    run.take(new Watermark(0, NOW + 2 * SIZE));
    run.settle();
    run.take(new Activation(2, NOW + SIZE, "00", "tag"));
    run.settle();
    assertThat(run.metered).containsOnlyOnce("version 2 is too late for 1");
    run.take(new Activation(2, NOW + 2 * SIZE, "00", "tag"));
    run.settle();
    assertThat(run.metered.stream().filter(line -> line.contains("too late"))).hasSize(1);
  }
}
