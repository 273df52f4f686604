// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import java.math.BigInteger;
import java.time.Duration;

/**
 * Windows of one length, aligned to UTC. The window with number 0 is the first one that starts in
 * 1970 or later.
 *
 * @param size milliseconds, at least 1
 * @param origin start of some window, milliseconds since 1970
 */
public record FixedWindows(long size, long origin) implements WindowGrid {
  public FixedWindows {
    if (size < 1) {
      throw new IllegalArgumentException("a window has at least 1 ms: " + size);
    }
  }

  /** The same of a length of time. */
  public FixedWindows(Duration length, long origin) {
    this(length.toMillis(), origin);
  }

  @Override
  public long startOf(long time) {
    return Math.floorDiv(time - origin, size) * size + origin;
  }

  @Override
  public long endOf(long start) {
    return start + size;
  }

  @Override
  public long number(long time) {
    return Math.floorDiv(time - phase(), size);
  }

  @Override
  public long start(long number) {
    return number * size + phase();
  }

  @Override
  public long plus(long start, long windows) {
    return start + Math.multiplyExact(windows, size);
  }

  @Override
  public long between(long from, long to) {
    return (to - from) / size;
  }

  @Override
  public long anchor() {
    return origin;
  }

  @Override
  public long pointAtOrBefore(long time, long step) {
    long between = Math.min(size, step);
    return Math.max(Math.floorDiv(time - origin, between) * between + origin, startOf(time));
  }

  @Override
  public Duration longest() {
    return Duration.ofMillis(size);
  }

  @Override
  public long mostTouched(Duration length) {
    return 1 - Math.floorDiv(-length.toMillis(), size);
  }

  /** Start of the window with number 0. */
  private long phase() {
    return Math.floorMod(origin, size);
  }

  /**
   * In how many periods that follow each other from 1970 on so many windows in a row start at most:
   * the first of them starts as late in its period as any does.
   *
   * @param windows at least 1
   * @param period length, above 0
   */
  public long periodsOf(long windows, Duration period) {
    long length = period.toMillis();
    long common = BigInteger.valueOf(size).gcd(BigInteger.valueOf(length)).longValueExact();
    long latest = length - common + Math.floorMod(origin, common);
    return Math.floorDiv(latest + (windows - 1) * size, length) + 1;
  }

  /** How many windows are together not longer than a length of time. */
  public long wholeIn(Duration length) {
    return length.toMillis() / size;
  }
}
