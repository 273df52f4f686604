// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.journal.JournalClock;
import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.MetaStore;
import org.junit.jupiter.api.Test;

/** What time it is in the journal, and what time it was when windows closed. */
class JournalClockTest {
  private static final long SIZE = 10_000;

  private final WornStore boundaryRows = new WornStore("boundaries");
  private final WornStore rows = new WornStore("clock");
  private final StagedWrites staged = new StagedWrites(rows);
  private final Watermarks watermarks =
      new Watermarks(Fixture.sources(1), new MetaStore(new StagedWrites(boundaryRows)));
  private JournalClock clock = new JournalClock(staged, watermarks);

  private void pass(long window, long time) {
    watermarks.pass(0, window * SIZE, time);
    clock.pass(time);
  }

  /** Another process, with what is written. */
  private void restart() {
    staged.flush();
    clock = new JournalClock(staged, watermarks);
  }

  private long kept(char kind) {
    staged.flush();
    return rows.alive().keySet().stream().filter(key -> key.get()[0] == kind).count();
  }

  @Test
  void itIsTheLatestTimeOfABoundary() {
    assertThat(clock.now()).isEqualTo(Long.MIN_VALUE);
    pass(1, 5);
    assertThat(clock.now()).isEqualTo(5);
    pass(2, 3);
    assertThat(clock.now()).as("it does not go back").isEqualTo(5);
    pass(4, 9);
    assertThat(clock.now()).isEqualTo(9);
    for (int process = 0; process < 2; process++) {
      assertThat(clock.firstAfter(Long.MIN_VALUE)).isEqualTo(5);
      assertThat(clock.firstAfter(4)).isEqualTo(5);
      assertThat(clock.firstAfter(5)).isEqualTo(9);
      assertThat(clock.lastBeforeClose(SIZE)).isEqualTo(Long.MIN_VALUE);
      assertThat(clock.lastBeforeClose(2 * SIZE)).isEqualTo(5);
      assertThat(clock.lastBeforeClose(3 * SIZE)).isEqualTo(5);
      assertThat(clock.lastBeforeClose(4 * SIZE)).isEqualTo(5);
      restart();
    }
    assertThat(clock.now()).isEqualTo(9);
  }

  @Test
  void whatNobodyAsksForAnyMoreIsForgottenButThePresent() {
    pass(1, 5);
    pass(2, 7);
    pass(3, 9);
    assertThat(kept('k')).isEqualTo(3);
    clock.forgetTimes();
    assertThat(kept('k')).isEqualTo(1);
    assertThat(clock.now()).isEqualTo(9);
    assertThat(kept('h')).isEqualTo(3);
    clock.forgetCloses(2 * SIZE);
    assertThat(kept('h')).isEqualTo(1);
    clock.forgetCloses(9 * SIZE);
    assertThat(kept('h')).as("that of what is closed now").isEqualTo(1);
    restart();
    assertThat(clock.now()).isEqualTo(9);
    assertThat(clock.lastBeforeClose(3 * SIZE)).isEqualTo(7);
  }

  /** A boundary of one source of several closes nothing, and tells the time all the same. */
  @Test
  void timeGoesOnWhileASourceIsBehind() {
    Watermarks two =
        new Watermarks(Fixture.sources(2), new MetaStore(new StagedWrites(boundaryRows)));
    JournalClock waiting = new JournalClock(staged, two);
    two.pass(0, SIZE, 5);
    waiting.pass(5);
    two.pass(0, 2 * SIZE, 8);
    waiting.pass(8);
    assertThat(waiting.now()).isEqualTo(8);
    assertThat(kept('h')).isZero();
    two.pass(1, SIZE, 6);
    waiting.pass(6);
    assertThat(waiting.lastBeforeClose(SIZE)).isEqualTo(8);
    two.pass(0, 3 * SIZE, 11);
    waiting.pass(11);
    assertThat(kept('h')).as("nothing more is closed").isEqualTo(1);
    two.pass(0, 4 * SIZE, 13);
    waiting.pass(13);
    assertThat(waiting.lastBeforeClose(SIZE)).as("nor closed again, later").isEqualTo(8);
  }

  /** Programs before this one kept no clock: what they closed is closed for good. */
  @Test
  void whatWasClosedBeforeThereWasAClockWasClosedAtTheBeginningOfTime() {
    watermarks.pass(0, 3 * SIZE, 40);
    restart();
    assertThat(clock.lastBeforeClose(2 * SIZE)).isEqualTo(Long.MIN_VALUE);
    assertThat(kept('h')).as("not yet").isZero();
    pass(4, 50);
    assertThat(kept('h')).isEqualTo(2);
    restart();
    assertThat(clock.lastBeforeClose(3 * SIZE)).isEqualTo(Long.MIN_VALUE);
    assertThat(clock.now()).isEqualTo(50);
  }
}
