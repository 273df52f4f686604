// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.draft;

import java.time.Duration;
import java.util.Locale;

/** How drafts write lengths of time, names and numbers. */
final class DraftWords {
  private DraftWords() {}

  /** A tenth of a window or so, in round numbers. */
  static Duration grace(Duration window) {
    if (window.compareTo(Duration.ofDays(7)) >= 0) {
      return Duration.ofDays(1);
    }
    if (window.compareTo(Duration.ofDays(1)) >= 0) {
      return Duration.ofHours(2);
    }
    return window.compareTo(Duration.ofHours(1)) >= 0
        ? Duration.ofMinutes(window.toMinutes() / 12)
        : Duration.ofSeconds(Math.max(1, window.toSeconds() / 10));
  }

  static String quoted(String text) {
    return text.matches("[A-Za-z][A-Za-z0-9_-]*")
            && !text.matches("(?i)y|n|yes|no|on|off|true|false|null")
        ? text
        : "'" + text.replace("'", "''") + "'";
  }

  static String number(double value) {
    return value == Math.rint(value)
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%s", value);
  }

  static String length(Duration duration) {
    long seconds = duration.toSeconds();
    if (seconds % 86_400 == 0) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3_600 == 0) {
      return seconds / 3_600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
