// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ticker;

import java.time.Duration;
import java.util.Collection;

/**
 * The time by this machine and by brokers, of which none is believed alone: a window that a tick
 * has closed stays closed for good. The earliest of all clocks counts.
 */
final class AgreedTime {
  /** Clocks that differ by more are no clocks to tick by. */
  static final Duration LARGEST_DIFFERENCE = Duration.ofMinutes(1);

  private AgreedTime() {}

  /** What the clocks say together. */
  sealed interface Verdict {}

  /**
   * They agree.
   *
   * @param time the earliest of them, milliseconds since 1970
   */
  record Agreed(long time) implements Verdict {}

  /**
   * They do not.
   *
   * @param ahead milliseconds by which this machine's clock is ahead of a broker's; negative where
   *     it is behind
   */
  record Differ(long ahead) implements Verdict {}

  /** No broker's clock is known. */
  record Unknown() implements Verdict {}

  /**
   * Compares this machine's clock with brokers' clocks.
   *
   * @param readings of all brokers' clocks that are known
   */
  static Verdict at(Moment now, Collection<ClockReading> readings) {
    if (readings.isEmpty()) {
      return new Unknown();
    }
    long earliest = now.wall();
    long furthest = 0;
    for (ClockReading reading : readings) {
      earliest = Math.min(earliest, reading.atLeast(now));
      furthest = further(furthest, ahead(now, reading));
    }
    return Math.abs(furthest) > LARGEST_DIFFERENCE.toMillis()
        ? new Differ(furthest)
        : new Agreed(earliest);
  }

  /** By how much this machine is certainly ahead, or (negative) behind. */
  private static long ahead(Moment now, ClockReading reading) {
    return now.wall() > reading.atMost(now)
        ? now.wall() - reading.atMost(now)
        : Math.min(0, now.wall() - reading.atLeast(now));
  }

  private static long further(long one, long other) {
    return Math.abs(other) > Math.abs(one) ? other : one;
  }
}
