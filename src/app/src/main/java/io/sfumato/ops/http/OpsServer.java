// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import io.sfumato.ops.http.BoundedServer.Limits;
import io.sfumato.runtime.RefusedException;
import java.time.Duration;

/**
 * Serves contents and streams of events by path. What is public, which are the probes, is served at
 * a port of its own too, with threads and connections of its own: whatever callers do at the other
 * one, it answers.
 */
public final class OpsServer implements AutoCloseable {
  /** Half of the places are left to others, whatever one address does. */
  static final Limits OF_THE_PAGE =
      new Limits(12, 256, 128, Duration.ofSeconds(10), Duration.ofSeconds(30));

  static final Limits OF_PROBES =
      new Limits(6, 128, 32, Duration.ofSeconds(2), Duration.ofSeconds(2));

  private static final PortBinding PAGE = new PortBinding("--port and --host, or --no-http");

  private static final PortBinding PROBES =
      new PortBinding("--probe-port and --host, or --no-http");

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
        PROBES.bound(
            settings.host(),
            settings.probes(),
            port ->
                new BoundedServer(
                    "ops-probes",
                    settings.host(),
                    port,
                    OF_PROBES,
                    new OpsHandler(settings, site.open())));
    try {
      BoundedServer page =
          PAGE.bound(
              settings.host(),
              settings.page(),
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

  /**
   * Refuses addresses that cannot be bound now, before anything slow is started.
   *
   * @throws RefusedException if one cannot, and no other port will do
   */
  public static void requireAddress(HttpSettings settings) throws RefusedException {
    PROBES.require(settings.host(), settings.probes());
    PAGE.require(settings.host(), settings.page());
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
