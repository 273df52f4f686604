// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.serde.SchemasUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaRegistryTest {
  private static final String VISIT =
      "{\"type\":\"record\",\"name\":\"Visit\",\"fields\":[{\"name\":\"who\",\"type\":\"string\"}]}";

  private StubRegistry stub;

  @BeforeEach
  void start() throws Exception {
    stub = new StubRegistry();
    stub.schema(7, VISIT);
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  @Test
  void shouldAskOnceForASchemaAndOnceForWhatThereIsNot() {
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    for (int i = 0; i < 5; i++) {
      assertThat(registry.byId(7)).get().hasToString(VISIT);
      assertThat(registry.byId(8)).isEmpty();
    }
    assertThat(stub.asked).containsExactly("/schemas/ids/7", "/schemas/ids/8");
    assertThat(stub.credentials).isEmpty();
  }

  @Test
  void shouldShowCredentialsAndAskTheNextInstance() throws Exception {
    int nobody = EmbeddedBroker.freePort();
    RegistrySettings settings =
        new RegistrySettings(
            List.of(URI.create("http://127.0.0.1:" + nobody), stub.url()),
            Optional.of(new RegistryCredentials.Basic("me:secret")),
            Optional.empty(),
            Duration.ofSeconds(2),
            2,
            Duration.ofMillis(1));
    assertThat(new SchemaRegistry(settings).byId(7)).isPresent();
    assertThat(stub.credentials).containsExactly("Basic bWU6c2VjcmV0");
    assertThat(settings.toString()).doesNotContain("secret");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "500 | {}",
        "503 | <html>busy</html>",
        "200 | <html>a proxy</html>",
        "200 | {\"no\":\"schema\"}",
        "200 | [",
        "404 | <html>not here</html>",
        "302 | elsewhere",
      })
  void shouldAskAgainWhenTheAnswerIsNoneAndThenNotGuess(int status, String body) {
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    stub.disturb(2, status, body);
    assertThat(registry.byId(7)).as("the third try").isPresent();
    stub.disturb(3, status, body);
    assertThatThrownBy(() -> registry.byId(9))
        .isInstanceOf(SchemasUnavailableException.class)
        .hasMessageContaining("Nothing was taken in on a guess");
    assertThat(registry.byId(7)).as("known").isPresent();
    assertThat(registry.byId(9)).as("asked again, and there is none").isEmpty();
  }

  @Test
  void shouldNotTryAgainWhereItIsNotLetIn() {
    stub.disturb(1, 401, "{\"error_code\":40101}");
    assertThatThrownBy(() -> new SchemaRegistry(stub.settings()).byId(7))
        .isInstanceOf(SchemasUnavailableException.class)
        .hasMessageContaining("schema.registry.basic.auth.user.info");
    assertThat(stub.asked).hasSize(1);
  }

  @Test
  void shouldSayWhenNobodyAnswers() {
    RegistrySettings settings = stub.settings();
    stub.close();
    assertThatThrownBy(() -> new SchemaRegistry(settings).byId(7))
        .isInstanceOf(SchemasUnavailableException.class)
        .hasMessageContaining("did not answer");
  }

  @Test
  void shouldNotWaitForeverForASlowOne() {
    stub.fallsSilent();
    RegistrySettings impatient =
        new RegistrySettings(
            List.of(stub.url()),
            Optional.empty(),
            Optional.empty(),
            Duration.ofSeconds(1),
            2,
            Duration.ofMillis(1));
    assertThatThrownBy(() -> new SchemaRegistry(impatient).byId(7))
        .isInstanceOf(SchemasUnavailableException.class)
        .hasMessageContaining("HttpTimeoutException");
    await().untilAsserted(() -> assertThat(stub.asked).hasSize(2)); // which may be slow to notice
  }

  /** Half an answer, and a connection that is accepted and left alone, end the question alike. */
  @ParameterizedTest
  @ValueSource(
      strings = {"", "HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"schema\":", "HTTP/1.1 200"})
  void shouldNotWaitForWhatNeverComes(String beginning) throws Exception {
    List<Socket> left = new CopyOnWriteArrayList<>();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread accepting = new Thread(() -> leaveAlone(server, beginning, left));
      accepting.setDaemon(true);
      accepting.start();
      RegistrySettings settings =
          new RegistrySettings(
              List.of(URI.create("http://127.0.0.1:" + server.getLocalPort())),
              Optional.empty(),
              Optional.empty(),
              Duration.ofMillis(150),
              1_000_000,
              Duration.ofMillis(1),
              Duration.ofMillis(400));
      assertThatThrownBy(() -> new SchemaRegistry(settings).byId(7))
          .isInstanceOf(SchemasUnavailableException.class)
          .hasMessageContaining("HttpTimeoutException");
      assertThat(left).as("asked more than once, and not a million times").hasSizeBetween(2, 20);
    } finally {
      for (Socket socket : left) {
        socket.close();
      }
    }
  }

  /** A byte now and then keeps no exchange open: its deadline is that of the last byte. */
  @Test
  void shouldNotWaitForABodyThatTrickles() throws Exception {
    List<Socket> left = new CopyOnWriteArrayList<>();
    AtomicBoolean over = new AtomicBoolean();
    try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread accepting =
          new Thread(
              () -> leaveAlone(server, "HTTP/1.1 200 OK\r\nContent-Length: 900000\r\n\r\n{", left));
      Thread trickling = new Thread(() -> trickle(left, over));
      for (Thread thread : List.of(accepting, trickling)) {
        thread.setDaemon(true);
        thread.start();
      }
      RegistrySettings settings =
          new RegistrySettings(
              List.of(URI.create("http://127.0.0.1:" + server.getLocalPort())),
              Optional.empty(),
              Optional.empty(),
              Duration.ofMillis(150),
              3,
              Duration.ofMillis(1),
              Duration.ofSeconds(60));
      assertThatThrownBy(() -> new SchemaRegistry(settings).byId(7))
          .isInstanceOf(SchemasUnavailableException.class)
          .hasMessageContaining("HttpTimeoutException");
      assertThat(left).hasSizeBetween(1, 3);
    } finally {
      over.set(true);
      for (Socket socket : left) {
        socket.close();
      }
    }
  }

  private static void trickle(List<Socket> sockets, AtomicBoolean over) {
    while (!over.get()) {
      for (Socket socket : sockets) {
        try {
          socket.getOutputStream().write(' ');
        } catch (IOException e) {
          // It has hung up, as it should.
        }
      }
      LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
    }
  }

  private static void leaveAlone(ServerSocket server, String beginning, List<Socket> left) {
    try {
      while (true) {
        Socket socket = server.accept();
        left.add(socket);
        socket.getOutputStream().write(beginning.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
      }
    } catch (IOException e) {
      // The test is over.
    }
  }

  @Test
  void shouldKnowNoSchemaOfOtherKindsOrOfNonsense() {
    stub.has("/schemas/ids/1", 200, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = 3\"}");
    stub.has("/schemas/ids/2", 200, "{\"schema\":\"{}\"}");
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    assertThat(registry.byId(1)).isEmpty();
    assertThat(registry.byId(2)).isEmpty();
  }

  @Test
  void shouldFollowReferences() {
    stub.has(
        "/subjects/who%20s/versions/3", 200, "{\"schema\":" + StubRegistry.quoted(VISIT) + "}");
    stub.has(
        "/schemas/ids/4",
        200,
        "{\"schema\":%s,\"references\":[{\"name\":\"Visit\",\"subject\":\"who s\",\"version\":3}]}"
            .formatted(
                StubRegistry.quoted(
                    "{\"type\":\"record\",\"name\":\"Day\",\"fields\":[{\"name\":\"v\",\"type\":\"Visit\"}]}")));
    assertThat(new SchemaRegistry(stub.settings()).byId(4))
        .get()
        .satisfies(
            schema ->
                assertThat(schema.getField("v").schema().getField("who").schema().getName())
                    .isEqualTo("string"));
  }

  /** Eight references of each of ten generations: eight to the power of ten ways to the last. */
  @Test
  void shouldAskOnceForWhatIsReferredToInManyWays() {
    for (int generation = 1; generation <= 10; generation++) {
      for (int i = 0; i < 8; i++) {
        stub.has(
            "/subjects/g%d-%d/versions/1".formatted(generation, i),
            200,
            "{\"schema\":%s,\"references\":[%s]}"
                .formatted(
                    StubRegistry.quoted(
                        "{\"type\":\"record\",\"name\":\"G%d_%d\",\"fields\":[]}"
                            .formatted(generation, i)),
                    generation == 10 ? "" : references(generation + 1)));
      }
    }
    stub.has(
        "/schemas/ids/4",
        200,
        "{\"schema\":%s,\"references\":[%s]}".formatted(StubRegistry.quoted(VISIT), references(1)));
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    assertThat(registry.byId(4)).as("more than anybody needs").isEmpty();
    assertThat(stub.asked).hasSizeLessThanOrEqualTo(1 + SchemaQuestion.MOST_REFERENCES);
    assertThat(stub.asked).doesNotHaveDuplicates();
    assertThat(registry.byId(4)).as("and it is remembered").isEmpty();
    assertThat(stub.asked).hasSizeLessThanOrEqualTo(1 + SchemaQuestion.MOST_REFERENCES);
  }

  private static String references(int generation) {
    return IntStream.range(0, 8)
        .mapToObj(
            i ->
                "{\"name\":\"other%d\",\"subject\":\"g%d-%d\",\"version\":1}"
                    .formatted(i, generation, i))
        .collect(Collectors.joining(","));
  }

  @Test
  void shouldFollowAReferenceThatTwoShareOnce() {
    String shared = "{\"name\":\"Visit\",\"subject\":\"visits\",\"version\":1}";
    stub.has("/subjects/visits/versions/1", 200, "{\"schema\":" + StubRegistry.quoted(VISIT) + "}");
    stub.has(
        "/subjects/days/versions/1",
        200,
        "{\"schema\":%s,\"references\":[%s]}"
            .formatted(StubRegistry.quoted(holder("Day", "Visit")), shared));
    stub.has(
        "/schemas/ids/4",
        200,
        "{\"schema\":%s,\"references\":[%s,{\"name\":\"Day\",\"subject\":\"days\",\"version\":1},%s]}"
            .formatted(StubRegistry.quoted(holder("Week", "Day")), shared, shared));
    assertThat(new SchemaRegistry(stub.settings()).byId(4)).isPresent();
    assertThat(stub.asked)
        .containsExactly(
            "/schemas/ids/4", "/subjects/visits/versions/1", "/subjects/days/versions/1");
  }

  private static String holder(String name, String of) {
    return "{\"type\":\"record\",\"name\":\"%s\",\"fields\":[{\"name\":\"v\",\"type\":\"%s\"}]}"
        .formatted(name, of);
  }

  @Test
  void shouldKnowNoSchemaThatIsLargerThanAnybodyReadsAndNotAskAgain() {
    stub.has("/schemas/ids/5", 200, large(Answer.MOST_BYTES));
    stub.has("/schemas/ids/6", 200, "<html>" + "x".repeat(Answer.MOST_BYTES));
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    assertThat(registry.byId(5)).isEmpty();
    assertThat(registry.byId(5)).isEmpty();
    assertThat(stub.asked).containsExactly("/schemas/ids/5");
    assertThatThrownBy(() -> registry.byId(6)).isInstanceOf(SchemasUnavailableException.class);
  }

  @Test
  void shouldKeepNoMoreBytesOfSchemasThanItMay() {
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    for (int id = 100; id < 120; id++) {
      stub.has("/schemas/ids/" + id, 200, large(1 << 20));
      assertThat(registry.byId(id)).isPresent();
      assertThat(registry.bytesKept()).isLessThanOrEqualTo(SchemaRegistry.MOST_BYTES_KEPT);
    }
    assertThat(registry.byId(119)).isPresent();
    assertThat(stub.asked).as("what was used last is kept").hasSize(20);
    assertThat(registry.byId(100)).as("what was not is asked for again").isPresent();
    assertThat(stub.asked).hasSize(21);
  }

  private static String large(int bytes) {
    return "{\"schema\":"
        + StubRegistry.quoted(
            VISIT.replace("\"fields\"", "\"doc\":\"" + "d".repeat(bytes) + "\",\"fields\""))
        + "}";
  }

  @Test
  void shouldFindTheLatestOfASubject() {
    stub.has(
        "/subjects/t-value/versions/latest",
        200,
        "{\"schema\":" + StubRegistry.quoted(VISIT) + "}");
    stub.has("/subjects/none-value/versions/latest", 404, "{\"error_code\":40401}");
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    assertThat(registry.latest("t-value")).isPresent();
    assertThat(registry.latest("none-value")).isEmpty();
  }

  @Test
  void shouldSayThatASubjectRefusesASchema() {
    Schema visit = new Schema.Parser().parse(VISIT);
    SchemaRegistry registry = new SchemaRegistry(stub.settings());
    stub.refusesSchemas();
    assertThatThrownBy(() -> registry.register("t-value", visit))
        .hasMessageContaining("status 409: an incompatible schema is registered there");
    assertThatThrownBy(() -> registry.idOf(visit)).hasMessageContaining("Visit");
  }
}
