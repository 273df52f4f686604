// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

/** The command cannot go on; the message says why and what to do. */
public final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  private final ExitCode code;

  public RefusedException(ExitCode code, String message) {
    super(message);
    this.code = code;
  }

  /** What the process ends with. */
  public ExitCode code() {
    return code;
  }
}
