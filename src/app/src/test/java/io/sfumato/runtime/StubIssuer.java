// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Gives tokens to whoever asks, and remembers what it was asked. */
final class StubIssuer implements AutoCloseable {
  private final HttpServer server;
  final List<String> bodies = new CopyOnWriteArrayList<>();
  final List<String> proofs = new CopyOnWriteArrayList<>();
  private volatile boolean refusing;

  StubIssuer() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/token", this::answer);
    server.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/token");
  }

  /** From now on nobody is given any. */
  void refuse() {
    refusing = true;
  }

  private void answer(HttpExchange exchange) throws IOException {
    bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    proofs.add(exchange.getRequestHeaders().getFirst("Authorization"));
    byte[] body =
        (refusing
                ? "{\"error\":\"invalid_client\"}"
                : "{\"access_token\":\"token-%d\",\"expires_in\":3600}".formatted(bodies.size()))
            .getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(refusing ? 401 : 200, body.length);
    exchange.getResponseBody().write(body);
    exchange.close();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
