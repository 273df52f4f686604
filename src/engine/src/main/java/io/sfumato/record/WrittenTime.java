// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.util.Optional;

/**
 * A time as a format writes it. A format may hold less than a time: no seconds, no century, no
 * offset in an hour that occurs twice.
 *
 * @param text as it is written
 * @param millis as the text is read back, since 1970
 */
public record WrittenTime(String text, long millis) {
  /**
   * Writes a time as the text that a format needs; nothing where milliseconds as a number will do.
   */
  public static Optional<WrittenTime> unlessNumber(TimeReader times, long millis) {
    return times.format() instanceof TimeFormat.Auto ? Optional.empty() : of(times, millis);
  }

  /**
   * Writes a time and reads it back.
   *
   * @return nothing if what is written cannot be read
   */
  public static Optional<WrittenTime> of(TimeReader times, long millis) {
    String text = times.format().written(millis, times.zone());
    return times.text(text) instanceof TimeReading.Time read
        ? Optional.of(new WrittenTime(text, read.millis()))
        : Optional.empty();
  }
}
