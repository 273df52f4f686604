// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/** The command cannot go on; the message says why and what to do. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode code;
  private final boolean unanswered;

  public RefusedException(ExitCode code, String message) {
    this(code, message, false);
  }

  private RefusedException(ExitCode code, String message, boolean unanswered) {
    super(message);
    this.code = code;
    this.unanswered = unanswered;
  }

  /** A cluster that did not answer, or cannot answer now: the same question may succeed later. */
  static RefusedException unanswered(ExitCode code, String message) {
    return new RefusedException(code, message, true);
  }

  /** Whether asking again may help, with nothing changed. */
  boolean isUnanswered() {
    return unanswered;
  }

  /** What the process ends with. */
  public ExitCode code() {
    return code;
  }
}
