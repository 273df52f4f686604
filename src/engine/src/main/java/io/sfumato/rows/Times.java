// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times for people, in UTC. */
public final class Times {
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm").withZone(ZoneOffset.UTC);

  private static final DateTimeFormatter SECOND =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);

  private Times() {}

  /** A time, to the minute. */
  public static String day(Instant instant) {
    return DAY.format(instant);
  }

  /** Where a window begins: to the second where that is no whole minute. */
  public static String start(Instant window) {
    return isMinute(window) ? day(window) : SECOND.format(window);
  }

  /** The same, alike for all windows of a length. */
  public static String start(Instant window, Instant end) {
    return isMinute(window) && isMinute(end) ? day(window) : SECOND.format(window);
  }

  private static boolean isMinute(Instant instant) {
    return instant.getEpochSecond() % 60 == 0;
  }
}
