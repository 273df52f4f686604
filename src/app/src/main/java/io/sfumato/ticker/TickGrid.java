// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.pipeline.WindowSpec;
import io.sfumato.window.WindowGrid;
import java.time.Duration;

/**
 * The event times at which a program ticks: every window's end with its grace, and some times in
 * between. The pipeline file alone decides them, so that a tick says nothing about any record.
 */
public final class TickGrid {
  /** Ticks of a window, unless that is too short or too long. */
  private static final int PARTS = 4;

  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofHours(1);

  private final WindowGrid windows;
  private final long grace;

  /** From one tick to the next, at most. */
  private final long step;

  /** Windows of a stretch: one, or several short ones. */
  private final long together;

  /** The grid of a file. */
  public TickGrid(WindowSpec window) {
    this.windows = window.grid();
    this.grace = window.grace().toMillis();
    long longest = windows.longest().toMillis();
    this.step = clamp(Math.min(longest / PARTS, window.ahead().toMillis() / 2));
    this.together = Math.max(1, step / longest);
  }

  private static long clamp(long step) {
    return Math.max(SHORTEST.toMillis(), Math.min(LONGEST.toMillis(), step));
  }

  /** The last point at or before a time, milliseconds since 1970. */
  public long atOrBefore(long time) {
    return point(time, 0);
  }

  /** The first point after a time, milliseconds since 1970. */
  public long after(long time) {
    return point(time, 1);
  }

  private long point(long time, int later) {
    long anchor = windows.number(windows.anchor());
    long passed = windows.number(time - grace) - anchor;
    long first = anchor + Math.floorDiv(passed, together) * together;
    long start = windows.start(first);
    long length = windows.start(first + together) - start;
    long parts = Math.max(1, ceil(length, step));
    long part = (time - grace - start) * parts / length + later;
    return start + grace + ceil(length * part, parts);
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
