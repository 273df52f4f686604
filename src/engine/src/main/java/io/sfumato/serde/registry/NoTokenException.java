// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import java.io.IOException;

/** No token was given. The message says by whom and why, and holds no credentials. */
final class NoTokenException extends IOException {
  private static final long serialVersionUID = 1L;

  NoTokenException(String message) {
    super(message);
  }
}
