// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneRules;
import java.util.Optional;

/**
 * Times for people where a file has a zone: by its clocks, with their offset. Without a zone they
 * are in UTC.
 *
 * @param rules when clocks change there
 */
public record LocalTimes(Optional<ZoneRules> rules) {
  /** In UTC, without an offset. */
  public static final LocalTimes UTC = new LocalTimes(Optional.empty());

  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mmxxx");

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ssxxx");

  /** Where a window begins: to the second where that is no whole minute. */
  public String start(Instant window) {
    return start(window, window);
  }

  /** The same, alike for all windows of a length. */
  public String start(Instant window, Instant end) {
    return rules.isEmpty()
        ? Times.start(window, end)
        : (isMinute(window) && isMinute(end) ? MINUTE : SECOND).format(local(window));
  }

  /** A time as JSON has it: in UTC, or with the offset of the zone. */
  public String iso(Instant time) {
    return rules.isEmpty() ? time.toString() : local(time).toString();
  }

  private OffsetDateTime local(Instant time) {
    return time.atOffset(rules.orElseThrow().getOffset(time));
  }

  private static boolean isMinute(Instant instant) {
    return instant.getEpochSecond() % 60 == 0;
  }
}
