// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import io.sfumato.ops.http.HttpSettings.Port;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.IntFunction;

/**
 * Binds a server to the port that somebody chose, or to a free one.
 *
 * @param options which options choose another address
 */
record PortBinding(String options) {
  /**
   * Starts a server at a port.
   *
   * @param maker of the server, given its port
   * @throws RefusedException if the address cannot be bound
   */
  BoundedServer bound(String host, Port port, IntFunction<BoundedServer> maker)
      throws RefusedException {
    try {
      return started(maker.apply(port.number()));
    } catch (BindException e) {
      if (!port.fallBack() || !isInUse(host, port.number())) {
        throw unbound(host, port.number(), e);
      }
    } catch (IllegalStateException e) {
      throw unbound(host, port.number(), e);
    }
    try {
      return started(maker.apply(0));
    } catch (BindException | IllegalStateException e) {
      throw unbound(host, 0, e);
    }
  }

  private static BoundedServer started(BoundedServer server) throws BindException {
    server.start();
    return server;
  }

  /**
   * Refuses an address that cannot be bound now.
   *
   * @throws RefusedException if it cannot, and no other port will do
   */
  void require(String host, Port port) throws RefusedException {
    if (port.fallBack()) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port.number()));
    } catch (IOException e) {
      throw unbound(host, port.number(), e);
    }
  }

  private static boolean isInUse(String host, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private RefusedException unbound(String host, int port, Exception e) {
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "cannot listen at %s:%d (%s): another program may have the port, or the address is not this machine's; choose one with %s"
            .formatted(
                host,
                port,
                e.getCause() == null ? e.getMessage() : e.getCause().getMessage(),
                options));
  }
}
