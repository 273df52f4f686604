// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import java.io.Serial;

/** The combination has no valid interval; the message says why, and what to do instead. */
public final class InvalidCombinationException extends IllegalArgumentException {
  @Serial private static final long serialVersionUID = 1L;

  InvalidCombinationException(String pattern, Object... parts) {
    super(pattern.formatted(parts));
  }
}
