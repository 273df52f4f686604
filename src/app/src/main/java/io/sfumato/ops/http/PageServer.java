// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import io.sfumato.runtime.RefusedException;

/** Serves one site at one port, with threads and connections of its own, and no probes. */
public final class PageServer implements AutoCloseable {
  private final BoundedServer server;

  private PageServer(BoundedServer server) {
    this.server = server;
  }

  /**
   * Starts a server at the settings' page port.
   *
   * @param options which options choose another address, for messages
   * @throws RefusedException if the address cannot be bound
   */
  public static PageServer start(HttpSettings settings, Site site, String options)
      throws RefusedException {
    return new PageServer(
        new PortBinding(options)
            .bound(
                settings.host(),
                settings.page(),
                port ->
                    new BoundedServer(
                        "readers-http",
                        settings.host(),
                        port,
                        OpsServer.OF_THE_PAGE,
                        new OpsHandler(settings, site))));
  }

  /** The port that was bound. */
  public int port() {
    return server.port();
  }

  @Override
  public void close() {
    server.close();
  }
}
