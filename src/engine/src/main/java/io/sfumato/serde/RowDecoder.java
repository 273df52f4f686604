// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.Group;
import io.sfumato.rows.Interval;
import io.sfumato.rows.Measure;
import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.OutputHead;
import io.sfumato.rows.OutputRow;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.Quantity;
import io.sfumato.rows.RowColumn;
import io.sfumato.rows.Stretch;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.DecoderFactory;

/** Rows of the topic {@code NAME.rows}: the inverse of {@link RowEncoder}. */
public final class RowDecoder {
  static {
    AvroTrust.establish();
  }

  private static final ObjectMapper JSON = new ObjectMapper();

  private RowDecoder() {}

  /**
   * The row that a record's value is.
   *
   * @param schemas of a registry, for rows in Avro
   * @return nothing if it is no row
   * @throws SchemasUnavailableException if the registry cannot be asked
   */
  public static Optional<PublishedRow> row(byte[] value, SchemaSource schemas) {
    return ForeignBytes.ifReadable(
        () -> {
          Map<String, Object> columns =
              RegistryFrame.isIn(value) ? avro(value, schemas) : json(value);
          return columns == null ? null : row(columns);
        });
  }

  private static Map<String, Object> json(byte[] value) throws IOException {
    JsonNode envelope = JSON.readTree(value);
    if (!envelope.path("schema").path("name").asText().equals(RowEncoder.VALUE_NAME)) {
      return null;
    }
    Map<String, Object> columns = new LinkedHashMap<>();
    envelope.path("payload").properties().forEach(c -> columns.put(c.getKey(), of(c.getValue())));
    return columns;
  }

  private static Object of(JsonNode node) {
    if (node.isNumber()) {
      return node.isIntegralNumber() ? (Object) node.asLong() : (Object) node.asDouble();
    }
    if (node.isBoolean()) {
      return node.asBoolean();
    }
    return node.isNull() ? null : node.asText();
  }

  private static Map<String, Object> avro(byte[] value, SchemaSource schemas) throws IOException {
    Optional<Schema> writer = schemas.byId(RegistryFrame.schemaId(value));
    if (writer.filter(of -> of.getFullName().equals(RowEncoder.VALUE_NAME)).isEmpty()) {
      return null;
    }
    GenericRecord record =
        new GenericDatumReader<GenericRecord>(writer.get())
            .read(
                null,
                DecoderFactory.get()
                    .binaryDecoder(
                        value, RegistryFrame.HEADER, value.length - RegistryFrame.HEADER, null));
    Map<String, Object> columns = new LinkedHashMap<>();
    for (Schema.Field field : writer.get().getFields()) {
      Object found = record.get(field.pos());
      columns.put(field.name(), found instanceof CharSequence text ? text.toString() : found);
    }
    return columns;
  }

  private static PublishedRow row(Map<String, Object> columns) {
    String noise = text(columns, RowColumn.NOISE);
    OutputHead head =
        new OutputHead(
            text(columns, RowColumn.SUBJECT),
            time(columns, RowColumn.WINDOW_START),
            time(columns, RowColumn.WINDOW_END),
            text(columns, RowColumn.OUTPUT),
            number(columns, RowColumn.LEFT_OUT),
            (int) (long) columns.get(RowColumn.VERSION.word()),
            noise);
    return new PublishedRow(
        new OutputRow(
            head,
            Stretch.own(head.windowStart()),
            group(columns),
            // The whole text: "running" and "of" are in it.
            Measure.of(text(columns, RowColumn.MEASURE)),
            quantity(columns),
            !text(columns, RowColumn.NOISE_SCOPE).isEmpty(),
            scope(text(columns, RowColumn.NOISE_SCOPE))),
        time(columns, RowColumn.RELEASED));
  }

  private static Group group(Map<String, Object> columns) {
    List<String> fields = new ArrayList<>(columns.keySet());
    List<String> between =
        fields.subList(
            fields.indexOf(RowColumn.OUTPUT.word()) + 1, fields.indexOf(RowColumn.MEASURE.word()));
    return new Group(
        between.stream().map(CategoryColumns::field).toList(),
        between.stream().map(column -> (String) columns.get(column)).toList());
  }

  private static Quantity quantity(Map<String, Object> columns) {
    Object low = columns.get(RowColumn.LOW.word());
    Object high = columns.get(RowColumn.HIGH.word());
    return new Quantity(
        (Number) columns.get(RowColumn.VALUE.word()),
        low == null
            ? Optional.empty()
            : Optional.of(new Interval((Number) low, (Number) high, Interval.LEVEL)),
        number(columns, RowColumn.DEVIATION),
        (boolean) columns.get(RowColumn.UNKNOWN.word()),
        (boolean) columns.get(RowColumn.CLAMPED.word()));
  }

  private static String text(Map<String, Object> columns, RowColumn column) {
    Object found = columns.get(column.word());
    return found == null ? "" : (String) found;
  }

  private static Instant time(Map<String, Object> columns, RowColumn column) {
    return Instant.ofEpochMilli((long) columns.get(column.word()));
  }

  private static OptionalDouble number(Map<String, Object> columns, RowColumn column) {
    Object found = columns.get(column.word());
    return found == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(((Number) found).doubleValue());
  }

  private static NoiseScope scope(String word) {
    return Stream.of(NoiseScope.values())
        .filter(scope -> scope.word().equals(word))
        .findFirst()
        .orElse(NoiseScope.ROW);
  }
}
