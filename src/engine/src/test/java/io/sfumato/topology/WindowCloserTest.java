// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.topology.journal.Watermarks;
import io.sfumato.topology.store.StagedWrites;
import io.sfumato.topology.version.MetaStore;
import io.sfumato.topology.window.ClosedWindows;
import io.sfumato.topology.window.Slice;
import io.sfumato.topology.window.WindowCloser;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What counts as done is what markers say: never more than is released. */
class WindowCloserTest {
  private final Watermarks watermarks =
      new Watermarks(Fixture.sources(2), new MetaStore(new StagedWrites(new WornStore("meta"))));

  /** Windows of ten, one subject each; no slice is asked to do more than it may. */
  private static final class Windows implements ClosedWindows {
    private int refusals;
    private int forgotten;
    private int room;
    private int woken;
    private long released;
    private boolean isReleaseHeld;
    private boolean isAnswerHeld;

    private int work(int wanted, int most) {
      assertThat(most).as("work that a slice is asked to do").isBetween(1, room);
      int done = Math.min(wanted, most);
      room -= done;
      return done;
    }

    @Override
    public void wake() {
      woken++;
    }

    @Override
    public int prepare(int most) {
      int done = work(refusals, most);
      refusals -= done;
      return done;
    }

    @Override
    public boolean isBehind(long through) {
      return released < through;
    }

    @Override
    public int step(long through, int most, Slice slice) {
      if (slice.decides(() -> isReleaseHeld ? Slice.Outcome.HELD : Slice.Outcome.DECIDED)) {
        released += 10;
      }
      return work(1, most);
    }

    @Override
    public int tidy(long through, int most, Slice slice) {
      slice.hold(isAnswerHeld);
      int done = work(forgotten, most);
      forgotten -= done;
      return done;
    }

    @Override
    public OptionalLong overBefore(OptionalLong through) {
      return through;
    }
  }

  private final Windows windows = new Windows();
  private final WindowCloser closer = new WindowCloser(watermarks, windows);

  private void pass(int source, long end) {
    watermarks.pass(source, end, end + source);
    closer.wake();
  }

  private void passBoth(long end) {
    pass(0, end);
    pass(1, end);
  }

  private void work() {
    do {
      slice(2, false);
    } while (closer.isPending());
  }

  private int slice(int most, boolean hasTime) {
    windows.room = most;
    return closer.slice(most, () -> hasTime);
  }

  @Test
  void shouldCountAsDoneWhatIsReleased() {
    passBoth(10);
    pass(0, 30);
    work();
    assertThat(closer.done()).as("one source is behind").containsOnlyKeys(10L);
    pass(1, 30);
    work();
    assertThat(closer.done()).as("10 is forgotten").containsOnlyKeys(30L);
    assertThat(closer.doneBefore()).isEqualTo(30);
    assertThat(windows.woken).isEqualTo(4);
  }

  @Test
  void shouldNotCountWindowsAsDoneWhoseReleaseFailed() {
    passBoth(10);
    work();
    windows.isReleaseHeld = true;
    passBoth(20);
    work();
    assertThat(closer.isHeld()).isTrue();
    assertThat(closer.overBefore()).isEmpty();
    assertThat(closer.done()).doesNotContainKey(20L);
    windows.isReleaseHeld = false;
    closer.wake();
    work();
    assertThat(closer.done()).containsKey(20L);
  }

  @Test
  void shouldNotCountWindowsAsDoneWhoseWaitingAnswersFailed() {
    windows.isAnswerHeld = true;
    passBoth(10);
    work();
    assertThat(windows.released).as("scheduled releases are there").isEqualTo(10);
    assertThat(closer.done()).isEmpty();
    passBoth(20);
    work();
    assertThat(closer.done()).isEmpty();
    windows.isAnswerHeld = false;
    closer.wake();
    work();
    assertThat(closer.done()).containsKeys(10L, 20L);
  }

  @Test
  void shouldNotCountASliceAsAllOfItsWindows() {
    passBoth(100);
    slice(2, false);
    assertThat(closer.isPending()).isTrue();
    assertThat(closer.overBefore()).isEmpty();
    assertThat(closer.done()).isEmpty();
    work();
    assertThat(closer.overBefore()).hasValue(100);
    assertThat(closer.done()).containsOnlyKeys(100L);
  }

  /** Whatever comes first, and wherever a slice is full. */
  @Test
  void shouldDoInASliceWhatItMayDoAndNoMore() {
    for (int most = 1; most <= 6; most++) {
      for (int refusals = 0; refusals <= 3; refusals++) {
        long from = windows.released;
        windows.refusals = refusals;
        windows.forgotten = 2;
        passBoth(from + 30);
        int left = refusals + 3 + 2;
        while (left >= most) {
          assertThat(slice(most, true)).isEqualTo(most);
          assertThat(closer.isPending()).as("a full slice may have left something").isTrue();
          left -= most;
        }
        assertThat(slice(most, true)).isEqualTo(left);
        assertThat(closer.isPending()).isFalse();
        assertThat(closer.doneBefore()).isEqualTo(from + 30);
        assertThat(slice(most, true)).as("nothing has happened since").isZero();
      }
    }
  }

  @Test
  void shouldLeaveTheWindowsOfTheNextVersionUndone() {
    closer.endAt(20);
    passBoth(40);
    work();
    assertThat(closer.doneBefore()).isEqualTo(20);
    assertThat(closer.overBefore()).hasValue(20);
    assertThat(closer.done()).containsOnlyKeys(20L);
  }
}
