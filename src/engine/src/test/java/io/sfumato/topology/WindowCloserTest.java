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

  /** Windows of ten, one subject each. */
  private static final class Windows implements ClosedWindows {
    private long released;
    private boolean isReleaseHeld;
    private boolean isAnswerHeld;

    @Override
    public boolean isBehind(long through) {
      return released < through;
    }

    @Override
    public int step(long through, int most, Slice slice) {
      if (slice.decides(() -> isReleaseHeld ? Slice.Outcome.HELD : Slice.Outcome.DECIDED)) {
        released += 10;
      }
      return 1;
    }

    @Override
    public int tidy(long through, int most, Slice slice) {
      slice.hold(isAnswerHeld);
      return 0;
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
      closer.slice(2, () -> false);
    } while (closer.isPending());
  }

  @Test
  void shouldCountAsDoneWhatIsReleased() {
    passBoth(10);
    pass(0, 30);
    work();
    assertThat(closer.done()).as("one source is behind").containsOnlyKeys(10L);
    pass(1, 30);
    work();
    assertThat(closer.done().lastKey()).isEqualTo(30);
    assertThat(closer.doneBefore()).isEqualTo(30);
  }

  @Test
  void shouldNotCountWindowsAsDoneWhoseReleaseFailed() {
    passBoth(10);
    work();
    windows.isReleaseHeld = true;
    passBoth(20);
    work();
    assertThat(closer.isHeld()).isTrue();
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
    closer.slice(2, () -> false);
    assertThat(closer.isPending()).isTrue();
    assertThat(closer.done()).isEmpty();
    work();
    assertThat(closer.done()).containsOnlyKeys(100L);
  }

  @Test
  void shouldLeaveTheWindowsOfTheNextVersionUndone() {
    closer.endAt(20);
    passBoth(40);
    work();
    assertThat(closer.doneBefore()).isEqualTo(20);
    assertThat(closer.done().lastKey()).isEqualTo(20);
  }
}
