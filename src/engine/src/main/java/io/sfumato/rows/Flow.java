// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import io.sfumato.text.TerminalColumns;
import java.util.ArrayList;
import java.util.List;

/**
 * Lines that are filled with words: on a terminal none is wider than {@value #TERMINAL} columns,
 * but for words that alone are; else there is one line, and blocks below.
 */
final class Flow {
  static final int TERMINAL = 80;
  static final String INDENT = "    ";

  private final TextLength length;
  private final List<String> lines = new ArrayList<>();
  private final StringBuilder line;
  private int columns;

  /** What stays with the words that come next. */
  private String pending = "";

  /** Whether the line has nothing but its beginning. */
  private boolean isBare = true;

  /**
   * @param beginning of the first line; the others are indented
   */
  Flow(String beginning, TextLength length) {
    this.length = length;
    this.line = new StringBuilder(beginning);
    this.columns = TerminalColumns.of(beginning);
  }

  /**
   * Words that stay together, unless they are wider than a line.
   *
   * @param gap before them, if the line has other words
   * @param added behind what was to stand {@link #before} them
   */
  void add(String gap, String added) {
    String rest = pending + added;
    pending = "";
    String before = gap;
    for (int end = end(rest); end > 0; end = end(rest)) {
      append(before, rest.substring(0, end));
      rest = rest.substring(end).stripLeading();
      before = " ";
    }
    append(before, rest);
  }

  /** Where words that are wider than a whole line break; 0 if they fit or have no space. */
  private int end(String words) {
    if (length == TextLength.WHOLE || isWithinALine(words)) {
      return 0;
    }
    int end = words.lastIndexOf(' ');
    while (end > 0 && !isWithinALine(words.substring(0, end))) {
      end = words.lastIndexOf(' ', end - 1);
    }
    return Math.max(0, end);
  }

  private static boolean isWithinALine(String words) {
    return INDENT.length() + TerminalColumns.of(words) <= TERMINAL;
  }

  private void append(String gap, String words) {
    int wide = TerminalColumns.of(words) + (isBare ? 0 : TerminalColumns.of(gap));
    if (length == TextLength.TERMINAL && columns + wide > TERMINAL && columns > INDENT.length()) {
      next();
      wide = TerminalColumns.of(words);
    }
    line.append(isBare ? "" : gap).append(words);
    columns += wide;
    isBare = false;
  }

  /** Words that stay with those that are added next. */
  void before(String words) {
    pending = words;
  }

  /** Whole lines below all that was added; what is added next stands below them. */
  void block(List<String> below) {
    if (!below.isEmpty()) {
      next();
      lines.addAll(below);
    }
  }

  private void next() {
    if (!line.toString().isBlank()) {
      lines.add(line.toString().stripTrailing());
    }
    line.setLength(0);
    line.append(INDENT);
    columns = INDENT.length();
    isBare = true;
  }

  /** All lines. */
  String text() {
    next();
    return String.join(System.lineSeparator(), lines);
  }
}
