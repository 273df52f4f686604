// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.sfumato.serde.RegisteredSchema;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Protobuf in a registry: types of schemas, and files that import others. */
class ProtobufRegistryTest {
  private StubRegistry stub;
  private SchemaRegistry registry;

  @BeforeEach
  void start() throws Exception {
    stub = new StubRegistry();
    registry = new SchemaRegistry(stub.settings());
  }

  @AfterEach
  void stop() {
    stub.close();
  }

  private void has(String path, String text, Map<String, String> references) {
    stub.has(
        path,
        200,
        "{\"schemaType\":\"PROTOBUF\",\"schema\":%s,\"references\":[%s]}"
            .formatted(
                StubRegistry.quoted(text),
                references.entrySet().stream()
                    .map(
                        reference ->
                            "{\"name\":\"%s\",\"subject\":\"%s\",\"version\":1}"
                                .formatted(reference.getKey(), reference.getValue()))
                    .collect(Collectors.joining(","))));
  }

  private Descriptor message(int id) {
    Optional<RegisteredSchema> found = registry.ofAnyType(id);
    assertThat(found).get().isInstanceOf(RegisteredSchema.Protobuf.class);
    return ((RegisteredSchema.Protobuf) found.orElseThrow()).file().getMessageTypes().get(0);
  }

  @Test
  void shouldTellTypesOfSchemasApart() {
    has("/schemas/ids/1", "syntax = \"proto3\"; message Visit { string who = 1; }", Map.of());
    stub.schema(2, "\"string\"");
    stub.has("/schemas/ids/3", 200, "{\"schemaType\":\"JSON\",\"schema\":\"{}\"}");
    stub.has("/schemas/ids/4", 200, "{\"schemaType\":\"XML\",\"schema\":\"{}\"}");
    has("/schemas/ids/5", "syntax = \"proto7\"; message Visit {}", Map.of());
    assertThat(message(1).getName()).isEqualTo("Visit");
    assertThat(registry.byId(1)).as("no Avro").isEmpty();
    assertThat(registry.ofAnyType(2)).get().isInstanceOf(RegisteredSchema.Avro.class);
    assertThat(registry.byId(2)).isPresent();
    assertThat(registry.ofAnyType(3)).contains(new RegisteredSchema.Json());
    assertThat(registry.ofAnyType(4)).isEmpty();
    assertThat(registry.ofAnyType(5)).isEmpty();
    for (int id = 1; id <= 5; id++) {
      registry.ofAnyType(id);
    }
    assertThat(stub.asked).as("each once").hasSize(5);
  }

  /** A diamond: two files import a third one. */
  @Test
  void shouldFollowImports() {
    has(
        "/schemas/ids/1",
        "syntax = \"proto3\"; import \"a.proto\"; import \"dir/b.proto\"; import \"google/protobuf/timestamp.proto\"; message M { a.A a = 1; b.B b = 2; c.C c = 3; google.protobuf.Timestamp at = 4; }",
        Map.of("a.proto", "a", "dir/b.proto", "b"));
    has(
        "/subjects/a/versions/1",
        "syntax = \"proto2\"; package a; import public \"c.proto\"; message A { optional c.C c = 1; }",
        Map.of("c.proto", "c"));
    has(
        "/subjects/b/versions/1",
        "syntax = \"proto3\"; package b; import \"c.proto\"; message B { c.C c = 1; }",
        Map.of("c.proto", "c"));
    has(
        "/subjects/c/versions/1",
        "syntax = \"proto3\"; package c; message C { string who = 1; }",
        Map.of());
    Descriptor type = message(1);
    for (String through : List.of("a", "b")) {
      assertThat(
              type.findFieldByName(through)
                  .getMessageType()
                  .findFieldByName("c")
                  .getMessageType()
                  .findFieldByName("who")
                  .getType())
          .isEqualTo(FieldDescriptor.Type.STRING);
    }
    assertThat(type.findFieldByName("c").getMessageType().findFieldByName("who"))
        .as("imported publicly")
        .isNotNull();
    assertThat(type.findFieldByName("at").getMessageType().findFieldByName("nanos")).isNotNull();
    assertThat(stub.asked).doesNotHaveDuplicates().hasSize(4);
  }

  @Test
  void shouldBoundImports() {
    registry =
        new SchemaRegistry(
            new RegistrySettings(
                List.of(stub.url()),
                Optional.empty(),
                Optional.empty(),
                Duration.ofMinutes(2),
                3,
                Duration.ofMillis(1),
                Duration.ofMinutes(10)));
    String imports =
        IntStream.range(0, 100)
            .mapToObj(i -> "import \"f%d.proto\";".formatted(i))
            .collect(Collectors.joining());
    has(
        "/schemas/ids/1",
        "syntax = \"proto3\"; " + imports + " message M { string who = 1; }",
        IntStream.range(0, 100)
            .boxed()
            .collect(Collectors.toMap(i -> "f" + i + ".proto", i -> "f" + i)));
    for (int i = 0; i < 100; i++) {
      has("/subjects/f%d/versions/1".formatted(i), "syntax = \"proto3\";", Map.of());
    }
    assertThat(registry.ofAnyType(1)).as("more than anybody needs").isEmpty();
    assertThat(stub.asked).hasSizeLessThanOrEqualTo(1 + SchemaQuestion.MOST_REFERENCES);
    has(
        "/schemas/ids/2",
        "syntax = \"proto3\"; import \"me.proto\"; message M {}",
        Map.of("me.proto", "me"));
    has(
        "/subjects/me/versions/1",
        "syntax = \"proto3\"; import \"me.proto\"; message N {}",
        Map.of("me.proto", "me"));
    assertThat(registry.ofAnyType(2)).as("imports itself").isEmpty();
    has(
        "/schemas/ids/3",
        "syntax = \"proto3\"; import \"x.proto\"; message M {}",
        Map.of("x.proto", "x"));
    stub.has("/subjects/x/versions/1", 200, "{\"schema\":\"{}\"}");
    assertThat(registry.ofAnyType(3)).as("imports Avro").isEmpty();
  }
}
