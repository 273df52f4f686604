// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import java.net.BindException;
import java.time.Duration;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.NetworkConnectionLimit;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** One port with threads of its own, of which callers can hold no more than they are given. */
final class BoundedServer implements AutoCloseable {
  private static final int MOST_HEADER_BYTES = 8 << 10;

  /** While there are too many connections: those that do nothing make room. */
  private static final Duration IDLE_WHEN_FULL = Duration.ofSeconds(1);

  private final Server server;
  private final ServerConnector connector;

  /**
   * What callers are given.
   *
   * @param threads that serve all of them
   * @param connections of all of them
   * @param ofAnAddress connections
   * @param head how long the head of a request may take, from the connection or the answer before
   * @param idle how long nobody may read or write while a request is answered
   */
  record Limits(int threads, int connections, int ofAnAddress, Duration head, Duration idle) {}

  BoundedServer(String name, String host, int port, Limits limits, Handler handler) {
    QueuedThreadPool threads = new QueuedThreadPool(limits.threads(), 2);
    threads.setName(name);
    threads.setDaemon(true);
    server = new Server(threads);
    HttpConfiguration http = new HttpConfiguration();
    http.setSendServerVersion(false);
    http.setRequestHeaderSize(MOST_HEADER_BYTES);
    connector = new ServerConnector(server, 1, 1, new HttpConnectionFactory(http));
    connector.setHost(host);
    connector.setPort(port);
    connector.setIdleTimeout(limits.idle().toMillis());
    server.addConnector(connector);
    NetworkConnectionLimit limit = new NetworkConnectionLimit(limits.connections(), connector);
    limit.setEndPointIdleTimeout(IDLE_WHEN_FULL.toMillis());
    server.addBean(limit);
    HeadDeadline deadline = new HeadDeadline(connector.getScheduler(), limits.head(), handler);
    connector.addEventListener(new AddressLimit(limits.ofAnAddress()));
    connector.addEventListener(deadline);
    server.setHandler(deadline);
    server.setErrorHandler(new PlainErrors());
    server.setStopTimeout(0);
  }

  /**
   * Binds the port.
   *
   * @throws BindException if it cannot be bound
   * @throws IllegalStateException if anything else is wrong, of which it is the cause
   */
  void start() throws BindException {
    try {
      server.start();
    } catch (Exception e) { // Jetty declares no narrower one
      close();
      if (e.getCause() instanceof BindException bind) {
        throw bind;
      }
      if (e instanceof BindException bind) {
        throw bind;
      }
      throw new IllegalStateException(e);
    }
  }

  /** The port that was bound. */
  int port() {
    return connector.getLocalPort();
  }

  @Override
  public void close() {
    try {
      server.stop();
    } catch (Exception e) { // Jetty declares no narrower one
      throw new IllegalStateException("the HTTP server did not stop in time", e);
    }
  }
}
