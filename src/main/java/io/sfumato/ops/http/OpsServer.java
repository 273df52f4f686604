// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Map;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Serves contents by path, and one stream of events. */
public final class OpsServer implements AutoCloseable {
  private static final int MOST_THREADS = 12;
  private static final int MOST_CONNECTIONS = 256;
  private static final int MOST_HEADER_BYTES = 8 << 10;
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** While there are too many connections: those that do nothing make room for probes. */
  private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(1);

  private final Server server;
  private final ServerConnector connector;
  private final EventStream events;

  private OpsServer(
      HttpSettings settings, int port, Map<String, Content> contents, EventStream events) {
    this.events = events;
    QueuedThreadPool threads = new QueuedThreadPool(MOST_THREADS, 2);
    threads.setName("ops-http");
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MOST_HEADER_BYTES);
    connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(settings.host());
    connector.setPort(port);
    connector.setIdleTimeout(IDLE.toMillis());
    server.addConnector(connector);
    NetworkConnectionLimit limit = new NetworkConnectionLimit(MOST_CONNECTIONS, connector);
    limit.setEndPointIdleTimeout(IDLE_WHEN_FULL.toMillis());
    server.addBean(limit);
    server.setHandler(new OpsHandler(settings, contents, events));
    server.setErrorHandler(new PlainErrors());
    server.setStopTimeout(0);
  }

  /**
   * Starts a server.
   *
   * @param contents by path
   * @param events at {@code /events}
   * @throws RefusedException if the address cannot be bound
   */
  public static OpsServer start(
      HttpSettings settings, Map<String, Content> contents, EventStream events)
      throws RefusedException {
    try {
      return start(settings, settings.port(), contents, events);
    } catch (BindException e) {
      if (settings.fallBack() && isInUse(settings)) {
        try {
          return start(settings, 0, contents, events);
        } catch (BindException f) {
          throw unbound(settings, f);
        }
      }
      throw unbound(settings, e);
    }
  }

  /**
   * Refuses an address that cannot be bound now, before anything slow is started.
   *
   * @throws RefusedException if it cannot, and no other port will do
   */
  public static void requireAddress(HttpSettings settings) throws RefusedException {
    if (settings.fallBack()) {
      return;
    }
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(settings.host(), settings.port()));
    } catch (IOException e) {
      throw unbound(settings, e);
    }
  }

  private static OpsServer start(
      HttpSettings settings, int port, Map<String, Content> contents, EventStream events)
      throws BindException, RefusedException {
    OpsServer made = new OpsServer(settings, port, contents, events);
    try {
      made.server.start();
      return made;
    } catch (Exception e) { // Jetty declares no narrower one
      made.close();
      if (e.getCause() instanceof BindException bind) {
        throw bind;
      }
      if (e instanceof BindException bind) {
        throw bind;
      }
      throw unbound(settings, e);
    }
  }

  private static boolean isInUse(HttpSettings settings) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(settings.host(), settings.port()), 1_000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static RefusedException unbound(HttpSettings settings, Exception e) {
    return new RefusedException(
        ExitCode.REFUSED_FILE,
        "cannot listen at %s:%d (%s): another program may have the port, or the address is not this machine's; choose one with --port and --host, or --no-http"
            .formatted(
                settings.host(),
                settings.port(),
                e.getCause() == null ? e.getMessage() : e.getCause().getMessage()));
  }

  /** The port that was bound. */
  public int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    events.close();
    try {
      server.stop();
    } catch (Exception e) { // Jetty declares no narrower one
      throw new IllegalStateException("the operators' server does not stop", e);
    }
  }
}
