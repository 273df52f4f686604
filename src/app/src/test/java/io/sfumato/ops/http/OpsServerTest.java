// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.ops.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.ops.http.Content.Answer;
import io.sfumato.runtime.RefusedException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OpsServerTest {
  private static final String TOKEN = "0123456789abcdef";

  private final HttpClient client = HttpClient.newHttpClient();
  private volatile String newest = "{}";

  private final ServerSentEvents events = new ServerSentEvents(() -> newest);
  private OpsServer server;

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void shouldAnswerWithHeadersThatForbidEverythingForeign() throws Exception {
    start(Optional.empty());
    HttpResponse<String> answer = get("/metrics", Map.of());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).isEqualTo("numbers");
    assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
        .contains("default-src 'none'")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
    assertThat(answer.headers().firstValue("Server")).isEmpty();
  }

  @Test
  void shouldWantTheTokenForAllButProbes() throws Exception {
    start(Optional.of(new AccessToken(TOKEN)));
    assertThat(get("/livez", Map.of()).statusCode()).isEqualTo(200);
    for (String path : List.of("/metrics", "/events")) {
      assertThat(get(path, Map.of()).statusCode()).isEqualTo(401);
      for (String bad :
          List.of(
              "Bearer wrong",
              "Bearer " + TOKEN + "x",
              "bearer" + TOKEN,
              "Basic %%%",
              "Basic ",
              TOKEN,
              "bearer",
              " ",
              "")) {
        assertThat(get(path, Map.of("Authorization", bad)).statusCode()).as(bad).isEqualTo(401);
      }
    }
    String basic =
        Base64.getEncoder().encodeToString(("any:" + TOKEN).getBytes(StandardCharsets.UTF_8));
    for (String good :
        List.of(
            "Bearer " + TOKEN,
            "bearer " + TOKEN,
            "BEARER  " + TOKEN,
            "Basic " + basic,
            "basic " + basic)) {
      assertThat(get("/metrics", Map.of("Authorization", good)).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void shouldRefuseTokensThatCanBeGuessed() throws Exception {
    start(Optional.empty());
    for (String bad : List.of("", "short", "with blanks in it ...", "ümläüte-in-the-token")) {
      assertThatThrownBy(() -> new AccessToken(bad)).hasMessageContaining("at least 16");
    }
    assertThat(new AccessToken(TOKEN).toString()).doesNotContain(TOKEN);
  }

  @Test
  void shouldRefuseWhatItDoesNotServe() throws Exception {
    start(Optional.empty());
    assertThat(get("/nothing", Map.of()).statusCode()).isEqualTo(404);
    assertThat(raw("GET /metrics?a=%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 400");
    assertThat(get("/../metrics", Map.of()).statusCode()).isIn(200, 400, 404);
    assertThat(
            raw(
                "POST /metrics HTTP/1.1\r\n"
                    + "Host: localhost\r\n"
                    + "Content-Length: 0\r\n"
                    + "Connection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 405");
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n"
                      + "x".repeat(100_000))
                  .getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      // It hung up before all of it was sent: nobody reads a body here.
    }
    assertThat(get("/metrics", Map.of()).statusCode()).isEqualTo(200);
  }

  @Test
  void shouldAnswerToItsOwnNamesOnly() throws Exception {
    start(Optional.empty());
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 421");
    assertThat(raw("GET /metrics HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n"))
        .startsWith("HTTP/1.1 200");
  }

  @Test
  void shouldOutliveNonsense() throws Exception {
    start(Optional.empty());
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 300; i++) {
      byte[] bytes = new byte[random.nextInt(1, 2_000)];
      random.nextBytes(bytes);
      String garbage = new String(bytes, StandardCharsets.ISO_8859_1);
      String request =
          switch (i % 5) {
            case 0 -> garbage;
            case 1 -> "GET /" + garbage + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            case 2 -> "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + garbage + "\r\n\r\n";
            case 3 -> "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
            default -> "GET / HTTP/1.1\r\n" + "A: b\r\n".repeat(5_000) + "\r\n";
          };
      try (Socket socket = new Socket("127.0.0.1", server.port())) {
        socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
        socket.shutdownOutput();
        String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(answer).doesNotContain("Exception", "jetty", "Jetty");
      } catch (IOException e) {
        // It hung up in the middle: as good an answer as any.
      }
    }
    assertThat(get("/metrics", Map.of()).statusCode()).isEqualTo(200);
  }

  @Test
  void shouldBoundSlowReadersAndStillAnswerProbes() throws Exception {
    start(Optional.empty());
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 1_000; i++) {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(1_024);
        try {
          socket.connect(new java.net.InetSocketAddress("127.0.0.1", server.port()), 200);
          slow.add(socket);
          socket
              .getOutputStream()
              .write("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes());
        } catch (IOException e) {
          // No more are let in, which is the point.
        }
      }
      String event = "{\"x\":\"" + "y".repeat(100_000) + "\"}";
      for (int i = 0; i < 50; i++) {
        events.send(event);
      }
      assertThat(events.clients()).isLessThanOrEqualTo(ServerSentEvents.MOST_CLIENTS);
      assertThat(probe()).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /**
   * Three hundred connections that send a byte of a head now and then: probes answer all the time,
   * and the others are hung up on, which makes room again.
   */
  @Test
  void shouldAnswerProbesWhileHundredsDawdle() throws Exception {
    start(Optional.empty());
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        slow.add(new Socket("127.0.0.1", server.port()));
      }
      List<Socket> open = new ArrayList<>(slow);
      int rounds = 0;
      while (!open.isEmpty()) {
        open.removeIf(socket -> !dawdles(socket, (byte) 'G'));
        assertThat(probe()).as("round %d", rounds).startsWith("HTTP/1.1 200");
        rounds++;
      }
      assertThat(rounds).as("some were let in, and none for ever").isGreaterThan(1);
      assertThat(get("/metrics", Map.of()).statusCode()).isEqualTo(200);
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /**
   * Three hundred at the probes' port itself: each takes the place of an idle one, and the rest end
   * soon.
   */
  @Test
  void shouldNotLeaveTheProbesPortToThoseWhoDawdleThere() throws Exception {
    start(Optional.empty());
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        slow.add(new Socket("127.0.0.1", server.probePort()));
      }
      List<Socket> open = new ArrayList<>(slow);
      while (!open.isEmpty()) {
        open.removeIf(socket -> !dawdles(socket, (byte) 'G'));
      }
      assertThat(probe()).startsWith("HTTP/1.1 200");
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /** Sends one byte more of a request's head, unless the server has hung up. */
  private static boolean dawdles(Socket socket, byte next) {
    try {
      socket.setSoTimeout(1);
      socket.getOutputStream().write(next);
      return socket.getInputStream().read() >= 0;
    } catch (SocketTimeoutException e) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void shouldAnswerProbesAloneAtTheirPort() throws Exception {
    start(Optional.of(new AccessToken(TOKEN)));
    assertThat(server.probePort()).isNotEqualTo(server.port());
    assertThat(probe()).startsWith("HTTP/1.1 200");
    for (String path : List.of("/metrics", "/events", "/")) {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.probePort() + path))
                  .header("Authorization", "Bearer " + TOKEN)
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(path).isEqualTo(404);
      assertThat(answer.body()).contains("/livez").doesNotContain("metrics");
    }
  }

  /** A connection that has got its answer may ask again, and what is answered is not hung up on. */
  @Test
  void shouldAnswerManyRequestsOfOneConnection() throws Exception {
    start(Optional.empty());
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      for (int i = 0; i < 5; i++) {
        socket
            .getOutputStream()
            .write("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes());
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("numbers")) {
          int next = socket.getInputStream().read();
          assertThat(next).isNotNegative();
          answer.append((char) next);
        }
        assertThat(answer).startsWith("HTTP/1.1 200");
      }
    }
  }

  @Test
  void shouldCountTheFirstHalfOfAnAddressThatHasTwo() throws Exception {
    start(Optional.empty());
    String one = caller("2001:db8:0:1::1");
    assertThat(caller("2001:db8:0:1:ffff::2")).isEqualTo(one);
    assertThat(caller("2001:db8:0:2::1")).isNotEqualTo(one);
    assertThat(caller("10.0.0.1")).isNotEqualTo(caller("10.0.0.2"));
    assertThat(AddressLimit.caller(null)).isEmpty();
  }

  private static String caller(String address) throws Exception {
    return AddressLimit.caller(new InetSocketAddress(InetAddress.getByName(address), 1));
  }

  /** What the probes' port answers, by a connection of its own, as probes have it. */
  private String probe() throws IOException {
    return raw(server.probePort(), "GET /livez HTTP/1.0\r\nHost: localhost\r\n\r\n");
  }

  @Test
  void shouldBeginWithWhatIsTrueNowNotWithWhatWasSentLast() throws Exception {
    start(Optional.empty());
    events.send("{\"n\":0}");
    newest = "{\"n\":1}";
    HttpResponse<InputStream> stream =
        client.send(
            HttpRequest.newBuilder(uri("/events")).build(),
            HttpResponse.BodyHandlers.ofInputStream());
    assertThat(stream.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/event-stream");
    try (InputStream in = stream.body()) {
      assertThat(new String(in.readNBytes(15), StandardCharsets.UTF_8))
          .isEqualTo("data: {\"n\":1}\n\n");
    }
  }

  @Test
  void shouldSayWhichPortIsTaken() throws Exception {
    start(Optional.empty());
    int port = server.port();
    assertThatThrownBy(
            () ->
                OpsServer.start(
                    new HttpSettings(HttpSettings.LOOPBACK, port, false, Optional.empty()),
                    Site.of(Map.of(), new ServerSentEvents(() -> newest))))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining(":" + port)
        .hasMessageContaining("--port");
    try (OpsServer other =
        OpsServer.start(
            new HttpSettings(HttpSettings.LOOPBACK, port, true, Optional.empty()),
            Site.of(Map.of(), new ServerSentEvents(() -> newest)))) {
      assertThat(other.port()).isNotEqualTo(port).isPositive();
    }
  }

  private void start(Optional<AccessToken> token) throws Exception {
    server =
        OpsServer.start(
            new HttpSettings(HttpSettings.LOOPBACK, 0, false, token),
            Site.of(
                Map.of(
                    "/metrics", text("numbers", false),
                    "/livez", text("ok", true)),
                events));
  }

  private static Content text(String body, boolean isPublic) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Content("text/plain", isPublic, () -> new Answer(200, bytes));
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + server.port() + path);
  }

  private HttpResponse<String> get(String path, Map<String, String> headers) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(uri(path));
    headers.forEach(request::header);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private String raw(String request) throws IOException {
    return raw(server.port(), request);
  }

  private static String raw(int port, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
