// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.window;

import io.sfumato.topology.journal.Watermarks;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** Processes the closed windows of one journal partition in order, a slice at a time. */
public final class WindowCloser {
  /** A name costs less than a subject does. */
  private static final int NAMES = 20;

  private final Watermarks watermarks;
  private final ClosedWindows windows;

  /** Windows that start before this are processed, as far as this task knows. */
  private long doneBefore = Long.MIN_VALUE;

  /** Up to here windows are being processed, or were. */
  private long closing = Long.MIN_VALUE;

  /** How sources passed what was processed last, kept here before it is forgotten. */
  private final TreeMap<Long, Long> steps = new TreeMap<>();

  /** Start of the first window of the version that takes over: not this program's to close. */
  private long end = Long.MAX_VALUE;

  private boolean pending = true;

  /** Whether the last slice stopped in front of a release that failed. */
  private boolean held;

  public WindowCloser(Watermarks watermarks, ClosedWindows windows) {
    this.watermarks = watermarks;
    this.windows = windows;
  }

  /** A boundary has moved: there may be work. */
  public void wake() {
    windows.wake();
    pending = true;
  }

  /** Leaves every window that starts at {@code from} or later to the next version. */
  public void endAt(long from) {
    end = from;
    pending = true;
  }

  /** Windows that start before this are processed, as far as this task knows. */
  public long doneBefore() {
    return doneBefore;
  }

  /**
   * Window ends up to {@link #doneBefore} that all sources passed one after the other, the last
   * ones at least, and the end of this version; each with the Kafka timestamp of the releases of
   * its windows.
   */
  public SortedMap<Long, Long> done() {
    return steps.headMap(doneBefore, true);
  }

  /** No window that starts before this can be charged again, or handed back; if that is known. */
  public OptionalLong overBefore() {
    return windows.overBefore(pending || held ? OptionalLong.empty() : through());
  }

  private OptionalLong through() {
    OptionalLong closed = watermarks.closedThrough();
    return closed.isPresent() ? OptionalLong.of(Math.min(closed.getAsLong(), end)) : closed;
  }

  /** Whether a slice may find anything. */
  public boolean isPending() {
    return pending;
  }

  /** Whether it stands in front of a release that failed. */
  public boolean isHeld() {
    return held;
  }

  /**
   * Processes up to {@code most} subjects, or users, and at least a part of one.
   *
   * @param time asked before each further one, or output of one: whether there is time for it
   * @return work done; {@code most} whenever more is left
   */
  public int slice(int most, BooleanSupplier time) {
    if (!pending) {
      return 0;
    }
    Slice slice = new Slice(NAMES * most, time);
    int done = windows.prepare(most);
    pending = done >= most;
    OptionalLong through = through();
    if (!pending && through.isPresent()) {
      done += close(through.getAsLong(), most - done, slice);
    }
    held = slice.isHeld();
    return done;
  }

  private int close(long through, int most, Slice slice) {
    if (through > closing) {
      steps.headMap(doneBefore, true).clear();
      steps.putAll(watermarks.steps(closing, through));
      if (through == end) {
        // The last of this version, although sources may pass it with later ones.
        watermarks.knownTimestampOf(through).ifPresent(at -> steps.putIfAbsent(through, at));
      }
      closing = through;
    }
    int done = walk(through, most, slice);
    pending = done >= most && !slice.isHeld();
    if (pending || slice.isHeld()) {
      return done;
    }
    done += windows.tidy(through, most - done, slice);
    pending = done >= most;
    if (!pending && !slice.isHeld()) {
      doneBefore = through;
    }
    return done;
  }

  private int walk(long through, int most, Slice slice) {
    int looked = 0;
    while (looked < most && !slice.isHeld() && !slice.isCut() && windows.isBehind(through)) {
      looked += windows.step(through, most - looked, slice);
    }
    return slice.isCut() ? most : looked;
  }
}
