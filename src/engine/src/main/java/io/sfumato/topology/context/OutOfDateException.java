// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * What this process holds of the changelogs was not up to date for too long, while it stood still
 * or was cut off: deletions may be gone that it has not read. It must be wiped and read anew.
 */
public final class OutOfDateException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public OutOfDateException() {
    super("local state was not up to date for too long");
  }
}
