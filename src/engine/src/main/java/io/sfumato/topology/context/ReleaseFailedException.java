// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.topology.context;

/**
 * A release could not be made. The transaction is aborted, so that nothing is charged; the message
 * names it without its subject.
 */
public final class ReleaseFailedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String tag;

  public ReleaseFailedException(String tag, String message, Throwable cause) {
    super(message, cause);
    this.tag = tag;
  }

  /** Keyed tag of the release's id. */
  public String tag() {
    return tag;
  }
}
