// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import io.sfumato.record.TimeFormat;
import java.time.ZoneId;
import java.util.Optional;

/**
 * The field of the event time, and how a drafted pipeline reads it.
 *
 * @param field its name
 * @param format how times are written there
 * @param zone of times without an offset, where the pipeline reads such
 */
public record TimeField(String field, TimeFormat format, Optional<ZoneId> zone) {
  /** ISO-8601 with an offset, or milliseconds. */
  public static TimeField usual(String field) {
    return new TimeField(field, new TimeFormat.Auto(), Optional.empty());
  }

  /** Lines of the file. */
  String inFile() {
    boolean auto = format instanceof TimeFormat.Auto;
    String about =
        auto && zone.isEmpty()
            ? "event time: ISO-8601 with an offset, or milliseconds since 1970"
            : "event time";
    StringBuilder lines =
        new StringBuilder("time: %s\1time\1%s%n".formatted(DraftWords.quoted(field), about));
    if (!auto) {
      lines.append(
          "  time-format: %s\1time-format\1how it is written%n"
              .formatted(DraftWords.quoted(format.word())));
    }
    zone.ifPresent(
        id -> lines.append("  zone: %s\1zone\1of times without an offset%n".formatted(id)));
    return lines.toString().stripTrailing();
  }
}
