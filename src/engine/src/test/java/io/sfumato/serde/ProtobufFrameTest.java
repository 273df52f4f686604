// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.ProtobufRecords.encoded;
import static io.sfumato.serde.ProtobufRecords.framed;
import static io.sfumato.serde.ProtobufRecords.reader;
import static io.sfumato.serde.SourceRecords.record;
import static io.sfumato.serde.UserRecords.NOW;
import static io.sfumato.serde.UserRecords.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import com.google.protobuf.UInt64Value;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.WindowSpec;
import io.sfumato.record.KeyFormat;
import io.sfumato.record.TimeReader;
import io.sfumato.record.ValueFormats;
import io.sfumato.serde.registry.ProtobufSchemas;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What stands in front of a Protobuf record: its schema, and which message of it the record is. */
class ProtobufFrameTest {
  private static final String FIRST =
      """
      syntax = "proto2";
      message Header { optional string who = 1; }
      message Visit {
        required string who = 1;
        message Inner { required string who = 2; message Most { required string who = 3; } }
        enum Before { X = 0; }
        message Second { required string who = 4; }
      }
      message Crowded {
        map<string, string> labels = 1;
        message Inner { required string who = 2; }
      }
      """;

  private static final String RENAMED =
      "syntax = \"proto3\"; message Visit { string person = 1; string who = 2; }";

  private static final String WRAPPERS =
      """
      syntax = "proto3";
      package google.protobuf;
      message StringValue { string value = 1; }
      message UInt64Value { uint64 value = 1; }
      message Customer { uint64 id = 1; string name = 2; }
      """;

  private static final String ELSEWHERE =
      """
      syntax = "proto3";
      import "google/type/money.proto";
      message Bill { string who = 1; google.type.Money price = 2; repeated google.type.Money all = 3; }
      """;

  private static final SchemaSource SCHEMAS =
      ProtobufRecords.source(Map.of(7, FIRST, 8, RENAMED, 9, WRAPPERS, 11, ELSEWHERE));

  private static Optional<String> who(byte[] record) throws RejectedRecordException {
    return reader(Map.of("user", "who", "subject", "who"), SCHEMAS)
        .read(record(null, record, NOW))
        .orElseThrow()
        .user();
  }

