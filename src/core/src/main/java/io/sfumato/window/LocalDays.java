// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.window;

import java.time.Instant;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Arrays;
import java.util.TreeSet;

/**
 * Where the local days of a zone begin. A day begins at the first instant whose local date is that
 * day or a later one. Local dates are not monotone: a clock that is set back at 00:01 shows the
 * former date again, and these minutes belong to the day that had begun. A date that a zone skips
 * is no day.
 *
 * <p>Days are kept as stretches of days of one length, in the order of time. Beyond the year
 * {@value #LAST_YEAR} every day has 24 hours, as before the first clock change.
 */
final class LocalDays {
  private static final int LAST_YEAR = 2400;

  /** Before the first clock change of any zone. */
  private static final Instant FIRST = Instant.parse("1700-01-01T00:00:00Z");

  private static final Instant LAST = Instant.parse(LAST_YEAR + "-01-01T00:00:00Z");
  private static final int SECONDS = 1000;
  private static final long FURTHEST_OFFSET = 18 * 3600;
  private static final long LATEST = 100_000_000_000_000_000L;

  private final ZoneRules rules;

  /** First instant of each stretch, milliseconds since 1970. */
  private final long[] starts;

  /** First day of each stretch, counted from 1970-01-01. */
  private final long[] firstDays;

  /** Length of every day of a stretch, milliseconds. */
  private final long[] lengths;

  LocalDays(ZoneRules rules) {
    this.rules = rules;
    Builder builder = new Builder();
    for (long day : daysBesideTransitions()) {
      builder.upTo(day);
      builder.add(day);
    }
    builder.regular();
    this.starts = Arrays.copyOf(builder.starts, builder.size);
    this.firstDays = Arrays.copyOf(builder.firstDays, builder.size);
    this.lengths = Arrays.copyOf(builder.lengths, builder.size);
  }

  /** Every day that a clock change may begin, end or shorten, and those beside it. */
  private TreeSet<Long> daysBesideTransitions() {
    TreeSet<Long> days = new TreeSet<>();
    days.add(0L);
    for (ZoneOffsetTransition change = rules.nextTransition(FIRST);
        change != null && change.getInstant().isBefore(LAST);
        change = rules.nextTransition(change.getInstant())) {
      long before = change.getDateTimeBefore().toLocalDate().toEpochDay();
      long after = change.getDateTimeAfter().toLocalDate().toEpochDay();
      for (long day = Math.min(before, after) - 1; day <= Math.max(before, after) + 1; day++) {
        days.add(day);
      }
    }
    return days;
  }

  /** The first instant whose local date is a day or later, milliseconds since 1970. */
  private long firstInstant(long day) {
    long midnight = day * 86_400;
    long from = midnight - FURTHEST_OFFSET;
    while (true) {
      Instant at = Instant.ofEpochSecond(from);
      long wanted = midnight - rules.getOffset(at).getTotalSeconds();
      if (wanted <= from) {
        return from * SECONDS;
      }
      ZoneOffsetTransition change = rules.nextTransition(at);
      if (change == null || wanted < change.getInstant().getEpochSecond()) {
        return wanted * SECONDS;
      }
      from = change.getInstant().getEpochSecond();
    }
  }

  /** Stretches in the order of time. */
  private final class Builder {
    private long[] starts = new long[64];
    private long[] firstDays = new long[64];
    private long[] lengths = new long[64];
    private int size;

    /** The day, and its start, that comes after what was added. */
    private long day = Long.MIN_VALUE;

    private long start;

    /** Days without clock changes, up to one. */
    void upTo(long next) {
      if (day == Long.MIN_VALUE) {
        day = next - 1;
        start = firstInstant(day);
      }
      if (next > day) {
        put(CalendarUnit.DAY);
        start += (next - day) * CalendarUnit.DAY;
        day = next;
      }
      if (start != firstInstant(next)) {
        throw new IllegalStateException("a day of another length than 24 hours before " + next);
      }
    }

    /** One day, unless it is skipped. */
    void add(long next) {
      long end = firstInstant(next + 1);
      if (end > start) {
        put(end - start);
      }
      day = next + 1;
      start = end;
    }

    /** All days that follow. */
    void regular() {
      put(CalendarUnit.DAY);
    }

    private void put(long length) {
      if (size == starts.length) {
        starts = Arrays.copyOf(starts, 2 * size);
        firstDays = Arrays.copyOf(firstDays, 2 * size);
        lengths = Arrays.copyOf(lengths, 2 * size);
      }
      starts[size] = start;
      firstDays[size] = day;
      lengths[size] = length;
      size++;
    }
  }

  /** Number of stretches. */
  int stretches() {
    return starts.length;
  }

  /** The stretch that a time lies in; the first one for all that lies before. */
  int stretchOf(long time) {
    return place(starts, time);
  }

  /** The stretch that a day lies in; of a skipped day the one before it. */
  private int stretchOfDay(long day) {
    return place(firstDays, day);
  }

  private static int place(long[] sorted, long value) {
    int found = Arrays.binarySearch(sorted, value);
    return found >= 0 ? found : Math.max(0, -found - 2);
  }

  /** First instant of a stretch. */
  long start(int stretch) {
    return starts[stretch];
  }

  /** Length of the days of a stretch. */
  long length(int stretch) {
    return lengths[stretch];
  }

  /** Days of a stretch, none of them skipped; not of the last one, which never ends. */
  long days(int stretch) {
    return (starts[stretch + 1] - starts[stretch]) / lengths[stretch];
  }

  /** The local date of the day that a time lies in, counted from 1970-01-01. */
  long dayOf(long time) {
    long within = within(time);
    int stretch = stretchOf(within);
    return firstDays[stretch] + Math.floorDiv(within - starts[stretch], lengths[stretch]);
  }

  /** First instant of a day; of a skipped one that of the day that follows. */
  long startOfDay(long day) {
    int stretch = stretchOfDay(day);
    long start = starts[stretch] + (day - firstDays[stretch]) * lengths[stretch];
    return stretch + 1 < starts.length ? Math.min(start, starts[stretch + 1]) : start;
  }

  /** A time of which differences do not overflow. */
  static long within(long time) {
    return Math.max(-LATEST, Math.min(LATEST, time));
  }
}
