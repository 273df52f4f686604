// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.report;

/** Names of files in commands that people copy: a name must not become an option or a command. */
final class Shell {
  private static final String PLAIN = "[A-Za-z0-9_./][A-Za-z0-9_./-]*";

  private Shell() {}

  /** As a POSIX shell reads it as one word, and a program as no option. */
  static String word(String name) {
    String path = name.startsWith("-") ? "./" + name : name;
    return path.matches(PLAIN) ? path : "'" + path.replace("'", "'\\''") + "'";
  }
}
