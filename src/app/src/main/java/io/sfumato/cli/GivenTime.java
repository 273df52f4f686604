// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.pipeline.WindowSpec;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Optional;

/**
 * A time on the command line.
 *
 * @param utc the instant; of a day the one at which it begins in UTC
 * @param day the day, where no time of day was given
 */
record GivenTime(Instant utc, Optional<LocalDate> day) {
  /** What help says of a day. */
  static final String DAY = "A day is a local one where the file has window.zone, else one of UTC.";

  /** Whether no time of day was given. */
  boolean isDay() {
    return day.isPresent();
  }

  /** A day, or a time with an offset. */
  static GivenTime parse(String text) {
    Instant utc = Main.time(text);
    boolean isDay = text.indexOf('T') < 0;
    return new GivenTime(utc, isDay ? Optional.of(LocalDate.parse(text)) : Optional.empty());
  }

  /** The instant: a day begins where windows of the file say. */
  Instant in(WindowSpec window) {
    return day.flatMap(date -> window.calendar().map(windows -> windows.startOfDay(date)))
        .map(Instant::ofEpochMilli)
        .orElse(utc);
  }

  /** The instant: a day begins at its first moment in the zone. */
  Instant in(ZoneId zone) {
    return day.map(date -> date.atStartOfDay(zone).toInstant()).orElse(utc);
  }
}
