// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.LocalDate;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.Objects;

/**
 * Windows of a time zone's calendar: local days, months, or parts of a day. A window starts at the
 * first instant of its local date ({@link LocalDays}), and instants alone say which window a time
 * lies in. Windows have several lengths: a day has 23 or 25 hours where clocks change, and in some
 * zones had none, or 31.
 *
 * <p>Safe for use by several threads.
 */
public final class CalendarWindows implements WindowGrid {
  /** Where lengths are compared: what is known of zones is kept best in these years. */
  private static final long FIRST_COMPARED = LocalDate.of(1970, 1, 1).toEpochDay();

  private static final long LAST_COMPARED = LocalDate.of(2100, 1, 1).toEpochDay();

  private final String zone;
  private final ZoneRules rules;
  private final CalendarUnit unit;
  private final LocalDate origin;
  private final LocalDays days;
  private final Numbering numbering;

  /**
   * The window that was asked for last. Its fields are final, so that threads may see an older one
   * and never half of one.
   */
  private Bounds last = new Bounds(0, 0, 0);

  /** Zero until somebody asks: it takes some milliseconds. */
  private volatile Duration longest = Duration.ZERO;

  private record Bounds(long start, long end, long number) {
    boolean contain(long time) {
      return start <= time && time < end;
    }
  }

  /** Which number the window has that a time lies in, and where windows start. */
  private interface Numbering {
    long number(long time);

    long start(long number);
  }

  /**
   * @param zone its name
   * @param rules when clocks change there
   * @param origin a local date on which some window starts; without a meaning where every day, or a
   *     part of it, is a window
   * @throws IllegalArgumentException if months are counted from a day that not every month has
   */
  public CalendarWindows(String zone, ZoneRules rules, CalendarUnit unit, LocalDate origin) {
    this(zone, rules, unit, origin, new LocalDays(rules));
  }

  private CalendarWindows(
      String zone, ZoneRules rules, CalendarUnit unit, LocalDate origin, LocalDays days) {
    this.zone = zone;
    this.rules = rules;
    this.unit = unit;
    this.origin = origin;
    this.days = days;
    this.numbering = numbering();
  }

  private Numbering numbering() {
    if (unit instanceof CalendarUnit.Months months) {
      return new ByMonths(months.count());
    }
    if (unit instanceof CalendarUnit.Days several && several.count() > 1) {
      return new ByDays(several.count());
    }
    return new ByParts();
  }

  /** Several days each. No zone skips two days in a row, so that none of them is empty. */
  private final class ByDays implements Numbering {
    private final int count;

    ByDays(int count) {
      this.count = count;
    }

    @Override
    public long number(long time) {
      return Math.floorDiv(days.dayOf(time) - origin.toEpochDay(), (long) count);
    }

    @Override
    public long start(long number) {
      return days.startOfDay(origin.toEpochDay() + number * count);
    }
  }

  /** Several months each. */
  private final class ByMonths implements Numbering {
    private static final int LAST_DAY_OF_EVERY_MONTH = 28;

    private final int count;

    ByMonths(int count) {
      if (origin.getDayOfMonth() > LAST_DAY_OF_EVERY_MONTH) {
        throw new IllegalArgumentException("not every month has such a day: " + origin);
      }
      this.count = count;
    }

    @Override
    public long number(long time) {
      LocalDate date = LocalDate.ofEpochDay(days.dayOf(time));
      long months = 12L * (date.getYear() - origin.getYear());
      months += date.getMonthValue() - origin.getMonthValue();
      long passed = date.getDayOfMonth() < origin.getDayOfMonth() ? months - 1 : months;
      return Math.floorDiv(passed, (long) count);
    }

    @Override
    public long start(long number) {
      return days.startOfDay(origin.plusMonths(number * count).toEpochDay());
    }
  }

  /** Every day, or parts of it: numbered from 1970-01-01 on, skipped days left out. */
  private final class ByParts implements Numbering {
    /** Number of the first window of each stretch of days. */
    private final long[] firsts = new long[days.stretches()];

    ByParts() {
      for (int i = 1; i < firsts.length; i++) {
        firsts[i] = firsts[i - 1] + days.days(i - 1) * parts(i - 1);
      }
      long zero = number(days.startOfDay(0));
      for (int i = 0; i < firsts.length; i++) {
        firsts[i] -= zero;
      }
    }

    /** Windows of a day of a stretch. */
    private long parts(int stretch) {
      return unit instanceof CalendarUnit.PartOfDay part ? part.in(days.length(stretch)) : 1;
    }

    private long partLength(int stretch) {
      return unit instanceof CalendarUnit.PartOfDay part ? part.millis() : days.length(stretch);
    }

    @Override
    public long number(long time) {
      long within = LocalDays.within(time);
      int stretch = days.stretchOf(within);
      long since = within - days.start(stretch);
      long length = days.length(stretch);
      long parts = parts(stretch);
      long part = Math.min(parts - 1, Math.floorMod(since, length) / partLength(stretch));
      return firsts[stretch] + Math.floorDiv(since, length) * parts + part;
    }

    @Override
    public long start(long number) {
      int stretch = stretchOf(number);
      long parts = parts(stretch);
      long since = number - firsts[stretch];
      return days.start(stretch)
          + Math.floorDiv(since, parts) * days.length(stretch)
          + Math.floorMod(since, parts) * partLength(stretch);
    }

