// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

/** A record that is no event. Carries a code and nothing else: never a value, never a cause. */
public final class RejectedRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RejectionCode code;

  public RejectedRecordException(RejectionCode code) {
    super(code.name(), null, false, false);
    this.code = code;
  }

  /** Why it is none. */
  public RejectionCode code() {
    return code;
  }
}
