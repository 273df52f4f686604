// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

/**
 * The schema registry could not be asked. Records that need it are neither accepted nor refused on
 * a guess: the program stops and begins with them again. The message holds nothing of any record.
 */
public final class SchemasUnavailableException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SchemasUnavailableException(String message) {
    super(message);
  }
}
