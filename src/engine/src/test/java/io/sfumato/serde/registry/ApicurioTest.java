// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde.registry;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.apicurio.registry.serde.avro.AvroKafkaDeserializer;
import io.apicurio.registry.serde.avro.AvroKafkaSerializer;
import io.sfumato.bytes.CorruptBytesException;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputFormat;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.schema.DeadLetter;
import io.sfumato.serde.Event;
import io.sfumato.serde.EventReader;
import io.sfumato.serde.OutputEncoder;
import io.sfumato.serde.Outputs;
import io.sfumato.serde.SchemaSource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.junit.jupiter.api.Test;

/** Records that somebody else's serde writes, Apicurio's in its Confluent mode. */
class ApicurioTest {
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  private static final InputSpec SPEC =
      new InputSpec(
          "in",
          InputSpec.Format.AVRO,
          "ward",
          "at",
          Optional.of("what"),
          List.of("a", "b"),
          Optional.empty(),
          List.of(),
          1_000_000);

  private static Schema schema(String more) {
    return new Schema.Parser()
        .parse(
            """
            {"type": "record", "name": "Visit", "fields": [
              {"name": "ward", "type": "string"},
              {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
              {"name": "what", "type": {"type": "enum", "name": "What", "symbols": ["a", "b"]}},
              {"name": "patient", "type": "string"}%s]}
            """
                .formatted(more));
  }

  private static GenericData.Record visit(Schema schema) {
    GenericData.Record visit = new GenericData.Record(schema);
    visit.put("ward", "north");
    visit.put("at", NOW);
    visit.put("what", new GenericData.EnumSymbol(schema.getField("what").schema(), "b"));
    visit.put("patient", "ann");
    return visit;
  }

  @Test
  void shouldReadWhatApicuriosSerdeWritesAndEvolves() throws Exception {
    try (StubRegistry stub = new StubRegistry();
        AvroKafkaSerializer<GenericData.Record> serializer = new AvroKafkaSerializer<>()) {
      serializer.configure(
          Map.of(
              "apicurio.registry.url", stub.url() + "apis/registry/v2",
              "apicurio.registry.auto-register", true,
              "apicurio.registry.as-confluent", true,
              "apicurio.registry.headers.enabled", false),
          false);
      EventReader reader =
          new EventReader(
              SPEC,
              Optional.of("patient"),
              new SchemaRegistry(stub.settings()),
              WindowSpec.MAX_AHEAD);
      Event expected = new Event(Optional.of("ann"), "north", NOW, 1, List.of());
      byte[] first = serializer.serialize("in", visit(schema("")));
      assertThat(first[0]).as("Confluent's wire format").isZero();
      assertThat(reader.read(record(null, first, NOW)).orElseThrow()).isEqualTo(expected);

      Schema grown = schema(", {\"name\": \"notes\", \"type\": [\"null\", \"string\"]}");
      GenericData.Record later = visit(grown);
      later.put("notes", "of another version");
      byte[] second = serializer.serialize("in", later);
      assertThat(second[4]).as("another id").isNotEqualTo(first[4]);
      assertThat(reader.read(record(null, second, NOW)).orElseThrow()).isEqualTo(expected);
      assertThat(reader.read(record(null, first, NOW)).orElseThrow()).isEqualTo(expected);
    }
  }

  @Test
  void shouldWriteWhatApicuriosSerdeReads() throws Exception {
    DeadLetter letter =
        DeadLetter.newBuilder()
            .setTopic("in")
            .setPartition(3)
            .setOffset(1L << 40)
            .setCode("MALFORMED")
            .build();
    try (StubRegistry stub = new StubRegistry();
        AvroKafkaDeserializer<GenericData.Record> deserializer = new AvroKafkaDeserializer<>()) {
      deserializer.configure(
          Map.of(
              "apicurio.registry.url", stub.url() + "apis/registry/v2",
              "apicurio.registry.as-confluent", true,
              "apicurio.registry.headers.enabled", false),
          false);
      SchemaRegistry registry = new SchemaRegistry(stub.settings());
      OutputEncoder encoder = OutputEncoder.of(OutputFormat.REGISTERED, registry);
      assertThatThrownBy(() -> encoder.encode(letter)).hasMessageContaining("DeadLetter");
      registry.register("x-dead-letters-value", DeadLetter.getClassSchema());
      byte[] bytes = encoder.encode(letter);
      GenericData.Record read = deserializer.deserialize("x-dead-letters", bytes);
      assertThat(read.get("code")).hasToString("MALFORMED");
      assertThat(read.get("offset")).isEqualTo(1L << 40);
      assertThat(Outputs.decodeAny(bytes, registry)).isEqualTo(letter);
      assertThatThrownBy(() -> Outputs.decodeAny(bytes, SchemaSource.none()))
          .isInstanceOf(CorruptBytesException.class);
    }
  }
}
