// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Period;
import io.sfumato.window.CalendarWindows;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;

/**
 * In which windows anything is released under a period of any span: by the calendar alone, hence
 * public and the same for everybody. Of any {@code windows} windows in a row these are exactly
 * {@code pace}, as evenly as whole windows allow, and of any {@code windows + 1}, which a span
 * touches that begins within a window, at most {@code pace + 1}
 * (docs/theory/periods-and-accounts.md, Theorem L).
 *
 * @param windows n, which are together as long as a span; at least 1
 * @param pace p, of how many of them anything is released; from 1 to n
 * @param from start of the window that has the number 0, milliseconds since 1970: it is one of them
 * @param grid how time is cut
 */
public record SpanCalendar(long windows, long pace, long from, WindowGrid grid) {
  public SpanCalendar {
    if (windows < 1 || pace < 1 || pace > windows) {
      throw new IllegalArgumentException(
          "a calendar has 1 window or more and a pace of as many at most: "
              + windows
              + ", "
              + pace);
    }
  }

  /** Of windows of one length. */
  public SpanCalendar(long windows, long pace, long from, Duration size) {
    this(windows, pace, from, new FixedWindows(size, from));
  }

  /** That of a file, whose span is a multiple of its windows' size. */
  public static SpanCalendar of(Period.Span span, WindowSpec window) {
    long windows = windowsIn(span, window);
    return new SpanCalendar(
        windows,
        span.pace().isPresent() ? span.pace().getAsInt() : windows,
        window.first(),
        window.grid());
  }

  /** n, how many windows are together as long as a span, rounded down; 0 if one is longer. */
  public static long windowsIn(Period.Span span, WindowSpec window) {
    if (span instanceof Period.AnyWindows counted) {
      return counted.count();
    }
    return span instanceof Period.Any any && window.grid() instanceof FixedWindows fixed
        ? fixed.wholeIn(any.length())
        : 0;
  }

  /** Whether anything is released of the window that starts then. */
  public boolean isDue(long windowStart) {
    long i = number(windowStart);
    return turnsThrough(i) > turnsThrough(i - 1);
  }

  /** Whether what is released once in a span is released of the window that starts then. */
  public boolean isFirst(long windowStart) {
    long i = number(windowStart);
    return isDue(windowStart) && Math.floorMod(turnsThrough(i), mostDue()) == 0;
  }

  /** Start of the first window from that one on of which anything is released. */
  public long nextDue(long windowStart) {
    return startOfTurn(nextTurn(windowStart));
  }

  /** The same of what is released once in a span. */
  public long nextFirst(long windowStart) {
    long turn = nextTurn(windowStart);
    return startOfTurn(turn + Math.floorMod(-turn, mostDue()));
  }

  /** At most so many windows of those that a span touches are due, wherever it begins. */
  public long mostDue() {
    return pace + 1;
  }

  /** How many windows a span touches at most. */
  public long touched() {
    return windows + 1;
  }

  private long nextTurn(long windowStart) {
    return turnsThrough(number(windowStart) - 1) + 1;
  }

  /** The first i with i p >= t n. */
  private long startOfTurn(long t) {
    long i = -quotient(-t, windows, pace);
    return grid.plus(from, i);
  }

  private long number(long windowStart) {
    return grid.number(windowStart) - grid.number(from);
  }

  /** floor(i p / n): by how much it rises is how many windows in between are due. */
  private long turnsThrough(long i) {
    return quotient(i, pace, windows);
  }

  /**
   * floor(a b / c), of any a: a long span of short windows has more turns than 2^63 over windows.
   */
  private static long quotient(long a, long b, long c) {
    long product = a * b;
    return Math.multiplyHigh(a, b) == product >> 63
        ? Math.floorDiv(product, c)
        : BigDecimal.valueOf(a)
            .multiply(BigDecimal.valueOf(b))
            .divide(BigDecimal.valueOf(c), 0, RoundingMode.FLOOR)
            .longValueExact();
  }

  /**
   * Number of the ledger of the window so many windows after another one's: what {@link
   * Period#indexOf} says of it.
   *
   * @param ledger number of that one's
   */
  public long ledger(long ledger, long windows) {
    return grid instanceof CalendarWindows ? ledger + windows : grid.plus(ledger, windows);
  }

  /** Which windows there are: that of all spans of a length, whatever is released of them. */
  String cut() {
    return grid instanceof CalendarWindows calendar
        ? calendar.canonical()
        : "size=%s, origin=%s".formatted(grid.longest(), Duration.ofMillis(grid.start(0)));
  }

  /** Which of them are due. */
  String turns() {
    return grid instanceof CalendarWindows calendar
        ? "windows=%d, pace=%d, first=%d, %s"
            .formatted(windows, pace, grid.number(from), calendar.canonical())
        : "windows=%d, pace=%d, from=%s, size=%s"
            .formatted(windows, pace, Instant.ofEpochMilli(from), grid.longest());
  }
}
