// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import io.sfumato.pipeline.WindowSpec;
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

  private final long first;

  /** Length of the stretch that repeats: one window, or several short ones. */
  private final long length;

  /** Ticks of that stretch. */
  private final long parts;

  /** The grid of a file. */
  public TickGrid(WindowSpec window) {
    long size = window.size().toMillis();
    long step = clamp(Math.min(size / PARTS, window.ahead().toMillis() / 2));
    this.first = window.origin() + window.grace().toMillis();
    this.length = size * Math.max(1, step / size);
    this.parts = Math.max(1, ceil(length, step));
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
    long start = first + Math.floorDiv(time - first, length) * length;
    long part = (time - start) * parts / length + later;
    return start + ceil(length * part, parts);
  }

  private static long ceil(long dividend, long divisor) {
    return (dividend + divisor - 1) / divisor;
  }
}
