// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.runtime;

import static io.sfumato.runtime.Patiently.await;
import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.CodedOutputStream;
import io.apicurio.registry.serde.jsonschema.JsonSchemaKafkaSerializer;
import io.sfumato.devcluster.EmbeddedBroker;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.release.PipelineFile;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.RejectedRecordException;
import io.sfumato.serde.SchemaSource;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.kafka.common.serialization.Serializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Protobuf and JSON Schema through a real registry, keys and values. */
@Tag("release")
class SchemaServerIT {
  private static final Path SERVER = Path.of("src/app/target/registry-server");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  private static final String COMMON =
      "syntax = \"proto3\"; package common; message Patient { string id = 1; }";

  private static final String VISIT =
      """
      syntax = "proto3";
      // Who came when.
      package hospital;
      import "common/patient.proto";
      import "google/protobuf/timestamp.proto";
      message Ward { string name = 1; }
      message Visit {
        common.Patient patient = 1;
        google.protobuf.Timestamp at = 2;
        map<string, string> labels = 3;
      }
      """;

  @TempDir static Path folder;

  private static Process server;
  private static URI url;
  private static HttpClient http;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(
        Files.isDirectory(SERVER), "no registry here: build with -Dregistry.server.skip=false");
    int port = EmbeddedBroker.freePort();
    url = URI.create("http://127.0.0.1:" + port);
    http = HttpClient.newHttpClient();
    Path jar;
    try (Stream<Path> files = Files.list(SERVER)) {
      jar = files.filter(file -> file.toString().endsWith("-runner.jar")).findFirst().orElseThrow();
    }
    Path log = folder.resolve("registry.log");
    server =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-jar",
                jar.toAbsolutePath().toString())
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await().atMost(TestCluster.PATIENCE).until(() -> !server.isAlive() || answers());
    assertThat(server.isAlive()).as(Files.readString(log)).isTrue();
  }

  @AfterAll
  static void stop() {
    if (server != null) {
      server.destroyForcibly();
    }
  }

  private static boolean answers() throws InterruptedException {
    try {
      return http.send(
                  HttpRequest.newBuilder(confluent("/subjects")).build(), BodyHandlers.ofString())
              .statusCode()
          == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private static URI confluent(String path) {
    return URI.create(url + "/apis/ccompat/v7" + path);
  }

  /** Registers a Protobuf schema; returns its id. */
  private static int register(String subject, String schema, Map<String, String> references)
      throws Exception {
    ObjectNode body = JSON.createObjectNode().put("schemaType", "PROTOBUF").put("schema", schema);
    ArrayNode array = body.putArray("references");
    references.forEach(
        (name, of) -> array.addObject().put("name", name).put("subject", of).put("version", 1));
    String answer =
        http.send(
                HttpRequest.newBuilder(confluent("/subjects/" + subject + "/versions"))
                    .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                    .POST(HttpRequest.BodyPublishers.ofString(body.toString()))
                    .build(),
                BodyHandlers.ofString())
            .body();
    assertThat(answer).contains("\"id\"");
    return JSON.readTree(answer).path("id").asInt();
  }

  private static KafkaSettings settings() throws RefusedException {
    return KafkaSettings.gather(
        Map.of("schema.registry.url", confluent("").toString()),
        Optional.empty(),
        Map.of(),
        Optional.empty());
  }

  private static Pipeline pipeline(String topic, String format, String fields) throws Exception {
    return PipelineFile.parse(
        "p.yaml",
        """
        pipeline: p
        input: { topic: %s, format: %2$s, key-format: %2$s, %3$s }
        window: { size: 10s, clock: ticks, begin: 2026-01-05 }
        subjects: [north, south]
        budget: { name: p, unit: user, epsilon: 1, delta: 1e-6, period: window }
        contributions: { per-window: 1, subjects: 1 }
        releases:
          - histogram: { name: mix, share: { epsilon: 1, delta: 1e-6 } }
        """
            .formatted(topic, format, fields));
  }

  private static byte[] framed(int id, byte[] indexes, byte[] message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(0);
    out.writeInt(id);
    out.write(indexes);
    out.write(message);
    return bytes.toByteArray();
  }

  private interface Message {
    void writeTo(CodedOutputStream out) throws IOException;
  }

  private static byte[] message(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    message.writeTo(out);
    out.flush();
    return bytes.toByteArray();
  }

  @Test
  void shouldReadProtobufThatImportsAnotherSubject() throws Exception {
    register("common", COMMON, Map.of());
    int id = register("visits-value", VISIT, Map.of("common/patient.proto", "common"));
    int keys = register("visits-key", COMMON, Map.of());
    Pipeline pipeline =
        pipeline(
            "visits",
            "protobuf",
            "user: $key.id, subject: labels.ward, time: at, category: labels.kind, categories: [a, b]");
    SchemaSource schemas = SchemaRegistries.of(pipeline, settings());
    byte[] key = framed(keys, new byte[] {0}, message(out -> out.writeString(1, "ann")));
    byte[] value =
        framed(
            id,
            // The second message: one index, which is 1, in zig-zag numbers.
            new byte[] {2, 2},
            message(
                out -> {
                  out.writeByteArray(1, message(patient -> patient.writeString(1, "ann")));
                  out.writeByteArray(2, message(at -> at.writeInt64(1, NOW / 1000)));
                  for (String[] label : new String[][] {{"ward", "north"}, {"kind", "b"}}) {
                    out.writeByteArray(
                        3,
                        message(
                            entry -> {
                              entry.writeString(1, label[0]);
                              entry.writeString(2, label[1]);
                            }));
                  }
                }));
    assertThat(EventReader.of(pipeline, schemas).read(record(key, value, NOW)).orElseThrow())
        .isEqualTo(new Event(Optional.of("ann"), "north", NOW, 1, List.of()));
    Pipeline other =
        pipeline(
            "visits",
            "protobuf",
            "user: patient.name, subject: labels.ward, time: at, category: labels.kind, categories: [a, b]");
    assertThatThrownBy(() -> SchemaRegistries.of(other, settings()))
        .hasMessageContaining("the latest schema of subject 'visits-value' does not fit")
        .hasMessageContaining("no field 'patient.name'");
    Pipeline json =
        pipeline(
            "visits",
            "json-schema",
            "user: u, subject: w, time: t, category: c, categories: [a, b]");
    assertThatThrownBy(
            () -> EventReader.of(json, schemas).read(record(key, value, NOW)).orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class, e -> assertThat(e.code().name()).isEqualTo("MALFORMED"));
  }

  /** As their own serializer writes them. */
  public record Visit(String ward, long at, String kind) {}

  /** As their own serializer writes it. */
  public record Key(String id) {}

  private static Serializer<Object> serializer(boolean isKey) {
    JsonSchemaKafkaSerializer<Object> serializer = new JsonSchemaKafkaSerializer<>();
    Map<String, Object> config = new HashMap<>();
    config.put("apicurio.registry.url", url + "/apis/registry/v2");
    config.put("apicurio.registry.auto-register", true);
    config.put("apicurio.registry.as-confluent", true);
    config.put("apicurio.registry.headers.enabled", false);
    config.put("apicurio.registry.serde.validation-enabled", false);
    config.put(
        "apicurio.registry.artifact.schema.location",
        isKey ? "io/sfumato/runtime/key.schema.json" : "io/sfumato/runtime/visit.schema.json");
    serializer.configure(config, isKey);
    return serializer;
  }

  @Test
  void shouldReadJsonThatApicuriosSerializerWrites() throws Exception {
    Pipeline pipeline =
        pipeline(
            "json-visits",
            "json-schema",
            "user: $key.id, subject: ward, time: at, category: kind, categories: [a, b]");
    SchemaSource schemas = SchemaRegistries.of(pipeline, settings());
    try (Serializer<Object> keys = serializer(true);
        Serializer<Object> values = serializer(false)) {
      byte[] key = keys.serialize("json-visits", new Key("ann"));
      byte[] value = values.serialize("json-visits", new Visit("north", NOW, "b"));
      assertThat(EventReader.of(pipeline, schemas).read(record(key, value, NOW)).orElseThrow())
          .isEqualTo(new Event(Optional.of("ann"), "north", NOW, 1, List.of()));
    }
  }
}
