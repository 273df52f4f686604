// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

/** A release of a file cannot be made as it is said there. */
public final class UnplannableException extends Exception {
  private static final long serialVersionUID = 1;

  /**
   * @param why with what to do
   */
  public UnplannableException(String why) {
    super(why);
  }

  /**
   * @param cause whose message says why
   */
  public UnplannableException(RuntimeException cause) {
    super(cause.getMessage(), cause);
  }
}
