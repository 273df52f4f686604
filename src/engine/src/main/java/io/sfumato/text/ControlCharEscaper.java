// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.text;

import java.util.Locale;

/**
 * Text from elsewhere as it may stand on a terminal or in a log: what could move the cursor, turn
 * the direction of a line, end it, or not be seen at all stands there as JSON would escape it, a
 * backslash, {@code u} and four hexadecimal digits a character. Escaped text is left as it is, and
 * JSON stays the same JSON.
 */
public final class ControlCharEscaper {
  private static final int FIRST_LETTER = 0x20;
  private static final int LAST_ASCII = 0x7E;

  private ControlCharEscaper() {}

  /** A name, or whatever else belongs into one line: line ends are escaped too. */
  public static String of(CharSequence text) {
    return escaped(text, "");
  }

  /** Text of several lines, which this program laid out: line ends and tabs stay. */
  public static String lines(CharSequence text) {
    return escaped(text, "\n\t");
  }

  /** Whether a character is shown as itself by {@link #of}. */
  public static boolean isShown(int codePoint) {
    if (codePoint >= FIRST_LETTER && codePoint <= LAST_ASCII) {
      return true;
    }
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> !isBlankLetter(codePoint);
    };
  }

  /** Letters and marks that nobody sees: joiners, fillers, variants of the one before. */
  private static boolean isBlankLetter(int codePoint) {
    return codePoint == 0x034F
        || codePoint == 0x115F
        || codePoint == 0x1160
        || codePoint == 0x17B4
        || codePoint == 0x17B5
        || codePoint >= 0x180B && codePoint <= 0x180F
        || codePoint == 0x2800
        || codePoint == 0x3164
        || codePoint >= 0xFE00 && codePoint <= 0xFE0F
        || codePoint == 0xFFA0
        || codePoint >= 0xE0000 && codePoint <= 0xE0FFF;
  }

  /** As Windows writes it; alone, the first half would write a line over itself. */
  private static boolean isLineEnd(CharSequence text, int at) {
    return text.charAt(at) == '\r' && at + 1 < text.length() && text.charAt(at + 1) == '\n';
  }

  private static String escaped(CharSequence text, String kept) {
    StringBuilder shown = new StringBuilder(text.length());
    int step;
    for (int i = 0; i < text.length(); i += step) {
      int c = Character.codePointAt(text, i);
      step = Character.charCount(c);
      if (isShown(c) || kept.indexOf(c) >= 0 || !kept.isEmpty() && isLineEnd(text, i)) {
        shown.appendCodePoint(c);
      } else {
        for (char unit : Character.toChars(c)) {
          shown.append(String.format(Locale.ROOT, "\\u%04x", (int) unit));
        }
      }
    }
    return shown.toString();
  }
}
