// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.OptionalInt;

/** How long one ledger lasts. The period of a release is that of its window's START. */
public sealed interface Period {
  /**
   * Number of the period that an event time lies in.
   *
   * @param windowStart milliseconds since 1970
   */
  long indexOf(long windowStart);

  /**
   * Number of the first ledger whose charges are added up with those of a ledger.
   *
   * @param index of the ledger
   */
  default long firstWith(long index) {
    return index;
  }

  /**
   * Number of the last ledger whose charges are added up with those of a ledger.
   *
   * @param index of the ledger
   */
  default long lastWith(long index) {
    return index;
  }

  /**
   * The first window start, after those of a period, that lies in a later one.
   *
   * @param index of the period
   * @return milliseconds since 1970
   */
  long endOf(long index);

  /** The word that a pipeline file uses. */
  String word();

  /** When that happened of which outputs tell no more than is promised, as people say it. */
  String during();

  /** In full. Digests of plans hang on this text, so that it never changes. */
  String canonical();

  /**
   * The period of a word that {@link #word} gave.
   *
   * @param word such as {@code window}, {@code lifetime} or {@code P30D}
   * @throws IllegalArgumentException if it is none
   */
  static Period of(String word) {
    if (isLocal(word)) {
      throw new IllegalArgumentException("a zone's calendar is not in its word: " + word);
    }
    if (word.equals(LIFETIME)) {
      return new Lifetime();
    }
    if (word.equals(WINDOW)) {
      return new Window();
    }
    try {
      return word.startsWith(ANY)
          ? new Any(lengthOf(word.substring(ANY.length())), OptionalInt.empty())
          : new Fixed(lengthOf(word));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("no period: " + word, e);
    }
  }

  /** Whether a period of that word goes by the calendar of a zone, which the word only names. */
  static boolean isLocal(String word) {
    return word.contains(IN);
  }

  private static Duration lengthOf(String word) {
    return word.matches("[0-9]{1,9}d")
        ? Duration.ofDays(Long.parseLong(word.substring(0, word.length() - 1)))
        : Duration.parse(word);
  }

  /** A length as people say it: {@code 30 days}. */
  static String spoken(Duration length) {
    long seconds = length.toSeconds();
    if (seconds == 0 || length.getNano() != 0) {
      return length.toString();
    }
    if (seconds % 86_400 == 0) {
      return amount(seconds / 86_400, "day");
    }
    if (seconds % 3_600 == 0) {
      return amount(seconds / 3_600, "hour");
    }
    return seconds % 60 == 0 ? amount(seconds / 60, "minute") : amount(seconds, "second");
  }

  private static String amount(long number, String unit) {
    return number + " " + unit + (number == 1 ? "" : "s");
  }

  private static String wordOf(Duration length) {
    boolean wholeDays = length.equals(Duration.ofDays(length.toDays()));
    return wholeDays ? length.toDays() + "d" : length.toString();
  }

  private static void requireLength(Duration length) {
    if (length.isNegative() || length.isZero()) {
      throw new IllegalArgumentException("a period is longer than 0: " + length);
    }
  }

  /** The word of {@link Lifetime}. */
  String LIFETIME = "lifetime";

  /** The word of {@link Window}. */
  String WINDOW = "window";

  /** What the word of a {@link Span} begins with. */
  String ANY = "any ";

  /** What stands before the zone in words of calendars. */
  String IN = " in ";

  /** One ledger for ever. */
  record Lifetime() implements Period {
    @Override
    public long indexOf(long windowStart) {
      return 0;
    }

    @Override
    public long endOf(long index) {
      return Long.MAX_VALUE;
    }

    @Override
    public String word() {
      return LIFETIME;
    }

    @Override
    public String during() {
      return "at any time";
    }

    @Override
    public String canonical() {
      return "Lifetime[]";
    }
  }

  /**
   * A new ledger every so often in event time, from 1970 on.
   *
   * @param length above 0
   */
  record Fixed(Duration length) implements Period {
    public Fixed {
      requireLength(length);
    }

    @Override
    public long indexOf(long windowStart) {
      return Math.floorDiv(windowStart, length.toMillis());
    }

    @Override
    public long endOf(long index) {
      return (index + 1) * length.toMillis();
    }

    @Override
    public String word() {
      return wordOf(length);
    }

    @Override
    public String during() {
      return "in a period of " + Period.spoken(length);
    }

    @Override
    public String canonical() {
      return "Fixed[length=" + length + "]";
    }
  }

  /** A ledger for each window. */
  record Window() implements Period {
    @Override
    public long indexOf(long windowStart) {
      return windowStart;
    }

    @Override
    public long endOf(long index) {
      return index + 1;
    }

    @Override
    public String word() {
      return WINDOW;
    }

    @Override
    public String during() {
      return "in a window";
    }

    @Override
    public String canonical() {
      return "Window[]";
    }
  }

