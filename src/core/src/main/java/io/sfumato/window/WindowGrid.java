// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import java.time.Duration;

/**
 * How event time is cut into tumbling windows. They tile time: every instant lies in exactly one.
 * They are numbered in their order, without gaps. So distances between windows are differences of
 * numbers, whatever lengths windows have. Times are milliseconds since 1970.
 */
public sealed interface WindowGrid permits FixedWindows, CalendarWindows {
  /** Start of the window that a time lies in. */
  long startOf(long time);

  /** End, exclusive, of the window with a given start: the start of the next one. */
  long endOf(long start);

  /** Number of the window that a time lies in. */
  long number(long time);

  /** Start of the window with a given number: the inverse of {@link #number}. */
  long start(long number);

  /**
   * Start of the window so many windows after the one with a given start; before it, if below 0.
   */
  default long plus(long start, long windows) {
    return start(number(start) + windows);
  }

  /** How many windows lie between two starts. */
  default long between(long from, long to) {
    return number(to) - number(from);
  }

  /** Start of the first window that starts at a time or after it. */
  default long firstStartFrom(long time) {
    long start = startOf(time);
    return start == time ? start : endOf(start);
  }

  /** Start of the window that windows are counted from where a file names no first one. */
  long anchor();

  /**
   * The last of the points at or before a time that lie so far from each other, and at the start of
   * every window.
   *
   * @param step milliseconds, at least 1
   */
  long pointAtOrBefore(long time, long step);

  /** The longest window. */
  Duration longest();

  /**
   * How many windows a stretch of time touches at most, wherever it begins. Under a calendar the
   * stretch has as many local days as the length has days of 24 hours, rounded up.
   *
   * @param length above 0
   */
  long mostTouched(Duration length);
}
