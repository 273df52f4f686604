// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

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

  /** What the word of {@link Any} begins with. */
  String ANY = "any ";

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
   * Every span of a length, wherever it begins. Windows have a ledger each, numbered by their
   * start; those of all windows that one span touches are added up: of n + 1 windows, where n of
   * them are as long as the span.
   *
   * @param length of the spans, above 0: a multiple of the windows' size
   * @param pace of how many windows of every span anything is released, at least 1; of all, or of
   *     as many as a ledger admits, if it is not said
   */
  record Any(Duration length, OptionalInt pace) implements Period {
    /**
     * @throws IllegalArgumentException if the pace is below 1
     */
    public Any {
      requireLength(length);
      if (pace.isPresent() && pace.getAsInt() < 1) {
        throw new IllegalArgumentException("a pace is at least 1: " + pace.getAsInt());
      }
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

    /** The length as people say it: {@code 30 days}. */
    public String spoken() {
      return Period.spoken(length);
    }

    /** What guarantees call it: {@code whatever 30 days you take}. */
    public String whatever() {
      return "whatever " + spoken() + " you take";
    }

    @Override
    public String during() {
      return "in " + spoken() + ", whichever you take,";
    }

    @Override
    public String canonical() {
      return "Any[length=" + length + (pace.isPresent() ? ", pace=" + pace.getAsInt() : "") + "]";
    }
  }
}
