// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.FieldPath;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.InputSpec.Format;
import io.sfumato.pipeline.WindowSpec;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Arrays of which each item is a category: a to d are 0 to 3. */
class EachItemTest {
  private static final long NOW = 1_780_000_000_000L;

  private static final String SCHEMA =
      """
      {"type":"record","name":"Sale","fields":[
        {"name":"who","type":"string"},
        {"name":"at","type":"string"},
        {"name":"tags","type":["null",{"type":"array","items":["null","string"]}]},
        {"name":"order","type":{"type":"record","name":"Order","fields":[
          {"name":"lines","type":{"type":"array","items":{"type":"record","name":"Line","fields":[
            {"name":"kind","type":["null","string"]}]}}}]}}]}
      """;

  private static EventReader reader(Format format, String category, Optional<String> other) {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    return new EventReader(
        new InputSpec(
            "in",
            format,
            "who",
            "at",
            Optional.of(category),
            List.of("a", "b", "c", "d"),
            other,
            List.of(),
            1_000_000),
        Optional.empty(),
        id -> Optional.of(schema),
        WindowSpec.MAX_AHEAD);
  }

  private static byte[] json(String fields) {
    return "{\"who\": \"ann\", \"at\": \"2026-05-01T00:00:00Z\", %s}"
        .formatted(fields.replace('\'', '"'))
        .getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] avro(String tags, String lines) throws Exception {
    Schema schema = new Schema.Parser().parse(SCHEMA);
    String json =
        "{\"who\": \"ann\", \"at\": \"2026-05-01T00:00:00Z\", \"tags\": %s, \"order\": {\"lines\": %s}}"
            .formatted(tags, lines)
            .replace('\'', '"');
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(schema)
            .read(null, DecoderFactory.get().jsonDecoder(schema, json));
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(new byte[] {0, 0, 0, 0, 1});
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    return out.toByteArray();
  }

  private static String found(EventReader reader, byte[] value) {
    try {
      return reader.read(null, value, NOW).categories().toString();
    } catch (RejectedRecordException e) {
      return e.code().name();
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tags[] | 'tags': ['b', 'a', 'b'] | [1, 0, 1]",
        "tags[] | 'tags': [] | []",
        "tags[] | 'tags': ['x', 'b'] | UNKNOWN_CATEGORY",
        "tags[] | 'tags': ['a', null] | NO_CATEGORY",
        "tags[] | 'tags': ['a', ['b']] | NO_CATEGORY",
        "tags[] | 'tags': 'a' | NO_CATEGORY",
        "tags[] | 'tags': null | NO_CATEGORY",
        "tags[] | 'tags': {'[]': 'a'} | NO_CATEGORY",
        "tags[] | 'tags': {'0': 'a'} | NO_CATEGORY",
        "tags[] | 'other': ['a'] | NO_CATEGORY",
        "tags[] | 'tags': ['a'], 'tags': ['b', 'c'] | [1, 2]",
        "tags[] | 'tags[]': 'd' | [3]",
        "tags[] | 'tags': ['a'], 'tags[]': 'd' | [3]",
        "order.lines[].kind | 'order': {'lines': [{'kind': 'c', 'n': 1}, {'kind': 'd'}]} | [2, 3]",
        "order.lines[].kind | 'order': {'lines': [{'kind': 'c', 'kind': 'a'}, {'kind': 'd'}]} | [0, 3]",
        "order.lines[].kind | 'order': {'lines': [{'kind': 'c'}, {'n': 1}]} | NO_CATEGORY",
        "order.lines[].kind | 'order': {'lines': [{'kind': 'c'}, 5]} | NO_CATEGORY",
        "order.lines[].kind | 'order': {'lines': {'kind': 'c'}} | NO_CATEGORY",
        "order.lines[].kind | 'order': [{'kind': 'c'}] | NO_CATEGORY",
      })
  void shouldReadEachItemOfJson(String path, String fields, String expected) {
    assertThat(found(reader(Format.JSON, path, Optional.empty()), json(fields)))
        .isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "tags[] | {'array': [{'string': 'b'}, {'string': 'a'}]} | [] | [1, 0]",
        "tags[] | {'array': []} | [] | []",
        "tags[] | null | [] | NO_CATEGORY",
        "tags[] | {'array': [{'string': 'a'}, null]} | [] | NO_CATEGORY",
        "tags[] | {'array': [{'string': 'x'}]} | [] | UNKNOWN_CATEGORY",
        "order.lines[].kind | null | [{'kind': {'string': 'c'}}, {'kind': {'string': 'd'}}] | [2, 3]",
        "order.lines[].kind | null | [{'kind': null}] | NO_CATEGORY",
        "tags | null | [] | SCHEMA_MISMATCH",
        "order[].kind | null | [] | SCHEMA_MISMATCH",
      })
  void shouldReadEachItemOfAvro(String path, String tags, String lines, String expected)
      throws Exception {
    assertThat(found(reader(Format.AVRO, path, Optional.empty()), avro(tags, lines)))
        .isEqualTo(expected);
  }

  @Test
  void shouldCountUnknownItemsAsTheOther() {
    assertThat(
            found(reader(Format.JSON, "tags[]", Optional.of("d")), json("'tags': ['x', 'b', 'y']")))
        .isEqualTo("[3, 1, 3]");
  }

  @Test
  void shouldReadNoMoreItemsThanMayEverCount() {
    EventReader reader = reader(Format.JSON, "tags[]", Optional.empty());
    String most = "'a'" + ", 'a'".repeat(FieldPath.MOST_ITEMS - 1);
    assertThat(found(reader, json("'tags': [" + most + "]"))).hasSize(3 * FieldPath.MOST_ITEMS);
    assertThatThrownBy(() -> reader.read(null, json("'tags': [" + most + ", 'a']"), NOW))
        .isInstanceOfSatisfying(
            RejectedRecordException.class,
            e -> assertThat(e.code()).isEqualTo(RejectionCode.TOO_LARGE));
  }
}
