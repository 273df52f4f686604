// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import java.util.Optional;

/**
 * A record that is no event. Carries a code, and a hint where there is one: never a value, never a
 * cause.
 */
public final class RejectedRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  private final RejectionCode code;

  /** Null without one. */
  private final String hint;

  public RejectedRecordException(RejectionCode code) {
    this(code, null);
  }

  private RejectedRecordException(RejectionCode code, String hint) {
    super(code.name(), null, false, false);
    this.code = code;
    this.hint = hint;
  }

  /**
   * One that says how to mend it.
   *
   * @param hint holds nothing of the record but the form of a time, digits as 9
   */
  public static RejectedRecordException withHint(RejectionCode code, String hint) {
    return new RejectedRecordException(code, hint);
  }

  /** How to mend it, if more is known than the code says. */
  public Optional<String> hint() {
    return Optional.ofNullable(hint);
  }

  /** Why it is none. */
  public RejectionCode code() {
    return code;
  }
}
