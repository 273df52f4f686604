// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.window.CalendarUnit;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A length as files write it where a calendar may count: {@code 6h}, {@code 1d}, {@code 2w}, {@code
 * 3mo}.
 *
 * @param months of the calendar; 0 for a length of time
 * @param time a length of time; zero for months
 */
public record CalendarLength(int months, Duration time) {
  private static final Pattern MONTHS = Pattern.compile("([1-9]\\d{0,3})mo");

  /** That of a length of time. */
  public static CalendarLength of(Duration time) {
    return new CalendarLength(0, time);
  }

  /** Of a number and a unit; nothing for any other text. */
  public static Optional<CalendarLength> parse(String text) {
    Matcher matcher = MONTHS.matcher(text);
    return matcher.matches()
        ? Optional.of(new CalendarLength(Integer.parseInt(matcher.group(1)), Duration.ZERO))
        : Durations.parse(text).map(CalendarLength::of);
  }

  /** Whether months are counted, which only a calendar has. */
  public boolean isMonths() {
    return months > 0;
  }

  /** The unit of a calendar that is as long; nothing where none is, as of 36 hours. */
  public Optional<CalendarUnit> unit() {
    return isMonths() ? Optional.of(new CalendarUnit.Months(months)) : CalendarUnit.of(time);
  }

  /** The shortest way to write it. */
  public String word() {
    return isMonths() ? months + "mo" : Durations.word(time);
  }
}
