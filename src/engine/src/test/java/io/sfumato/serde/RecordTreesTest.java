// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;

import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.serde.registry.ProtobufSchemas;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

class RecordTreesTest {
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();

  private static final Schema ORDER =
      Schema.createRecord(
          "Order",
          null,
          "t",
          false,
          List.of(
              new Schema.Field("who", Schema.create(Schema.Type.STRING)),
              new Schema.Field(
                  "at",
                  LogicalTypes.timestampMicros().addToSchema(Schema.create(Schema.Type.LONG))),
              new Schema.Field(
                  "price",
                  LogicalTypes.decimal(9, 2).addToSchema(Schema.create(Schema.Type.BYTES))),
              new Schema.Field("tags", Schema.createArray(Schema.create(Schema.Type.STRING)))));

  private static byte[] order() throws Exception {
    GenericRecord record = new GenericData.Record(ORDER);
    record.put("who", "ann");
    record.put("at", NOW * 1_000);
    record.put("price", ByteBuffer.wrap(new BigDecimal("12.50").unscaledValue().toByteArray()));
    record.put("tags", List.of("x", "y"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(new byte[] {0, 0, 0, 0, 7});
    var encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(ORDER).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] registered(byte[] payload) {
    return ByteBuffer.allocate(5 + payload.length).put((byte) 0).putInt(8).put(payload).array();
  }

  private static final SchemaSource REGISTRY =
      id -> id == 7 ? Optional.of(ORDER) : Optional.empty();

  @Test
  void shouldShowAvroAsAPipelineReadsIt() throws Exception {
    RecordTrees trees = new RecordTrees(REGISTRY, true);
    assertThat(trees.of(order()).orElseThrow())
        .hasToString(
            "{\"who\":\"ann\",\"at\":\"2026-06-01T00:00:00Z\",\"price\":\"12.5\",\"tags\":[\"x\",\"y\"]}");
    assertThat(trees.format()).contains(Format.AVRO);
    assertThat(trees.unread()).isEmpty();
  }

  @Test
  void shouldReadJsonWithAndWithoutAnId() {
    RecordTrees trees = new RecordTrees(REGISTRY, true);
    assertThat(trees.of(utf8("{\"a\":1}"))).isPresent();
    assertThat(trees.of(registered(utf8("{\"a\":1}")))).isPresent();
    assertThat(trees.of(registered(utf8("{\"a\":2}")))).isPresent();
    assertThat(trees.format()).contains(Format.JSON_SCHEMA);
  }

  /** Types are those of the schema: what is not written has its default. Keys of maps are data. */
  @Test
  void shouldShowProtobufAsAPipelineReadsIt() throws Exception {
    String schema =
        """
        syntax = "proto3";
        import "google/protobuf/timestamp.proto";
        import "google/protobuf/wrappers.proto";
        message Order {
          string who = 1;
          google.protobuf.Timestamp at = 2;
          map<string, uint64> counts = 3;
          repeated string tags = 4;
          Kind kind = 5;
          google.protobuf.DoubleValue price = 6;
          Order again = 7;
          int64 number = 8;
          oneof where { string shop = 9; }
          bytes raw = 10;
          bool paid = 11;
          enum Kind { NONE = 0; TEA = 1; }
        }
        """;
    byte[] order =
        ProtobufRecords.encoded(
            ProtobufSchemas.parsed(schema),
            "Order",
            "who: 'ann' at { seconds: 1780272000 } counts { key: 'a' value: 18446744073709551615 } tags: 'x' kind: TEA price { value: 2.5 } again { kind: 9 } raw: 'x'");
    RecordTrees trees = new RecordTrees(ProtobufRecords.source(Map.of(7, schema)), true);
    assertThat(trees.of(ProtobufRecords.framed(7, order)).orElseThrow())
        .hasToString(
            "{\"who\":\"ann\",\"at\":\"2026-06-01T00:00:00Z\",\"tags\":[\"x\"],\"kind\":\"TEA\",\"price\":2.5,\"again\":{\"number\":0,\"paid\":false},\"number\":0,\"paid\":false}");
    assertThat(trees.format()).contains(Format.PROTOBUF);
    assertThat(trees.of(ProtobufRecords.framed(7, new byte[] {1}))).isEmpty();
    assertThat(trees.unread().orElseThrow()).contains("1 records", "schema");
  }

  @Test
  void shouldSayWhatItCannotRead() {
    RecordTrees trees = new RecordTrees(REGISTRY, true);
    assertThat(trees.of(registered(new byte[] {0, 10, 3, 'a', 'n', 'n'}))).isEmpty();
    assertThat(trees.unread().orElseThrow()).contains("1 records", "no usable schema");
    RecordTrees alone = RecordTrees.ofJson();
    assertThat(alone.of(registered(new byte[] {0, 10, 3, 'a', 'n', 'n'}))).isEmpty();
    assertThat(alone.unread().orElseThrow()).contains("schema.registry.url");
    RecordTrees others = RecordTrees.ofJson();
    assertThat(others.of(utf8("ann, 7"))).isEmpty();
    assertThat(others.unread().orElseThrow()).contains("neither JSON objects nor");
    assertThat(others.of(null)).isEmpty();
  }

  /** Bytes that begin as UTF-32 does broke the parser, with a trace that quoted them. */
  @Test
  void shouldThrowNothingWhateverTheBytesAre() {
    Random random = new Random(52);
    RecordTrees trees = new RecordTrees(REGISTRY, true);
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (bytes.length > 5 && random.nextBoolean()) {
        ByteBuffer.wrap(bytes).put((byte) 0).putInt(random.nextInt(9));
      }
      trees.of(bytes);
    }
    assertThat(trees.unread()).isPresent();
  }
}
