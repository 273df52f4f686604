// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.pipeline.OutputView;
import io.sfumato.property.ForAll;
import io.sfumato.property.Property;
import io.sfumato.rows.PublishedRow;
import io.sfumato.serde.RowEncoder;
import io.sfumato.serde.SchemaSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

/** Keys and values of rows for sinks, of every kind. */
class RowEncoderTest {
  private static final Instant RELEASED = Instant.parse("2026-11-03T00:05:06Z");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> FIELDS = List.of("category");

  private static List<PublishedRow> rows(OutputView view, long seed) {
    return PublishedRow.of(
        view.rows(new RandomOutputs(seed).of(view.schema()), Optional.empty()), RELEASED);
  }

  @Property
  void shouldGiveEachRowAKeyOfItsOwnWithoutNulls(@ForAll long seed) throws IOException {
    for (OutputView view : Releases.outputs()) {
      RowEncoder encoder = RowEncoder.json(FIELDS);
      List<PublishedRow> rows = rows(view, seed);
      // All columns first: a table has the rows of one schema.
      rows.forEach(encoder::key);
      Set<JsonNode> keys = new HashSet<>();
      for (PublishedRow row : rows) {
        JsonNode key = JSON.readTree(encoder.key(row)).get("payload");
        assertThat(key.properties()).noneMatch(field -> field.getValue().isNull());
        assertThat(keys.add(key)).as("%s", key).isTrue();
      }
    }
  }

  @Property
  void shouldStateInJsonWhatTheRowStates(@ForAll long seed) throws IOException {
    for (OutputView view : Releases.outputs()) {
      RowEncoder encoder = RowEncoder.json(FIELDS);
      for (PublishedRow row : rows(view, seed)) {
        JsonNode value = JSON.readTree(encoder.value(row)).get("payload");
        assertThat(value.get("value").asDouble())
            .isEqualTo(row.row().quantity().value().doubleValue());
        assertThat(value.get("measure").asText()).isEqualTo(row.measure());
        assertThat(Instant.ofEpochMilli(value.get("window_start").asLong()))
            .isEqualTo(row.row().head().windowStart());
        assertThat(Instant.ofEpochMilli(value.get("released").asLong())).isEqualTo(RELEASED);
        List<String> texts = new ArrayList<>();
        value.properties().forEach(field -> texts.add(field.getValue().asText()));
        assertThat(texts).containsAll(row.row().group().values());
      }
    }
  }

  @Property
  void shouldStateInAvroWhatTheRowStates(@ForAll long seed) throws IOException {
    for (OutputView view : Releases.outputs()) {
      List<Schema> registered = new ArrayList<>();
      RowEncoder encoder = RowEncoder.avro(FIELDS, registry(registered));
      for (PublishedRow row : rows(view, seed)) {
        GenericRecord value = decoded(encoder.value(row), registered);
        assertThat(value.get("value")).isEqualTo(row.row().quantity().value().doubleValue());
        assertThat(value.get("measure").toString()).isEqualTo(row.measure());
        assertThat(value.get("window_end")).isEqualTo(row.row().head().windowEnd().toEpochMilli());
        assertThat(value.get("unknown")).isEqualTo(row.row().quantity().unknown());
        assertThat(value.get("low") == null).isEqualTo(row.row().quantity().interval().isEmpty());
        GenericRecord key = decoded(encoder.key(row), registered);
        assertThat(key.get("measure").toString()).isEqualTo(row.measure());
      }
    }
  }

  private static SchemaSource registry(List<Schema> registered) {
    return new SchemaSource() {
      @Override
      public Optional<Schema> byId(int id) {
        return Optional.empty();
      }

      @Override
      public int idOf(Schema schema) {
        if (!registered.contains(schema)) {
          registered.add(schema);
        }
        return registered.indexOf(schema);
      }
    };
  }

  private static GenericRecord decoded(byte[] bytes, List<Schema> registered) throws IOException {
    Schema schema = registered.get(ByteBuffer.wrap(bytes, 1, 4).getInt());
    return new GenericDatumReader<GenericRecord>(schema)
        .read(null, DecoderFactory.get().binaryDecoder(bytes, 5, bytes.length - 5, null));
  }
}
