// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import java.time.Duration;
import java.time.format.DateTimeParseException;

/** How long one ledger lasts. The period of a release is that of its window's START. */
public sealed interface Period {
  /** Number of the period that an event time lies in. */
  long indexOf(long windowStart);

  /** The first window start, after those of a period, that lies in a later one. */
  long endOf(long index);

  /** The word that a pipeline file uses. */
  String word();

  /** In full. Digests of plans hang on this text, so that it never changes. */
  String canonical();

  /**
   * The period of a word that {@link #word} gave.
   *
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
      return new Fixed(
          word.matches("[0-9]{1,9}d")
              ? Duration.ofDays(Long.parseLong(word.substring(0, word.length() - 1)))
              : Duration.parse(word));
    } catch (DateTimeParseException e) {
      throw new IllegalArgumentException("no period: " + word, e);
    }
  }

  /** The word of {@link Lifetime}. */
  String LIFETIME = "lifetime";

  /** The word of {@link Window}. */
  String WINDOW = "window";

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
    public String canonical() {
      return "Lifetime[]";
    }
  }

  /** A new ledger every so often in event time, from 1970 on. */
  record Fixed(Duration length) implements Period {
    public Fixed {
      if (length.isNegative() || length.isZero()) {
        throw new IllegalArgumentException("a period is longer than 0: " + length);
      }
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
      boolean wholeDays = length.equals(Duration.ofDays(length.toDays()));
      return wholeDays ? length.toDays() + "d" : length.toString();
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
    public String canonical() {
      return "Window[]";
    }
  }
}
