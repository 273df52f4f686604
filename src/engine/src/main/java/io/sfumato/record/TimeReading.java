// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.record;

import java.util.Optional;

/** What a text or number in a time field is. */
public sealed interface TimeReading {
  /**
   * A time.
   *
   * @param millis milliseconds since 1970, rounded down
   */
  record Time(long millis) implements TimeReading {}

  /** Nothing: an empty text, or blanks alone. */
  record Missing() implements TimeReading {}

  /**
   * No time of the format.
   *
   * @param reason what is wrong and what to do, as the end of a sentence about the value; of the
   *     value it has at most the form, every digit as 9
   */
  record Unreadable(String reason) implements TimeReading {}

  /**
   * A number that would be a time before 1990 or after 2100: probably of another unit.
   *
   * @param fits the format under which it would lie between them; nothing if none would
   */
  record Implausible(Optional<TimeFormat> fits) implements TimeReading {}
}
