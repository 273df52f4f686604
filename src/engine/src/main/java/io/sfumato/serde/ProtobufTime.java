// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.google.protobuf.Descriptors.Descriptor;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Optional;

/** Times that messages are. Each is nothing where it is none. */
final class ProtobufTime {
  private static final long FIRST_SECOND = Instant.parse("0001-01-01T00:00:00Z").getEpochSecond();
  private static final long LAST_SECOND = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
  private static final int SECOND = 1_000_000_000;
  private static final int MILLISECOND = 1_000_000;

  private ProtobufTime() {}

  /** Milliseconds since 1970, rounded down, of a {@code google.protobuf.Timestamp}. */
  static Optional<Long> millis(Descriptor type, ProtobufMessage timestamp) {
    long seconds = part(type, timestamp, 1);
    long nanos = part(type, timestamp, 2);
    return seconds < FIRST_SECOND || seconds > LAST_SECOND || nanos < 0 || nanos >= SECOND
        ? Optional.empty()
        : Optional.of(seconds * 1_000 + nanos / MILLISECOND);
  }

  /** The day of a {@code google.type.Date}; nothing of one without a year or a day. */
  static Optional<LocalDate> date(Descriptor type, ProtobufMessage date) {
    try {
      long year = part(type, date, 1);
      return year < 1
          ? Optional.empty()
          : Optional.of(
              LocalDate.of(
                  Math.toIntExact(year),
                  Math.toIntExact(part(type, date, 2)),
                  Math.toIntExact(part(type, date, 3))));
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }

  /** Absent parts are 0, whatever syntax a schema has. */
  private static long part(Descriptor type, ProtobufMessage message, int number) {
    Object part = message.get(type.findFieldByNumber(number));
    return part == null ? 0 : (long) part;
  }
}
