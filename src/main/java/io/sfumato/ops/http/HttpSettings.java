// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.util.Optional;

/**
 * Where operators may look.
 *
 * @param host address to bind to
 * @param port 0 for any that is free
 * @param fallBack whether any free port will do if this one is in use
 * @param token what callers must show, if anything
 */
public record HttpSettings(String host, int port, boolean fallBack, Optional<AccessToken> token) {
  /** Only this machine sees it. */
  public static final String LOOPBACK = "127.0.0.1";

  /** Whether others than this machine can reach it, and need not show anything. */
  public boolean isOpenToOthers() {
    return !host.equals(LOOPBACK) && !host.equals("localhost") && token.isEmpty();
  }

  /** Unless told otherwise. */
  public static final int DEFAULT_PORT = 8085;
}
