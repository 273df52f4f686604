// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.List;
import java.util.stream.Collectors;

/** Words of commands that people copy: names hold blanks, quotes and commands. */
public final class Shell {
  private static final String PLAIN = "[A-Za-z0-9_./:,@%+=-]+";

  private Shell() {}

  /** As a POSIX shell reads it as one word: bare, or in single quotes. */
  public static String word(String text) {
    return text.matches(PLAIN) ? text : quoted(text);
  }

  /** In single quotes, needed or not: stars and commas look as if they were. */
  public static String quoted(String text) {
    return "'" + text.replace("'", "'\\''") + "'";
  }

  /** The name of a file, which no program may take for an option. */
  public static String file(String name) {
    return word(name.startsWith("-") ? "./" + name : name);
  }

  /** Words in a row. */
  public static String line(List<String> words) {
    return words.stream().map(Shell::word).collect(Collectors.joining(" "));
  }
}