    private int stretchOf(long number) {
      int found = Arrays.binarySearch(firsts, number);
      return found >= 0 ? found : Math.max(0, -found - 2);
    }
  }

  private Bounds at(long time) {
    Bounds found = last;
    if (!found.contain(time)) {
      long number = numbering.number(time);
      found = new Bounds(numbering.start(number), numbering.start(number + 1), number);
      last = found;
    }
    return found;
  }

  @Override
  public long startOf(long time) {
    return at(time).start;
  }

  @Override
  public long endOf(long start) {
    return at(start).end;
  }

  @Override
  public long number(long time) {
    return at(time).number;
  }

  @Override
  public long start(long number) {
    return numbering.start(number);
  }

  @Override
  public long anchor() {
    return days.startOfDay(origin.toEpochDay());
  }

  /** Start of the window in which the local day begins, for days as files write them. */
  public long startOfDay(LocalDate day) {
    return days.startOfDay(day.toEpochDay());
  }

  /** Whether a time is the first instant of a local day. */
  public boolean isStartOfDay(long time) {
    return days.startOfDay(days.dayOf(time)) == time;
  }

  /** The local date of the day that a time lies in. */
  public LocalDate dayOf(long time) {
    return LocalDate.ofEpochDay(days.dayOf(time));
  }

  @Override
  public long pointAtOrBefore(long time, long step) {
    long start = startOf(time);
    return start + (time - start) / step * step;
  }

  @Override
  public Duration longest() {
    if (longest.isZero()) {
      longest = Duration.ofMillis(longestMillis());
    }
    return longest;
  }

  private long longestMillis() {
    long longest = 0;
    long day = FIRST_COMPARED;
    for (long start = startOf(days.startOfDay(day)); day < LAST_COMPARED; day++) {
      long next = startOf(days.startOfDay(day + 1));
      if (unit instanceof CalendarUnit.PartOfDay) {
        // The last window of a day is cut or stretched, the others have one length.
        longest = Math.max(longest, next - startOf(next - 1));
        longest = Math.max(longest, endOf(start) - start);
      } else {
        longest = Math.max(longest, next - start);
      }
      start = next;
    }
    return longest;
  }

  @Override
  public long mostTouched(Duration length) {
    long whole = -Math.floorDiv(-length.toMillis(), CalendarUnit.DAY);
    long most = 0;
    for (long day = FIRST_COMPARED; day < LAST_COMPARED; day++) {
      long touched =
          numbering.number(days.startOfDay(day + whole)) - numbering.number(days.startOfDay(day));
      most = Math.max(most, touched + 1);
    }
    return most;
  }

  /**
   * How many windows start in one of a calendar's periods at most.
   *
   * @param periods of the same zone
   */
  public long mostIn(CalendarWindows periods) {
    long most = 1;
    long end = days.startOfDay(LAST_COMPARED);
    for (long start = periods.startOf(days.startOfDay(FIRST_COMPARED)); start < end; ) {
      long next = periods.endOf(start);
      most = Math.max(most, between(firstStartFrom(start), firstStartFrom(next)));
      start = next;
    }
    return most;
  }

  /** Name of the zone. */
  public String zone() {
    return zone;
  }

  /** When clocks change there. */
  public ZoneRules rules() {
    return rules;
  }

  /** How long windows are. */
  public CalendarUnit unit() {
    return unit;
  }

  /** A local date on which some window starts. */
  public LocalDate origin() {
    return origin;
  }

  /**
   * The same calendar, cut otherwise.
   *
   * @param from a local date on which some window starts
   */
  public CalendarWindows cutBy(CalendarUnit other, LocalDate from) {
    return new CalendarWindows(zone, rules, other, from, days);
  }

  /** In full: digests of plans and states hang on this text, so that it never changes. */
  public String canonical() {
    return "size=%s, zone=%s, origin=%s".formatted(unit.word(), zone, origin);
  }

  /**
   * SHA-256 of all window starts from one time up to another, and of the first one's number: of
   * parts of a day, of the starts of all days, which the others follow from. Two sets of zone data
   * that cut this stretch of time alike have the same.
   *
   * @param from milliseconds since 1970
   * @param until the same, not before it
   */
  public byte[] digest(long from, long until) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      boolean byDays = unit instanceof CalendarUnit.PartOfDay;
      CalendarWindows cut = byDays ? cutBy(new CalendarUnit.Days(1), origin) : this;
      ByteBuffer bytes = ByteBuffer.allocate(Long.BYTES);
      digest.update(bytes.putLong(0, number(from)).array());
      for (long start = cut.startOf(from); start <= until; start = cut.endOf(start)) {
        digest.update(bytes.putLong(0, start).array());
      }
      return digest.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CalendarWindows windows
        && zone.equals(windows.zone)
        && rules.equals(windows.rules)
        && unit.equals(windows.unit)
        && origin.equals(windows.origin);
  }

  @Override
  public int hashCode() {
    return Objects.hash(zone, unit, origin);
  }

  @Override
  public String toString() {
    return "CalendarWindows[" + canonical() + "]";
  }
}
