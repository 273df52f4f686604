package io.sfumato.pipeline;

import java.time.Duration;

/**
 * Tumbling windows of event time.
 *
 * @param size of a window
 * @param grace how far the clock runs beyond a window's end before the window closes
 * @param origin start of some window, milliseconds since 1970
 * @param clock what moves time
 * @param maxJump the largest jump, in windows, that closes windows nobody had records in; only
 *     rosters, whose every window costs, are held by it
 * @param ahead under ticks, how far beyond the last tick a record may lie
 */
public record WindowSpec(
    Duration size, Duration grace, long origin, Clock clock, int maxJump, Duration ahead) {

  /** 1970-01-05, a Monday: weeks start on Mondays, days and hours on the hour (UTC). */
  public static final long MONDAY = Duration.ofDays(4).toMillis();

  /** What closes windows. */
  public enum Clock {
    /** The largest event time seen in a record's own source partition; public under `record`. */
    RECORDS,
    /** Ticks of a trusted writer alone, in every partition of the records' topic. */
    TICKS
  }

  /** Start of the window that an event time lies in. */
  public long startOf(long time) {
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
}
