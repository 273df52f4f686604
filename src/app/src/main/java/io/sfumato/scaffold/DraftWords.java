// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.scaffold;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** How drafts write lengths of time, names and numbers. */
final class DraftWords {
  /** Between a setting, what it is called where it was guessed, and its comment. */
  private static final String BAR = "\1";

  /** Column of comments. */
  private static final int COMMENTS = 28;

  private DraftWords() {}

  /** A draft whose comments stand one below the other, and say what was guessed. */
  static String commented(String draft, Set<String> guessed) {
    return draft
        .lines()
        .map(line -> commentedLine(line, guessed))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private static String commentedLine(String line, Set<String> guessed) {
    String[] parts = line.split(BAR, 3);
    if (parts.length < 3) {
      return line;
    }
    boolean guess = guessed.contains(parts[1]);
    if (!guess && parts[2].isEmpty()) {
      return parts[0];
    }
    String comment =
        guess ? "GUESSED, check" + (parts[2].isEmpty() ? "" : ": " + parts[2]) : parts[2];
    return parts[0] + " ".repeat(Math.max(1, COMMENTS - parts[0].length())) + "# " + comment;
  }

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

  /** A text as YAML reads it back, whatever it holds, on one line. */
  static String quoted(String text) {
    if (text.matches("[A-Za-z][A-Za-z0-9_-]*")
        && !text.matches("(?i)y|n|yes|no|on|off|true|false|null")) {
      return text;
    }
    // Single quotes keep everything but line breaks, which they fold, and what is not printable.
    return text.codePoints().allMatch(DraftWords::isPrintable)
        ? "'" + text.replace("'", "''") + "'"
        : escaped(text);
  }

  private static String escaped(String text) {
    StringBuilder escaped = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            point -> {
              if (point == '"' || point == '\\') {
                escaped.append('\\').appendCodePoint(point);
              } else if (isPrintable(point)) {
                escaped.appendCodePoint(point);
              } else {
                escaped.append(escape(point));
              }
            });
    return escaped.append('"').toString();
  }

  private static String escape(int point) {
    return switch (point) {
      case '\n' -> "\\n";
      case '\r' -> "\\r";
      case '\t' -> "\\t";
      default -> String.format(Locale.ROOT, point < 0x1_0000 ? "\\u%04x" : "\\U%08x", point);
    };
  }

  /** Whether a character stands in a file as itself, and is seen there. */
  private static boolean isPrintable(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED ->
          false;
      default -> true;
    };
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
