// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * The message for an unexpected exception. Its own message may quote a record, and a stack trace
 * prints the messages of all causes, so this prints only the types and where they were thrown.
 */
final class ProgramFault {
  private static final int PLACES = 3;

  private ProgramFault() {}

  static String words(Throwable thrown) {
    StringBuilder kinds = new StringBuilder(kind(thrown));
    Throwable root = thrown;
    while (root.getCause() != null) {
      root = root.getCause();
      kinds.append(", caused by ").append(kind(root));
    }
    return "this command failed because of a bug in Sfumato: %s (Java %s). Please report these two lines%nat %s"
        .formatted(
            kinds,
            System.getProperty("java.version"),
            Arrays.stream(root.getStackTrace())
                .limit(PLACES)
                .map(ProgramFault::place)
                .collect(Collectors.joining(" < ")));
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
