// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.WindowSpec;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A topic whose writers change their schema, read by a file that never changes. */
class AvroProjectionTest {
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  private static final InputSpec SPEC =
      new InputSpec(
          "in",
          InputSpec.Format.AVRO,
          "ward",
          "at",
          Optional.of("what"),
          List.of("a", "b", "7"),
          Optional.empty(),
          List.of("x"),
          1_000_000);

  private static final String WARD = "{\"name\":\"ward\",\"type\":\"string\"}";
  private static final String WHO = "{\"name\":\"who\",\"type\":\"string\"}";
  private static final String AT =
      "{\"name\":\"at\",\"type\":{\"type\":\"long\",\"logicalType\":\"timestamp-millis\"}}";
  private static final String WHAT = "{\"name\":\"what\",\"type\":\"string\"}";
  private static final String X = "{\"name\":\"x\",\"type\":\"int\"}";

  private static Schema schema(String... fields) {
    return new Schema.Parser()
        .parse(
            "{\"type\":\"record\",\"name\":\"Visit\",\"namespace\":\"a.b\",\"fields\":["
                + String.join(",", fields)
                + "]}");
  }

  private static byte[] bytes(Schema schema, Object... values) throws IOException {
    GenericData.Record record = new GenericData.Record(schema);
    for (int i = 0; i < values.length; i++) {
      record.put(i, values[i]);
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(1).array());
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericData.Record>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static Event read(Schema writer, Object... values) throws Exception {
    Map<Integer, Schema> known = new HashMap<>(Map.of(1, writer));
    return new EventReader(
            SPEC,
            Optional.of("who"),
            id -> Optional.ofNullable(known.get(id)),
            WindowSpec.MAX_AHEAD)
        .read(record(null, bytes(writer, values), NOW))
        .orElseThrow();
  }

  private static final Event EXPECTED =
      new Event(Optional.of("ann"), "north", NOW, 1, List.of(3.0));

  @Test
  void fieldsMayBeAddedRemovedRenamedAndWidened() throws Exception {
    assertThat(read(schema(WARD, WHO, AT, WHAT, X), "north", "ann", NOW, "b", 3))
        .isEqualTo(EXPECTED);
    assertThat(
            read(
                schema(
                    "{\"name\":\"more\",\"type\":[\"null\",{\"type\":\"map\",\"values\":\"bytes\"}]}",
                    X.replace("int", "double"),
                    WHAT,
                    "{\"name\":\"at\",\"type\":[\"null\",{\"type\":\"long\",\"logicalType\":\"timestamp-micros\"}]}",
                    WHO.replace("\"who\"", "\"patient\",\"aliases\":[\"who\"]"),
                    WARD.replace("\"string\"", "[\"null\",\"string\"]"),
                    "{\"name\":\"last\",\"type\":\"long\"}"),
                Map.of("k", ByteBuffer.wrap(new byte[9])),
                3.0,
                "b",
                NOW * 1000 + 999,
                "ann",
                "north",
                5L))
        .as("added, reordered, widened, nullable, in microseconds, renamed")
        .isEqualTo(EXPECTED);
    Schema codes =
        schema(
            WARD,
            WHO,
            "{\"name\":\"at\",\"type\":\"string\"}",
            "{\"name\":\"what\",\"type\":\"long\"}",
            X.replace("\"int\"", "\"string\""));
    assertThat(read(codes, "north", "ann", "2026-06-01T02:00:00+02:00", 7L, "3"))
        .isEqualTo(new Event(Optional.of("ann"), "north", NOW, 2, List.of(3.0)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ward | {\"name\":\"area\",\"type\":\"string\"} | ward",
        "who | {\"name\":\"who\",\"type\":\"bytes\"} | who",
        "who | {\"name\":\"a\",\"type\":\"string\",\"aliases\":[\"who\"]},{\"name\":\"b\",\"type\":\"string\",\"aliases\":[\"who\"]} | who",
        "at | {\"name\":\"at\",\"type\":\"boolean\"} | at",
        "at | {\"name\":\"at\",\"type\":{\"type\":\"long\",\"logicalType\":\"local-timestamp-millis\"}} | at",
        "what | {\"name\":\"what\",\"type\":{\"type\":\"array\",\"items\":\"string\"}} | what",
        "x | {\"name\":\"x\",\"type\":[\"int\",\"boolean\"]} | x",
      })
  void aSchemaWithoutANamedFieldOrWithAWrongTypeIsToldApart(
      String replaced, String field, String named) {
    Map<String, String> fields = new HashMap<>();
    fields.put("ward", WARD);
    fields.put("who", WHO);
    fields.put("at", AT);
    fields.put("what", WHAT);
    fields.put("x", X);
    fields.put(replaced, field);
    Schema writer =
        schema(
            fields.get("ward"),
            fields.get("who"),
            fields.get("at"),
            fields.get("what"),
            fields.get("x"));
    assertThat(SchemaCheck.problems(writer, SPEC, Optional.of("who")))
        .singleElement()
        .asString()
        .contains("'" + named + "'");
    assertThatThrownBy(
            () ->
                new EventReader(
                        SPEC, Optional.of("who"), id -> Optional.of(writer), WindowSpec.MAX_AHEAD)
                    .read(record(null, new byte[] {0, 0, 0, 0, 1, 2, 3}, NOW))
                    .orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.SCHEMA_MISMATCH));
  }

  @Test
  void otherBytesAreRefusedByTheirFirstByte() {
    EventReader reader =
        new EventReader(SPEC, Optional.of("who"), SchemaSource.none(), WindowSpec.MAX_AHEAD);
    Map<byte[], RejectionCode> cases =
        Map.of(
            new byte[] {0, 0, 0, 0, 9, 1}, RejectionCode.UNKNOWN_SCHEMA,
            new byte[] {(byte) 0xC3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, RejectionCode.UNKNOWN_SCHEMA,
            new byte[] {0, 0, 0}, RejectionCode.MALFORMED,
            new byte[] {'{', '}'}, RejectionCode.MALFORMED,
            new byte[0], RejectionCode.MALFORMED);
    cases.forEach(
        (bytes, code) ->
            assertThatThrownBy(() -> reader.read(record(null, bytes, NOW)).orElseThrow())
                .as(Arrays.toString(bytes))
                .isInstanceOfSatisfying(
                    RejectedRecordException.class, e -> assertThat(e.code()).isEqualTo(code)));
  }

  /** 20,000 records with some bytes changed: read, or refused, and never anything else. */
  @Test
  void damagedRecordsAreReadOrRefused() throws Exception {
    Schema writer = schema(WARD, WHO, AT, WHAT, X);
    EventReader reader =
        new EventReader(SPEC, Optional.of("who"), id -> Optional.of(writer), WindowSpec.MAX_AHEAD);
    Random random = new Random(5);
    int read = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = bytes(writer, "north", "ann", NOW, "b", 3);
      for (int change = random.nextInt(3); change >= 0; change--) {
        bytes[5 + random.nextInt(bytes.length - 5)] = (byte) random.nextInt(256);
      }
      try {
        assertThat(reader.read(record(null, bytes, NOW)).orElseThrow()).isNotNull();
        read++;
      } catch (RejectedRecordException e) {
        assertThat(e.getCause()).isNull();
      }
    }
    assertThat(read).isPositive();
  }
}