  private static byte[] zigZag(int... numbers) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int number : numbers) {
      bytes.write(number << 1 ^ number >> 31);
    }
    return bytes.toByteArray();
  }

  private static byte[] text(int field, String text) {
    return ByteBuffer.allocate(2 + text.length())
        .put((byte) (field << 3 | 2))
        .put((byte) text.length())
        .put(utf8(text))
        .array();
  }

  @Test
  void shouldReadTheMessageThatIndexesName() throws Exception {
    assertThat(who(framed(7, new byte[] {0}, text(1, "first")))).contains("first");
    assertThat(who(framed(7, zigZag(1, 0), text(1, "first")))).contains("first");
    assertThat(who(framed(7, zigZag(1, 1), text(1, "second")))).contains("second");
    assertThat(who(framed(7, zigZag(2, 1, 0), text(2, "inner")))).contains("inner");
    assertThat(who(framed(7, zigZag(3, 1, 0, 0), text(3, "most")))).contains("most");
    assertThat(who(framed(7, zigZag(2, 1, 1), text(4, "next")))).contains("next");
  }

  private static RejectedRecordException refusal(byte[] record) {
    return refusal(reader(Map.of("user", "who", "subject", "who"), SCHEMAS), record);
  }

  private static RejectedRecordException refusal(EventReader reader, byte[] record) {
    try {
      reader.read(record(null, record, NOW)).orElseThrow();
    } catch (RejectedRecordException e) {
      return e;
    }
    throw new AssertionError("accepted");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // Of no such message.
        "1 3 | no message with its index",
        "2 0 0 | no message with its index",
        "4 1 0 0 0 | no message with its index",
        // Numbers that are no indexes.
        "-1 | no message indexes",
        "1 -1 | no message indexes",
        "101 | no message indexes",
      })
  void shouldRefuseIndexesOfNoMessage(String indexes, String hint) {
    byte[] record =
        framed(
            7,
            zigZag(Arrays.stream(indexes.split(" ")).mapToInt(Integer::parseInt).toArray()),
            text(1, "x"));
    assertThat(refusal(record).code()).isEqualTo(RejectionCode.MALFORMED);
    assertThat(refusal(record).hint().orElseThrow()).contains(hint);
  }

  /** Some producers count the entries of maps among the messages within a message. */
  @Test
  void shouldRefuseMessagesThatProducersCountDifferently() {
    RejectedRecordException refusal = refusal(framed(7, zigZag(2, 2, 0), text(2, "x")));
    assertThat(refusal.code()).isEqualTo(RejectionCode.SCHEMA_MISMATCH);
    assertThat(refusal.hint().orElseThrow()).contains("maps or groups", "outside");
  }

  @Test
  void shouldReadEachRecordWithItsOwnSchema() throws Exception {
    assertThat(who(framed(7, text(1, "ann")))).contains("ann");
    assertThat(who(framed(8, text(2, "ann")))).contains("ann");
    EventReader renamed = reader(Map.of("user", "person", "subject", "person"), SCHEMAS);
    assertThat(renamed.read(record(null, framed(8, text(1, "bob")), NOW)).orElseThrow().user())
        .contains("bob");
    assertThat(refusal(renamed, framed(7, text(1, "bob"))).hint().orElseThrow())
        .contains("'person'", "renamed");
    assertThat(refusal(framed(10, text(1, "bob"))).code()).isEqualTo(RejectionCode.UNKNOWN_SCHEMA);
  }

  /** A number, where the type is an enum after all, or a text that is no message. */
  @Test
  void shouldPassOverFieldsOfTypesThatNobodyKnows() throws Exception {
    byte[] bill = bytes(0x0A, 1, 'x', 0x10, 7, 0x12, 1, 0xFF, 0x1A, 1, 0xFF);
    assertThat(who(framed(11, bill))).contains("x");
    for (String path : new String[] {"price", "price.units", "all[0]"}) {
      EventReader reader = reader(Map.of("user", path, "subject", "who"), SCHEMAS);
      assertThat(refusal(reader, framed(11, bill)).code()).isEqualTo(RejectionCode.SCHEMA_MISMATCH);
    }
  }

  /** Of other types in the same topic, those that the filter does not select are passed over. */
  @Test
  void shouldReadWhatAFilterSelects() throws Exception {
    SchemaSource schemas =
        ProtobufRecords.source(
            Map.of(
                1,
                "syntax = \"proto3\"; message Click { Op op = 1; string who = 2; repeated string tags = 3; enum Op { NONE = 0; c = 1; d = 2; } }",
                2,
                "syntax = \"proto3\"; message Other { string op = 1; }"));
    InputSpec plain = ProtobufRecords.spec(Map.of("subject", "who"), ValueFormats.usual());
    assertThat(selects(plain, schemas, "op", List.of("c"), "op: c who: 'x'")).isTrue();
    assertThat(selects(plain, schemas, "op", List.of("c"), "op: d who: 'x'")).isFalse();
    assertThat(selects(plain, schemas, "op", List.of("NONE"), "who: 'x'")).isTrue();
    assertThat(selects(plain, schemas, "tags[1]", List.of("y"), "who: 'x' tags: 'x' tags: 'y'"))
        .isTrue();
    assertThat(selects(plain, schemas, "tags[1]", List.of("y"), "who: 'x' tags: 'x'")).isFalse();
    assertThat(selects(plain, schemas, "gone", List.of("y"), "who: 'x'")).isFalse();
    assertThatThrownBy(() -> selects(plain, schemas, "op", List.of("c"), "op: 9 who: 'x'"))
        .hasMessage("SCHEMA_MISMATCH");
    RecordFilter.Condition there =
        new RecordFilter.Condition("tags", Optional.empty(), Set.of(), Optional.of(true));
    assertThat(selects(plain, schemas, there, framed(1, text(3, "x")))).isTrue();
    assertThat(selects(plain, schemas, there, framed(1, text(2, "x")))).isFalse();
    assertThat(selects(plain, schemas, condition("op", List.of("c")), framed(2, text(1, "d"))))
        .as("lacks the subject, and is not selected")
        .isFalse();
    assertThatThrownBy(
            () -> selects(plain, schemas, condition("op", List.of("d")), framed(2, text(1, "d"))))
        .hasMessage("SCHEMA_MISMATCH");
  }

  private static RecordFilter.Condition condition(String part, List<String> names) {
    return new RecordFilter.Condition(
        part, Optional.of(Set.copyOf(names)), Set.of(), Optional.empty());
  }

  private static boolean selects(
      InputSpec plain, SchemaSource schemas, String part, List<String> names, String text)
      throws Exception {
    RegisteredSchema schema = schemas.ofAnyType(1).orElseThrow();
    byte[] message = encoded(((RegisteredSchema.Protobuf) schema).file(), "Click", text);
    return selects(plain, schemas, condition(part, names), framed(1, message));
  }

  /** A record without a name of its subject is selected too: it is a dead letter then. */
  private static boolean selects(
      InputSpec plain, SchemaSource schemas, RecordFilter.Condition condition, byte[] bytes)
      throws RejectedRecordException {
    InputSpec spec =
        new InputSpec(
            plain.topics(),
            plain.format(),
            plain.subject(),
            plain.time(),
            plain.category(),
            plain.columns(),
            plain.categories(),
            plain.other(),
            plain.values(),
            plain.weight(),
            plain.maxBytes(),
            plain.formats(),
            new RecordFilter(List.of(condition)),
            plain.id());
    EventReader reader = new EventReader(spec, Optional.empty(), schemas, WindowSpec.MAX_AHEAD);
    try {
      return reader.read(record(null, bytes, NOW)).isPresent();
    } catch (RejectedRecordException e) {
      if (e.code() == RejectionCode.NO_SUBJECT) {
        return true;
      }
      throw e;
    }
  }

  @Test
  void shouldNameTheTypeThatASchemaHasInstead() {
    SchemaSource others =
        ProtobufRecords.of(
            Map.of(
                1, new RegisteredSchema.Avro(Schema.create(Schema.Type.STRING)),
                2, new RegisteredSchema.Json(),
                3, new RegisteredSchema.Protobuf(ProtobufSchemas.parsed(FIRST))));
    EventReader protobuf = reader(Map.of("user", "who", "subject", "who"), others);
    assertThat(refusal(protobuf, framed(1, text(1, "x"))).hint().orElseThrow())
        .contains("type Avro, not Protobuf", "'avro' would fit");
    assertThat(refusal(protobuf, framed(2, text(1, "x"))).hint().orElseThrow())
        .contains("'json-schema' would fit");
    EventReader avro =
        new EventReader(
            UserRecords.spec(Format.AVRO, "at", ValueFormats.usual()),
            Optional.empty(),
            others,
            WindowSpec.MAX_AHEAD);
    assertThat(refusal(avro, framed(3, text(1, "x"))).hint().orElseThrow())
        .contains("type Protobuf, not Avro", "'protobuf' would fit");
  }

  private static byte[] bytes(int... bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int one : bytes) {
      out.write(one);
    }
    return out.toByteArray();
  }

  @Test
  void shouldNameOtherFramings() {
    ByteArrayOutputStream apicurio = new ByteArrayOutputStream();
    byte[] type = text(1, "Visit");
    apicurio.write(type.length);
    apicurio.writeBytes(type);
    apicurio.writeBytes(text(1, "ann"));
    assertThat(refusal(framed(7, new byte[0], apicurio.toByteArray())).hint().orElseThrow())
        .contains("Apicurio's serializer");
    byte[] eight = bytes(0, 0, 0, 0, 0, 0, 0, 0, 7, 0, 10, 1, 'x');
    assertThat(refusal(eight).hint().orElseThrow()).contains("id in 8 bytes");
    byte[] glue = new byte[30];
    glue[0] = 3;
    glue[1] = 5;
    assertThat(refusal(glue).hint().orElseThrow()).contains("AWS Glue");
    byte[] azure =
        ByteBuffer.allocate(40).putInt(0).put(utf8("0123456789abcdef0123456789abcdef")).array();
    assertThat(refusal(azure).hint().orElseThrow()).contains("Azure");
    assertThat(refusal(utf8("{\"who\":\"ann\"}")).hint().orElseThrow()).contains("JSON object");
  }

  @ParameterizedTest
  @ValueSource(strings = {"__value_schema_id", "apicurio.value.globalId"})
  void shouldNameTheHeaderThatAnIdIsIn(String name) {
    RecordHeaders headers = new RecordHeaders();
    headers.add(name, new byte[17]);
    for (Format format : new Format[] {Format.PROTOBUF, Format.JSON_SCHEMA, Format.AVRO}) {
      EventReader reader =
          new EventReader(
              UserRecords.spec(format, "at", ValueFormats.usual()),
              Optional.empty(),
              SCHEMAS,
              WindowSpec.MAX_AHEAD);
      assertThatThrownBy(
              () ->
                  reader
                      .read(new SourceRecord("records", null, text(1, "ann"), NOW, headers))
                      .orElseThrow())
          .isInstanceOfSatisfying(
              RejectedRecordException.class,
              e -> assertThat(e.hint().orElseThrow()).contains("header '" + name + "'"));
    }
  }

  private static Optional<String> keyed(String field, byte[] key) throws RejectedRecordException {
    return new EventReader(
            UserRecords.spec(
                Format.JSON, "at", new ValueFormats(TimeReader.auto(), KeyFormat.PROTOBUF)),
            Optional.of(field),
            SCHEMAS,
            WindowSpec.MAX_AHEAD)
        .read(
            record(
                key, utf8("{\"ward\":\"n\",\"at\":%d,\"what\":\"a\",\"x\":1}".formatted(NOW)), NOW))
        .orElseThrow()
        .user();
  }

  @Test
  void shouldReadKeys() throws Exception {
    assertThat(keyed("$key", framed(9, StringValue.of("ann").toByteArray()))).contains("ann");
    byte[] number = UInt64Value.of(-1).toByteArray();
    assertThat(keyed("$key", framed(9, zigZag(1, 1), number))).contains("18446744073709551615");
    assertThat(keyed("$key", framed(9, zigZag(1, 1), new byte[0]))).contains("0");
    byte[] customer = encoded(ProtobufSchemas.parsed(WRAPPERS), "Customer", "id: 7 name: 'x'");
    assertThat(keyed("$key.id", framed(9, zigZag(1, 2), customer))).contains("7");
    assertThatThrownBy(() -> keyed("$key", framed(9, zigZag(1, 2), customer)))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.hint().orElseThrow()).contains("$key.customer_id"));
    assertThatThrownBy(() -> keyed("$key", framed(9, new byte[0]))).hasMessage("NO_USER");
    assertThatThrownBy(() -> keyed("$key", new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 9, 0, 8, 7}))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.hint().orElseThrow()).contains("the key starts with", "8 bytes"));
    assertThatThrownBy(() -> keyed("$key", utf8("ann")))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.hint().orElseThrow()).contains("schema registry's id"));
  }
}
