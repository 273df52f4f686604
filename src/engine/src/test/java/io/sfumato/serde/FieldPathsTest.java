// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static io.sfumato.serde.SourceRecords.record;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.WindowSpec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields within fields: the same path finds the same in JSON and in Avro. */
class FieldPathsTest {
  private static final long NOW = Instant.parse("2026-06-01T00:00:00Z").toEpochMilli();
  private static final String RECORD =
      """
      {"more": [{"x": [1, {"y": 2}]}],
       "user": {"id": "ann", "tags": ["a", "b"], "name": "none"},
       "meta": {"at": "2026-06-01T00:00:00Z"},
       "items": [{"price": 1.5, "kind": "c"}, {"price": 2.5, "kind": "d"}]}
      """;
  private static final String SCHEMA =
      """
      {"type":"record","name":"Order","fields":[
        {"name":"more","type":{"type":"array","items":{"type":"record","name":"More","fields":[
          {"name":"x","type":"int"}]}}},
        {"name":"user","type":["null",{"type":"record","name":"User","fields":[
          {"name":"id","type":"string"},
          {"name":"tags","type":{"type":"array","items":"string"}},
          {"name":"name","type":"string"}]}]},
        {"name":"meta","type":{"type":"record","name":"Meta","fields":[
          {"name":"at","type":"string"}]}},
        {"name":"items","type":{"type":"array","items":{"type":"record","name":"Item","fields":[
          {"name":"price","type":"double"},{"name":"kind","type":"string"}]}}}]}
      """;
  private static final String AVRO =
      """
      {"more": [{"x": 1}],
       "user": {"User": {"id": "ann", "tags": ["a", "b"], "name": "none"}},
       "meta": {"at": "2026-06-01T00:00:00Z"},
       "items": [{"price": 1.5, "kind": "c"}, {"price": 2.5, "kind": "d"}]}
      """;

  private static EventReader reader(Format format, String subject, String category, String value) {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    return new EventReader(
        new InputSpec(
            "in",
            format,
            subject,
            "meta.at",
            Optional.of(category),
            List.of("a", "b", "c", "d"),
            Optional.empty(),
            List.of(value),
            1_000_000),
        Optional.empty(),
        id -> Optional.of(schema),
        WindowSpec.MAX_AHEAD);
  }

  private static byte[] avro() throws Exception {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    GenericRecord record =
        new org.apache.avro.generic.GenericDatumReader<GenericRecord>(schema)
            .read(null, DecoderFactory.get().jsonDecoder(schema, AVRO));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, 1});
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "user.id, user.tags[1], items[1].price, ann, 1, 2.5",
    "/user/id, /user/tags/0, /items/0/price, ann, 0, 1.5",
    "user.id, items[0].kind, items.1.price, ann, 2, 2.5",
    "user.name, items[1].kind, items[0].price, none, 3, 1.5"
  })
  void shouldFindTheSameInBothFormats(
      String subject, String category, String value, String who, int what, double number)
      throws Exception {
    Event expected = new Event(Optional.empty(), who, NOW, what, List.of(number));
    assertThat(
            reader(Format.JSON, subject, category, value)
                .read(record(null, utf8(RECORD), NOW))
                .orElseThrow())
        .isEqualTo(expected);
    assertThat(
            reader(Format.AVRO, subject, category, value)
                .read(record(null, avro(), NOW))
                .orElseThrow())
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"user", "user.nobody", "user.id.x", "user[0]", "/users/id", "more"})
  void shouldNotFindWhatIsNotThere(String subject) {
    assertThatThrownBy(
            () ->
                reader(Format.JSON, subject, "user.tags[0]", "items[0].price")
                    .read(record(null, utf8(RECORD), NOW))
                    .orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.NO_SUBJECT));
    assertThatThrownBy(
            () ->
                reader(Format.AVRO, subject, "user.tags[0]", "items[0].price")
                    .read(record(null, avro(), NOW))
                    .orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.SCHEMA_MISMATCH));
  }

  /** A gateway that looks at the first of two fields must not be bypassed by the second. */
  @ParameterizedTest
  @ValueSource(strings = {"null", "{}", "'ann'", "{'id':null}", "{'tags':['b']}"})
  void shouldRefuseTwoFieldsWithOneName(String last) {
    String twice = RECORD.strip().replaceAll("}$", ",'user':" + last + "}").replace('\'', '"');
    assertThatThrownBy(
            () ->
                reader(Format.JSON, "user.id", "items[0].kind", "items[0].price")
                    .read(record(null, utf8(twice), NOW))
                    .orElseThrow())
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.MALFORMED));
  }

  @Test
  void shouldMissAnItemBehindAnArraysEnd() {
    for (Format format : List.of(Format.JSON, Format.AVRO)) {
      assertThatThrownBy(
              () ->
                  reader(format, "user.id", "user.tags[2]", "items[0].price")
                      .read(record(null, format == Format.JSON ? utf8(RECORD) : avro(), NOW))
                      .orElseThrow())
          .isInstanceOfSatisfying(
              RejectedRecordException.class,
              e -> assertThat(e.code()).isEqualTo(RejectionCode.NO_CATEGORY));
    }
  }

  /** So were fields read before there were paths: a pipeline that runs goes on. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'user.id': 'ann', 'user': {'id': 'bob'}",
        "{'user': {'id': 'bob'}, 'user.id': 'ann'",
        "{'user.id': 'ann'"
      })
  void shouldPreferAFieldOfTheVeryName(String begin) throws Exception {
    String record = begin.replace('\'', '"') + RECORD.strip().replace("{\"more\"", ", \"more\"");
    String only = record.replace("\"user\": {\"id\": \"ann\", \"tags\"", "\"u\": {\"tags\"");
    assertThat(
            reader(Format.JSON, "user.id", "items[0].kind", "items[0].price")
                .read(record(null, utf8(only), NOW))
                .orElseThrow()
                .subject())
        .isEqualTo("ann");
  }
}
