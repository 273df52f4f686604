// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import io.sfumato.ops.http.BoundedServer.Limits;
import io.sfumato.ops.http.HttpSettings.Port;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * Serves contents and streams of events by path. What is public, which are the probes, is served at
 * a port of its own too, with threads and connections of its own: whatever callers do at the other
 * one, it answers.
 */
public final class OpsServer implements AutoCloseable {
  /** Half of the places are left to others, whatever one address does. */
  private static final Limits OF_THE_PAGE =
      new Limits(12, 256, 128, Duration.ofSeconds(10), Duration.ofSeconds(30));

  static final Limits OF_PROBES =
      new Limits(6, 128, 32, Duration.ofSeconds(2), Duration.ofSeconds(2));

  private final BoundedServer page;
  private final BoundedServer probes;

  private OpsServer(BoundedServer page, BoundedServer probes) {
    this.page = page;
    this.probes = probes;
  }

  /**
   * Starts a server.
   *
   * @throws RefusedException if an address cannot be bound
   */
  public static OpsServer start(HttpSettings settings, Site site) throws RefusedException {
    BoundedServer probes =
        bound(
            settings.host(),
            settings.probes(),
            "--probe-port",
            port ->
                new BoundedServer(
                    "ops-probes",
                    settings.host(),
                    port,
                    OF_PROBES,
                    new OpsHandler(settings, site.open())));
    try {
      BoundedServer page =
          bound(
              settings.host(),
              settings.page(),
              "--port",
              port ->
                  new BoundedServer(
                      "ops-http",
                      settings.host(),
                      port,
                      OF_THE_PAGE,
                      new OpsHandler(settings, site)));
      return new OpsServer(page, probes);
    } catch (RefusedException e) {
      probes.close();
      throw e;
    }
  }

  private static BoundedServer bound(
      String host, Port port, String option, IntFunction<BoundedServer> maker)
      throws RefusedException {
    try {
      return started(maker.apply(port.number()));
    } catch (BindException e) {
      if (!port.fallBack() || !isInUse(host, port.number())) {
        throw unbound(host, port.number(), option, e);
      }
    } catch (IllegalStateException e) {
      throw unbound(host, port.number(), option, e);
    }
    try {
      return started(maker.apply(0));
    } catch (BindException | IllegalStateException e) {
      throw unbound(host, 0, option, e);
    }
  }

  private static BoundedServer started(BoundedServer server) throws BindException {
    server.start();
    return server;
  }

  /**
   * Refuses addresses that cannot be bound now, before anything slow is started.
   *
   * @throws RefusedException if one cannot, and no other port will do
   */
  public static void requireAddress(HttpSettings settings) throws RefusedException {
    require(settings.host(), settings.page(), "--port");
    require(settings.host(), settings.probes(), "--probe-port");
  }

  private static void require(String host, Port port, String option) throws RefusedException {
    if (port.fallBack()) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(host, port.number()));
    } catch (IOException e) {
      throw unbound(host, port.number(), option, e);
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

  private static RefusedException unbound(String host, int port, String option, Exception e) {
    return new RefusedException(
        ExitCode.REFUSED_CLUSTER,
        "cannot listen at %s:%d (%s): another program may have the port, or the address is not this machine's; choose one with %s and --host, or --no-http"
            .formatted(
                host,
                port,
                e.getCause() == null ? e.getMessage() : e.getCause().getMessage(),
                option));
  }

  /** The port that was bound for everything. */
  public int port() {
    return page.port();
  }

  /** The port that was bound for probes alone. */
  public int probePort() {
    return probes.port();
  }

  @Override
  public void close() {
    page.close();
    probes.close();
  }
}