  /**
   * A new ledger for each period of a zone's calendar.
   *
   * @param periods the periods, cut like windows: each window lies in the one that it starts in
   */
  record Local(CalendarWindows periods) implements Period {
    @Override
    public long indexOf(long windowStart) {
      return periods.number(windowStart);
    }

    @Override
    public long endOf(long index) {
      return periods.start(index + 1);
    }

    @Override
    public String word() {
      return periods.unit().word() + IN + periods.zone() + " from " + periods.origin();
    }

    /** The length as people say it: {@code 30 local days}. */
    public String spoken() {
      return periods.unit().spoken();
    }

    @Override
    public String during() {
      return "in a period of " + spoken();
    }

    @Override
    public String canonical() {
      return "Local[" + periods.canonical() + "]";
    }
  }

  /** Every span of a length, wherever it begins. */
  sealed interface Span extends Period {
    /**
     * Of how many windows of every span anything is released, at least 1; of all, or of as many as
     * a ledger admits, if it is not said.
     */
    OptionalInt pace();

    /** The length as people say it: {@code 30 days}. */
    String spoken();

    /** What guarantees call it: {@code whatever 30 days you take}. */
    default String whatever() {
      return "whatever " + spoken() + " you take";
    }

    @Override
    default String during() {
      return "in " + spoken() + ", whichever you take,";
    }
  }

  private static void requirePace(OptionalInt pace) {
    if (pace.isPresent() && pace.getAsInt() < 1) {
      throw new IllegalArgumentException("a pace is at least 1: " + pace.getAsInt());
    }
  }

  private static String paceOf(OptionalInt pace) {
    return pace.isPresent() ? ", pace=" + pace.getAsInt() : "";
  }

  /**
   * Every span of so many windows of a calendar, whatever lengths they have: any {@code count + 1}
   * in a row. Windows have a ledger each, with the window's number. So zone data that move the
   * start of a window leave its ledger where it is.
   *
   * @param count n, windows of a span, at least 1
   * @param length what a file calls them
   * @param windows of the file
   * @param pace of how many of them anything is released
   */
  record AnyWindows(long count, CalendarUnit length, CalendarWindows windows, OptionalInt pace)
      implements Span {
    /**
     * @throws IllegalArgumentException if there is no window, or the pace is below 1
     */
    public AnyWindows {
      requirePace(pace);
      if (count < 1) {
        throw new IllegalArgumentException("a span has at least 1 window: " + count);
      }
    }

    @Override
    public long indexOf(long windowStart) {
      return windows.number(windowStart);
    }

    @Override
    public long firstWith(long index) {
      return index < Long.MIN_VALUE + count ? Long.MIN_VALUE : index - count;
    }

    @Override
    public long lastWith(long index) {
      return index > Long.MAX_VALUE - count ? Long.MAX_VALUE : index + count;
    }

    @Override
    public long endOf(long index) {
      return windows.start(index + 1);
    }

    @Override
    public String word() {
      return "%s%d windows of %s%s%s from %s"
          .formatted(ANY, count, windows.unit().word(), IN, windows.zone(), windows.origin());
    }

    @Override
    public String spoken() {
      return windows.unit() instanceof CalendarUnit.PartOfDay
          ? amount(count, "window") + " of " + windows.unit().word()
          : length.spoken();
    }

    @Override
    public String canonical() {
      return "AnyWindows[count=%d, %s%s]".formatted(count, windows.canonical(), paceOf(pace));
    }
  }

  /**
   * Every span of a length, wherever it begins. Windows have a ledger each, numbered by their
   * start; those of all windows that one span touches are added up: of n + 1 windows, where n of
   * them are as long as the span.
   *
   * @param length of the spans, above 0: a multiple of the windows' size
   * @param pace of how many windows of every span anything is released, at least 1; of all, or of
   *     as many as a ledger admits, if it is not said
   */
  record Any(Duration length, OptionalInt pace) implements Span {
    /**
     * @throws IllegalArgumentException if the pace is below 1
     */
    public Any {
      requireLength(length);
      requirePace(pace);
    }

    @Override
    public long indexOf(long windowStart) {
      return windowStart;
    }

    @Override
    public long firstWith(long index) {
      long millis = length.toMillis();
      return index < Long.MIN_VALUE + millis ? Long.MIN_VALUE : index - millis;
    }

    @Override
    public long lastWith(long index) {
      long millis = length.toMillis();
      return index > Long.MAX_VALUE - millis ? Long.MAX_VALUE : index + millis;
    }

    @Override
    public long endOf(long index) {
      return index + 1;
    }

    /** What is promised; the pace is no part of it. */
    @Override
    public String word() {
      return ANY + wordOf(length);
    }

    @Override
    public String spoken() {
      return Period.spoken(length);
    }

    @Override
    public String canonical() {
      return "Any[length=" + length + paceOf(pace) + "]";
    }
  }
}
