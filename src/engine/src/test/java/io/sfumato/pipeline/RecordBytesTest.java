// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sfumato.pipeline.SizeBound.Part;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** Sizes follow from schemas; OutputSizesTest compares them with records. */
class RecordBytesTest {
  private static final Schema SCHEMA =
      new Schema.Parser()
          .parse(
              """
              {"type": "record", "name": "Example", "fields": [
                {"name": "id", "type": "string"},
                {"name": "found", "type": ["null", "boolean"]},
                {"name": "rows", "type": {"type": "array", "items":
                  {"type": "record", "name": "Row", "fields": [
                    {"name": "name", "type": "string"},
                    {"name": "parts", "type": {"type": "array", "items": "double"}}]}}}]}
              """);

  private static Caps caps() {
    return new Caps()
        .anyText("id", 100, 0)
        .setting("categories", 3, "shorten them")
        .items("rows", 3)
        .texts("rows.name", List.of("a", "bc", "def"))
        .setting("parts", 4)
        .items("rows.parts", 4);
  }

  @Test
  void shouldAddUpWhatEachSettingAnswersFor() {
    RecordBytes sizes = new RecordBytes(SCHEMA, OutputFormat.AVRO, caps());
    // A header of 10; what may be absent has a branch, and texts have a branch and a length.
    long id = 1 + 2 + 100;
    long found = 1 + 1;
    assertThat(sizes.fixed()).isEqualTo(10 + id + found);
    long list = 11;
    long names = 3 * (1 + 2) + 6;
    long parts = 3 * (list + 4 * Double.BYTES);
    assertThat(sizes.parts())
        .containsExactly(
            new Part("categories", 3, list + names, "shorten them"),
            new Part("parts", 4, parts, ""));
  }

  @Test
  void shouldNameFieldsInJson() {
    RecordBytes avro = new RecordBytes(SCHEMA, OutputFormat.AVRO, caps());
    RecordBytes json = new RecordBytes(SCHEMA, OutputFormat.JSON, caps());
    assertThat(json.fixed()).isGreaterThan(avro.fixed() + 100 + "\"type\":\"Example\",".length());
    assertThat(json.parts().get(1).bytes()).isEqualTo(3 * ("\"parts\":,[],".length() + 4 * 25L));
  }

  @Test
  void shouldTakeTheBytesOfAListAsTheyAreSaid() {
    Caps all = new Caps().text("id", "x").bytes("rows", 1000);
    assertThat(new RecordBytes(SCHEMA, OutputFormat.AVRO, all).fixed())
        .isEqualTo(10 + 4 + 2 + 11 + 1000);
  }

  @Test
  void shouldRefuseATextOrListWithoutACap() {
    assertThatThrownBy(
            () -> new RecordBytes(SCHEMA, OutputFormat.AVRO, new Caps().items("rows", 1)))
        .hasMessage("field 'id' of Example has no cap");
    assertThatThrownBy(
            () ->
                new RecordBytes(
                    SCHEMA,
                    OutputFormat.AVRO,
                    new Caps().text("id", "x").items("rows", 1).text("rows.name", "")))
        .hasMessage("field 'rows.parts' of Example has no cap");
  }

  private static Schema of(String type) {
    return new Schema.Parser()
        .parse(
            "{\"type\": \"record\", \"name\": \"One\", \"fields\": [{\"name\": \"x\", \"type\": %s}]}"
                .formatted(type));
  }

  /** Each item says of itself which branch it is. */
  @Test
  void shouldCountTheBranchOfEachItemThatMayBeNothing() throws IOException {
    Schema schema = of("{\"type\": \"array\", \"items\": [\"null\", \"double\"]}");
    GenericData.Record record = new GenericData.Record(schema);
    record.put("x", Collections.nCopies(1_000, 0.5));
    ByteArrayOutputStream written = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(written, null);
    new GenericDatumWriter<GenericRecord>(schema).write(record, encoder);
    encoder.flush();
    assertThat(new RecordBytes(schema, OutputFormat.AVRO, new Caps().items("x", 1_000)).fixed())
        .isGreaterThanOrEqualTo(written.size());
  }

  @Test
  void shouldRefuseAUnionOfSeveralTypes() {
    assertThatThrownBy(
            () ->
                new RecordBytes(
                    of("[\"null\", \"boolean\", \"string\"]"), OutputFormat.AVRO, new Caps()))
        .hasMessage("field 'x' is a union of several types");
  }

  /** Rows of which the last round holds some of the texts only. */
  @Test
  void shouldCountTheTextsOfRowsThatAreNoMultipleOfThem() {
    List<String> texts = List.of("first", "second", "third");
    long three = rows(texts, 3);
    // A row less, but no text.
    assertThat(rows(texts, 2)).isEqualTo(three - 11);
    assertThat(rows(texts, 4)).isGreaterThan(three + "second".length());
  }

  private static long rows(List<String> texts, int rows) {
    Caps caps =
        new Caps()
            .text("id", "x")
            .items("rows", rows)
            .texts("rows.name", texts)
            .items("rows.parts", 0);
    return new RecordBytes(SCHEMA, OutputFormat.AVRO, caps).fixed();
  }
}
