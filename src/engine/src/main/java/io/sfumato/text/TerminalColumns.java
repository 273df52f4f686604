// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.text;

import java.util.Locale;

/** Names from elsewhere in the columns of a terminal. */
public final class TerminalColumns {
  private static final String CUT = "…";

  private TerminalColumns() {}

  /**
   * A name as {@link ControlCharEscaper} shows it, and spaces that it begins or ends with escaped
   * too: nobody would see them.
   */
  public static String shown(String name) {
    int from = 0;
    int to = name.length();
    while (from < to && name.charAt(from) == ' ') {
      from++;
    }
    while (to > from && name.charAt(to - 1) == ' ') {
      to--;
    }
    String space = String.format(Locale.ROOT, "\\u%04x", (int) ' ');
    return space.repeat(from)
        + ControlCharEscaper.of(name.substring(from, to))
        + space.repeat(name.length() - to);
  }

  /** How many columns a line takes, as far as one can say: terminals differ about new letters. */
  public static int of(String shown) {
    return shown.codePoints().map(TerminalColumns::width).sum();
  }

  /**
   * What does not fit is left out in the middle: many names begin alike, and many end alike.
   *
   * @param shown as it would stand there
   * @param most columns, at least 3
   */
  public static String cut(String shown, int most) {
    if (of(shown) <= most) {
      return shown;
    }
    int[] letters = shown.codePoints().toArray();
    int head = 0;
    for (int left = most / 2; left >= width(letters[head]); head++) {
      left -= width(letters[head]);
    }
    int tail = letters.length;
    for (int left = (most - 1) / 2; left >= width(letters[tail - 1]); tail--) {
      left -= width(letters[tail - 1]);
    }
    // A mark belongs to the letter before it.
    while (tail < letters.length && width(letters[tail]) == 0) {
      tail++;
    }
    return new String(letters, 0, head) + CUT + new String(letters, tail, letters.length - tail);
  }

  /** With spaces behind it, up to so many columns. */
  public static String padded(String shown, int columns) {
    return shown + " ".repeat(Math.max(0, columns - of(shown)));
  }

  private static int width(int letter) {
    return switch (Character.getType(letter)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK -> 0;
      default -> isWide(letter) ? 2 : 1;
    };
  }

  /** Of East Asia's writing, and pictures. */
  private static boolean isWide(int letter) {
    return letter >= 0x1100 && letter <= 0x115F
        || letter >= 0x2E80 && letter <= 0xA4CF
        || letter >= 0xAC00 && letter <= 0xD7A3
        || letter >= 0xF900 && letter <= 0xFAFF
        || letter >= 0xFE30 && letter <= 0xFE6F
        || letter >= 0xFF00 && letter <= 0xFF60
        || letter >= 0xFFE0 && letter <= 0xFFE6
        || letter >= 0x1F300 && letter <= 0x1FAFF
        || letter >= 0x20000 && letter <= 0x3FFFD;
  }
}
