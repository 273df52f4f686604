// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.bytes;

/** Bytes that this program did not write, or another version did. Messages never hold the bytes. */
public final class CorruptBytesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public CorruptBytesException(String message) {
    super(message);
  }
}
