// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Tumbling windows of event time.
 *
 * @param size of a window
 * @param grace how far the clock runs beyond a window's end before the window closes
 * @param origin start of some window, milliseconds since 1970
 * @param clock what moves time
 * @param begin start of the first window, milliseconds since 1970: what lies before it is late.
 *     Public, so that nothing depends on when the first record or tick comes; only with ticks.
 *     Empty where the file does not say it
 * @param maxJump the largest jump, in windows, that closes windows without any records; only
 *     rosters and lists, whose every window costs, are held by it. A longer silence is asked about;
 *     a record that claims to be further ahead of its Kafka timestamp is none
 * @param ahead under ticks, how far a record may lie beyond the later of {@code begin} and the last
 *     tick
 * @param ticks who ticks
 * @param maxAhead how far an event's or tick's time may be after the time at which the broker
 *     appended the record
 */
public record WindowSpec(
    Duration size,
    Duration grace,
    long origin,
    Clock clock,
    OptionalLong begin,
    int maxJump,
    Duration ahead,
    Ticks ticks,
    Duration maxAhead) {

  /** 1970-01-05, a Monday: weeks start on Mondays, days and hours on the hour (UTC). */
  public static final long MONDAY = Duration.ofDays(4).toMillis();

  /** {@code max-ahead} unless a file says another one. */
  public static final Duration MAX_AHEAD = Duration.ofDays(1);

  /** Who ticks. */
  public enum Ticks {
    /** The instances that run, for live data. Signed ticks of others hold, too. */
    HERE,
    /** Somebody else, who signs ticks with the budget's tick key. */
    EXTERNAL,
    /** Somebody else: the ticks of everybody hold who may write to the records' topic. */
    TRUSTED
  }

  /** What closes windows. */
  public enum Clock {
    /** The largest event time seen in a record's own source partition; public under `record`. */
    RECORDS("records"),
    /** Ticks of a trusted writer alone, in every partition of the records' topic. */
    TICKS("ticks");

    private final String word;

    Clock(String word) {
      this.word = word;
    }

    /** The word that pipeline files and guarantees use. */
    public String word() {
      return word;
    }
  }

  /** Start of the window that an event time lies in. */
  public long startOf(long time) {
    return startOf(time, size, origin);
  }

  /** The same of windows that have no file yet. */
  public static long startOf(long time, Duration size, long origin) {
    return Math.floorDiv(time - origin, size.toMillis()) * size.toMillis() + origin;
  }

  /** End, exclusive, of the window with a given start. */
  public long endOf(long start) {
    return start + size.toMillis();
  }

  /** Start of the first window that starts at an event time or after it. */
  public long firstStartFrom(long time) {
    long start = startOf(time);
    return start == time ? start : endOf(start);
  }

  /** The end of the last window that a clock has passed, grace included. */
  public long boundaryOf(long clock) {
    return startOf(clock - grace.toMillis());
  }

  /** The same windows, counted from another beginning. */
  public WindowSpec beginningAt(long start) {
    return new WindowSpec(
        size, grace, origin, clock, OptionalLong.of(start), maxJump, ahead, ticks, maxAhead);
  }

  /** Whether the file owes a beginning, which only an imported ledger can make up for. */
  public boolean lacksBegin() {
    return clock == Clock.TICKS && begin.isEmpty();
  }

  /** Whether the window that starts then lies before the first one that counts. */
  public boolean isBeforeBegin(long start) {
    return begin.isPresent() && start < begin.getAsLong();
  }

  /** A time as {@code begin} is written in a file. */
  public static String beginText(long time) {
    return Instant.ofEpochMilli(time).toString().replace("T00:00:00Z", "");
  }
}
