// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Period;
import io.sfumato.rows.LocalTimes;
import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import io.sfumato.window.FixedWindows;
import io.sfumato.window.WindowGrid;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tumbling windows of event time.
 *
 * @param grid how time is cut
 * @param grace how far the clock runs beyond a window's end before the window closes
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
    WindowGrid grid,
    Duration grace,
    Clock clock,
    OptionalLong begin,
    int maxJump,
    Duration ahead,
    Ticks ticks,
    Duration maxAhead) {

  /** 1970-01-05, a Monday: weeks start on Mondays, days and hours on the hour (UTC). */
  public static final long MONDAY = Duration.ofDays(4).toMillis();

  /** More windows than anybody plans for. */
  private static final long MOST_SHOWN = 1_000_000;

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

  /**
   * Windows of one length, aligned to UTC.
   *
   * @param size of a window
   * @param origin start of some window, milliseconds since 1970
   */
  public WindowSpec(
      Duration size,
      Duration grace,
      long origin,
      Clock clock,
      OptionalLong begin,
      int maxJump,
      Duration ahead,
      Ticks ticks,
      Duration maxAhead) {
    this(new FixedWindows(size, origin), grace, clock, begin, maxJump, ahead, ticks, maxAhead);
  }

  /** The calendar of the file's zone; nothing where windows have one length. */
  public Optional<CalendarWindows> calendar() {
    return grid instanceof CalendarWindows windows ? Optional.of(windows) : Optional.empty();
  }

  /**
   * Longer windows, each of so many of these, of which one begins where these are counted from.
   *
   * @param windows at least 1; above 1 only where all windows have one length
   */
  public WindowSpec times(int windows) {
    if (windows == 1) {
      return this;
    }
    Duration longer = grid.longest().multipliedBy(windows);
    return new WindowSpec(
        new FixedWindows(longer, grid.anchor()),
        grace,
        clock,
        begin,
        maxJump,
        ahead,
        ticks,
        maxAhead);
  }

  /**
   * How many of these windows a longer one has.
   *
   * @return nothing where that is no whole number of windows, or windows differ in length
   */
  public OptionalLong countIn(Duration longer) {
    long step = grid.longest().toMillis();
    return calendar().isEmpty() && longer.toMillis() % step == 0
        ? OptionalLong.of(longer.toMillis() / step)
        : OptionalLong.empty();
  }

  /** Start of the window that an event time lies in. */
  public long startOf(long time) {
    return grid.startOf(time);
  }

  /** End, exclusive, of the window with a given start. */
  public long endOf(long start) {
    return grid.endOf(start);
  }

  /** Start of the first window that starts at an event time or after it. */
  public long firstStartFrom(long time) {
    return grid.firstStartFrom(time);
  }

  /** Start of the window so many windows after one; before it, if below 0. */
  public long plus(long start, long windows) {
    return grid.plus(start, windows);
  }

  /** How many windows lie between two starts. */
  public long between(long from, long to) {
    return grid.between(from, to);
  }

  /** The end of the last window that a clock has passed, grace included. */
  public long boundaryOf(long clock) {
    return startOf(clock - grace.toMillis());
  }

  /**
   * The furthest that a clock may go from a time at once, if it jumps over so many windows at most.
   *
   * @param windows at least 1
   */
  public long furthestFrom(long time, long windows) {
    return grid instanceof FixedWindows
        ? grid.plus(time, windows)
        : plus(boundaryOf(time), windows) + grace.toMillis();
  }

  /** Start of the first window, or of the one that windows are counted from. */
  public long first() {
    return begin.orElse(grid.anchor());
  }

  /** How long so many windows last, from the first one on; at most some millennia. */
  public Duration lasting(long windows) {
    return calendar().isPresent()
        ? Duration.ofMillis(plus(first(), Math.min(windows, MOST_SHOWN)) - first())
        : windows > Long.MAX_VALUE / grid.longest().toMillis()
            ? Duration.ofMillis(Long.MAX_VALUE)
            : grid.longest().multipliedBy(windows);
  }

  /** How many windows start in one of a budget's periods at most; nothing for other periods. */
  public OptionalLong mostIn(Period period) {
    if (period instanceof Period.Fixed fixed) {
      return OptionalLong.of(grid.mostTouched(fixed.length()) - 1);
    }
    return period instanceof Period.Local local
        ? OptionalLong.of(calendar().orElseThrow().mostIn(local.periods()))
        : OptionalLong.empty();
  }

  /** The same windows, counted from another beginning. */
  public WindowSpec beginningAt(long start) {
    return new WindowSpec(
        grid, grace, clock, OptionalLong.of(start), maxJump, ahead, ticks, maxAhead);
  }

  /** Whether the file owes a beginning, which only an imported ledger can make up for. */
  public boolean lacksBegin() {
    return clock == Clock.TICKS && begin.isEmpty();
  }

  /** Whether the window that starts then lies before the first one that counts. */
  public boolean isBeforeBegin(long start) {
    return begin.isPresent() && start < begin.getAsLong();
  }

  /** A window's size as files write it: {@code 1d}. */
  public String sizeWord() {
    return calendar().map(windows -> windows.unit().word()).orElseGet(this::lengthWord);
  }

  private String lengthWord() {
    return Durations.word(grid.longest());
  }

  /** The same with the zone, as people say it: {@code 1 day}, {@code 1 local day in Asia/Tokyo}. */
  public String sizeSpoken() {
    return calendar()
        .map(windows -> windows.unit().spoken())
        .orElseGet(() -> Period.spoken(grid.longest()));
  }

  /** A span that a budget could bound, of two windows at least and some 30 days at least. */
  public String spanWord() {
    return calendar().map(WindowSpec::spanWord).orElseGet(() -> Durations.spanWord(grid.longest()));
  }

  private static String spanWord(CalendarWindows windows) {
    CalendarUnit unit = windows.unit();
    if (unit instanceof CalendarUnit.PartOfDay) {
      return "30d";
    }
    return unit instanceof CalendarUnit.Days several
        ? several.times((int) Math.max(2, -Math.floorDiv(-30L, several.count()))).word()
        : unit.times(2).word();
  }

  /**
   * A time as {@code begin} is written in the file: a day where it is the start of one, of the
   * file's zone where it has one.
   */
  public String startText(long time) {
    return calendar()
        .map(windows -> windows.isStartOfDay(time) ? "" + windows.dayOf(time) : timeText(time))
        .orElseGet(() -> beginText(time));
  }

  /** A time for people: in UTC, or with the offset of the file's zone at that time. */
  public String timeText(long time) {
    return times().iso(Instant.ofEpochMilli(time));
  }

  /** How times are written for people. */
  public LocalTimes times() {
    return new LocalTimes(calendar().map(CalendarWindows::rules));
  }

  /** A time in UTC as {@code begin} is written in a file without a zone. */
  public static String beginText(long time) {
    return Instant.ofEpochMilli(time).toString().replace("T00:00:00Z", "");
  }
}
