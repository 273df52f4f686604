// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.accounting.Period;
import io.sfumato.window.CalendarUnit;
import io.sfumato.window.CalendarWindows;
import java.time.LocalDate;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Periods of a budget under the calendar of a zone. Spans are so many windows in a row, and nothing
 * is promised in hours: 720 hours can touch 32 days. Other periods begin where a window does, so
 * that each window lies in exactly one.
 */
final class LocalPeriods {
  private static final LocalDate FIRST_OF_MONTH = LocalDate.ofEpochDay(0);

  private LocalPeriods() {}

  /** Every span of a length. */
  static Period.AnyWindows any(
      Fields fields, CalendarLength length, CalendarWindows windows, OptionalInt pace) {
    CalendarUnit own = windows.unit();
    Optional<CalendarUnit> span = length.unit();
    OptionalLong count = span.map(own::in).orElse(OptionalLong.empty());
    if (count.isEmpty()) {
      fields.conflict(
          "any",
          "found %s with windows of %s in %s".formatted(length.word(), own.word(), windows.zone()),
          "a number of windows, such as " + examples(own));
    }
    return new Period.AnyWindows(count.orElse(1), span.orElse(own), windows, pace);
  }

  private static String examples(CalendarUnit unit) {
    return unit instanceof CalendarUnit.PartOfDay
        ? unit.word() + ", 1d or 30d"
        : unit.times(2).word() + " or " + unit.times(3).word();
  }

  /** Periods that follow each other. */
  static Period period(Fields fields, CalendarLength length, CalendarWindows windows) {
    CalendarUnit own = windows.unit();
    Optional<CalendarUnit> unit = length.unit().filter(own::tiles);
    if (unit.isEmpty()) {
      fields.conflict(
          "period",
          "found %s with windows of %s in %s".formatted(length.word(), own.word(), windows.zone()),
          "'window', 'lifetime', or a period that begins where a window does, such as "
              + examples(own));
      return new Period.Window();
    }
    boolean ofDays = !(own instanceof CalendarUnit.Months);
    LocalDate origin =
        ofDays && unit.get() instanceof CalendarUnit.Months ? FIRST_OF_MONTH : windows.origin();
    return new Period.Local(windows.cutBy(unit.get(), origin));
  }
}
