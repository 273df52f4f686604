// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** Answers as it is told, and remembers what it was asked. */
public final class StubRegistry implements AutoCloseable {
  private final HttpServer server;
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final Map<String, Integer> ids = new HashMap<>();
  public final List<String> asked = new CopyOnWriteArrayList<>();
  public final List<String> credentials = new CopyOnWriteArrayList<>();

  /** What comes instead of answers: so many times. */
  private final List<Answer> disturbances = new CopyOnWriteArrayList<>();

  private volatile boolean refusing;
  private volatile boolean silent;
  private final CountDownLatch closed = new CountDownLatch(1);

  private record Answer(int status, String body) {}

  public StubRegistry() throws IOException {
    this(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
  }

  /** With TLS. */
  public StubRegistry(SSLContext tls) throws IOException {
    this(secure(tls));
  }

  private static HttpServer secure(SSLContext tls) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(tls));
    return server;
  }

  private StubRegistry(HttpServer server) {
    this.server = server;
    server.createContext("/", this::answer);
    server.setExecutor(Executors.newCachedThreadPool());
    server.start();
  }

  public URI url() {
    return URI.create(
        (server instanceof HttpsServer ? "https://localhost:" : "http://127.0.0.1:")
            + server.getAddress().getPort()
            + "/");
  }

  /** Settings with which a test need not wait long. */
  public RegistrySettings settings() {
    return new RegistrySettings(
        List.of(url()),
        Optional.empty(),
        Optional.empty(),
        Duration.ofSeconds(2),
        3,
        Duration.ofMillis(1));
  }

  public void has(String path, int status, String body) {
    answers.put(path, new Answer(status, body));
  }

  /** A schema by its id, as JSON within JSON. */
  public void schema(int id, String schema) {
    has("/schemas/ids/" + id, 200, "{\"schema\":" + quoted(schema) + "}");
  }

  public static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", " ") + '"';
  }

  /** From now on nothing is answered before the stub is closed. */
  public void fallsSilent() {
    silent = true;
  }

  /** From now on every schema is incompatible. */
  public void refusesSchemas() {
    refusing = true;
  }

  public void disturb(int times, int status, String body) {
    for (int i = 0; i < times; i++) {
      disturbances.add(new Answer(status, body));
    }
  }

  /** Takes a schema in, in Confluent's dialect or in Apicurio's, and answers in the same. */
  private Answer register(HttpExchange exchange) throws IOException {
    if (refusing) {
      return new Answer(409, "{\"error_code\": 409}");
    }
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    if (exchange.getRequestURI().getPath().startsWith("/subjects/")) {
      return new Answer(
          200, "{\"id\": " + id(new ObjectMapper().readTree(body).get("schema").asText()) + "}");
    }
    return new Answer(
        200,
        """
        {"id": "in-value", "version": "%1$d", "type": "AVRO", "globalId": %1$d, "contentId": %1$d, "state": "ENABLED"}
        """
            .formatted(id(body)));
  }

  private int id(String schema) {
    int id = ids.computeIfAbsent(schema, s -> ids.size() + 1);
    schema(id, schema);
    has("/apis/registry/v2/ids/globalIds/" + id, 200, schema);
    has("/apis/registry/v2/ids/contentIds/" + id, 200, schema);
    has("/apis/registry/v2/ids/globalIds/" + id + "/references", 200, "[]");
    has("/apis/registry/v2/ids/contentIds/" + id + "/references", 200, "[]");
    return id;
  }

  private void answer(HttpExchange exchange) throws IOException {
    asked.add(exchange.getRequestURI().getRawPath());
    Optional.ofNullable(exchange.getRequestHeaders().getFirst("Authorization"))
        .ifPresent(credentials::add);
    if (silent) {
      try {
        closed.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    Answer answer;
    synchronized (disturbances) {
      answer =
          exchange.getRequestMethod().equals("POST")
              ? register(exchange)
              : disturbances.isEmpty()
                  ? answers.getOrDefault(
                      exchange.getRequestURI().getRawPath(),
                      new Answer(404, "{\"error_code\":40403,\"message\":\"Schema not found\"}"))
                  : disturbances.remove(0);
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(answer.status(), body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  @Override
  public void close() {
    closed.countDown();
    server.stop(0);
  }
}
