// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The message for an unexpected exception. Its own message may quote a record, and a stack trace
 * prints the messages of all causes, so this prints only the types and where they were thrown.
 */
final class ProgramFault {
  private static final int PLACES = 3;

  private ProgramFault() {}

  static String words(Throwable thrown) {
    return "this command failed because of a bug in Sfumato: %s (Java %s). Please report these two lines%nat %s"
        .formatted(kinds(thrown), System.getProperty("java.version"), places(thrown));
  }

  /** The same in one line, without advice. */
  static String kindsAndPlace(Throwable thrown) {
    return "%s at %s".formatted(kinds(thrown), places(thrown));
  }

  private static String kinds(Throwable thrown) {
    return causes(thrown).map(ProgramFault::kind).collect(Collectors.joining(", caused by "));
  }

  /** Where the root was thrown. */
  private static String places(Throwable thrown) {
    Throwable root = causes(thrown).reduce((outer, inner) -> inner).orElse(thrown);
    return Arrays.stream(root.getStackTrace())
        .limit(PLACES)
        .map(ProgramFault::place)
        .collect(Collectors.joining(" < "));
  }

  /** What was thrown, and its causes from the outside in. */
  private static Stream<Throwable> causes(Throwable thrown) {
    return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
  }

  private static String kind(Throwable thrown) {
    return thrown.getClass().getSimpleName();
  }

  private static String place(StackTraceElement element) {
    return "%s.%s:%d"
        .formatted(
            element.getClassName().replaceAll(".*\\.", ""),
            element.getMethodName(),
            element.getLineNumber());
  }
}
