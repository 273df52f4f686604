// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

/** An experiment cannot run: one line that says which file, what is wrong and what to do. */
public final class ExperimentException extends Exception {
  private static final long serialVersionUID = 1;

  public ExperimentException(String message) {
    super(message);
  }
}
