// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.window.WindowGrid;
import java.util.OptionalLong;

/**
 * How far one keeper partition is. Times are window ends, milliseconds since 1970.
 *
 * @param foremost that the foremost source partition has passed
 * @param first through which every subject was released when this instance said so first
 * @param released through which every subject is released
 * @param heldBackBy source partition that the next boundary waits for, or -1
 */
public record ReleaseProgress(
    OptionalLong foremost, OptionalLong first, OptionalLong released, int heldBackBy) {
  static final ReleaseProgress NONE =
      new ReleaseProgress(OptionalLong.empty(), OptionalLong.empty(), OptionalLong.empty(), -1);

  ReleaseProgress withForemost(long end) {
    return new ReleaseProgress(OptionalLong.of(end), first, released, heldBackBy);
  }

  ReleaseProgress withReleased(long end) {
    OptionalLong through = OptionalLong.of(end);
    return new ReleaseProgress(foremost, first.isPresent() ? first : through, through, heldBackBy);
  }

  ReleaseProgress withHeldBackBy(int source) {
    return new ReleaseProgress(foremost, first, released, source);
  }

  /**
   * Windows that this instance has released since it first told of one, those without records too.
   *
   * @param grid how time is cut
   */
  public long windows(WindowGrid grid) {
    return first.isPresent() ? grid.between(first.getAsLong(), released.getAsLong()) : 0;
  }

  /**
   * Event time by which releases are behind the foremost source or, where ticks close windows and a
   * dead ticker would stop all sources alike, behind the wall clock; nothing if there are none.
   *
   * @param now by the wall clock, milliseconds since 1970
   */
  public OptionalLong lagMillis(WindowSpec window, long now) {
    if (foremost.isEmpty() || released.isEmpty()) {
      return OptionalLong.empty();
    }
    long through = released.getAsLong();
    long behindSource = foremost.getAsLong() - through;
    long behindClock =
        window.clock() == WindowSpec.Clock.TICKS ? window.boundaryOf(now) - through : 0;
    return OptionalLong.of(Math.max(0, Math.max(behindSource, behindClock)));
  }
}
