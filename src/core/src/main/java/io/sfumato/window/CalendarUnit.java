// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/** How long the windows, or the budget periods, of a calendar are. */
public sealed interface CalendarUnit {
  /** Milliseconds of a day without a clock change. */
  long DAY = Duration.ofDays(1).toMillis();

  /** So many local days: weeks have 7. */
  record Days(int count) implements CalendarUnit {
    public Days {
      requireAbove0(count);
    }

    @Override
    public String word() {
      return count + "d";
    }

    @Override
    public String spoken() {
      return amount(count, "local day");
    }

    @Override
    public CalendarUnit times(int number) {
      return new Days(Math.multiplyExact(count, number));
    }
  }

  /** So many months of the calendar. */
  record Months(int count) implements CalendarUnit {
    public Months {
      requireAbove0(count);
    }

    @Override
    public String word() {
      return count + "mo";
    }

    @Override
    public String spoken() {
      return amount(count, "calendar month");
    }

    @Override
    public CalendarUnit times(int number) {
      return new Months(Math.multiplyExact(count, number));
    }
  }

  /**
   * A part of a local day. Parts follow each other from the day's first instant on. What is left of
   * the day behind the last whole part is one more part if it has at least half the length. A
   * shorter rest belongs to the last part. A day has at least one part.
   *
   * @param millis from 1 to less than 24 hours
   */
  record PartOfDay(long millis) implements CalendarUnit {
    public PartOfDay {
      if (millis < 1 || millis >= DAY) {
        throw new IllegalArgumentException("a part of a day is shorter than it: " + millis);
      }
    }

    /** How many parts a day of a given length has. */
    long in(long day) {
      long whole = day / millis;
      return Math.max(1, whole + (2 * (day % millis) >= millis ? 1 : 0));
    }

    @Override
    public String word() {
      return wordOf(millis);
    }

    @Override
    public String spoken() {
      return wordOf(millis);
    }

    @Override
    public CalendarUnit times(int number) {
      return new PartOfDay(Math.multiplyExact(millis, number));
    }
  }

  /** As pipeline files write it: {@code 1d}, {@code 3mo}, {@code 6h}. */
  String word();

  /** As people say it: {@code 30 local days}. */
  String spoken();

  /**
   * So many of them.
   *
   * @throws RuntimeException if that is no unit
   */
  CalendarUnit times(int number);

  /** The unit of a length of time: whole days, or less than a day; nothing for any other. */
  static Optional<CalendarUnit> of(Duration length) {
    long millis = length.toMillis();
    if (millis < 1 || millis / DAY > Integer.MAX_VALUE) {
      return Optional.empty();
    }
    if (millis < DAY) {
      return Optional.of(new PartOfDay(millis));
    }
    return millis % DAY == 0 ? Optional.of(new Days((int) (millis / DAY))) : Optional.empty();
  }

  /**
   * How many windows of this unit a span of another unit has, where that is one number: n windows
   * in a row. A month has no number of days. A day has as many parts as one of 24 hours.
   */
  default OptionalLong in(CalendarUnit span) {
    if (this instanceof Days own && span instanceof Days other) {
      return quotient(other.count, own.count);
    }
    if (this instanceof Months own && span instanceof Months other) {
      return quotient(other.count, own.count);
    }
    if (this instanceof PartOfDay own && span instanceof PartOfDay other) {
      return quotient(other.millis, own.millis);
    }
    return this instanceof PartOfDay own && span instanceof Days other
        ? OptionalLong.of(other.count * own.in(DAY))
        : OptionalLong.empty();
  }

  /** Whether periods of another unit, counted from the same origin, begin where windows do. */
  default boolean tiles(CalendarUnit period) {
    boolean everyDay = this instanceof PartOfDay || equals(new Days(1));
    return in(period).isPresent() || period instanceof Months && everyDay;
  }

  private static OptionalLong quotient(long dividend, long divisor) {
    return dividend % divisor == 0 ? OptionalLong.of(dividend / divisor) : OptionalLong.empty();
  }

  private static void requireAbove0(int count) {
    if (count < 1) {
      throw new IllegalArgumentException("a calendar counts from 1 on: " + count);
    }
  }

  private static String amount(int count, String unit) {
    return count + " " + unit + (count == 1 ? "" : "s");
  }

  private static String wordOf(long millis) {
    if (millis % 3_600_000 == 0) {
      return millis / 3_600_000 + "h";
    }
    if (millis % 60_000 == 0) {
      return millis / 60_000 + "m";
    }
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }
}
