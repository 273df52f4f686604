// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * It could not be found out which records operators passed over. None is read on a guess: the
 * program stops and begins with the same one again. The message holds nothing of any record.
 */
public final class SkippedUnknownException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SkippedUnknownException(String message) {
    super(message);
  }
}
