// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.core.io.NumberOutput;
import io.sfumato.rows.CategoryColumns;
import io.sfumato.rows.PublishedRow;
import io.sfumato.rows.RowColumn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Rows as keys and values of Kafka records, in a form that a JDBC sink takes as it is: JSON with a
 * schema of Kafka Connect, or Avro of a schema registry. A field of a row that no column stands for
 * adds a column at the end of the category columns.
 */
public final class RowEncoder {
  private static final String NAMESPACE = "io.sfumato.rows";
  private static final String VALUE = "Row";

  /** Full name of the schema of values. */
  static final String VALUE_NAME = NAMESPACE + "." + VALUE;

  private static final JsonStringEncoder JSON = JsonStringEncoder.getInstance();

  /** Columns of the key beside category fields: before them, and after. */
  private static final List<RowColumn> KEY_FIRST = RowColumn.first();

  private static final List<RowColumn> KEY_REST = List.of(RowColumn.MEASURE);

  private final CategoryColumns categories;
  private final boolean isAvro;
  private final SchemaSource schemas;

  private Form key;
  private Form value;

  /**
   * @param fields category fields of the pipeline's outputs, in their order
   * @param isAvro whether schemas are in a registry
   * @param schemas their ids
   */
  private RowEncoder(List<String> fields, boolean isAvro, SchemaSource schemas) {
    this.categories = CategoryColumns.of(fields);
    this.isAvro = isAvro;
    this.schemas = schemas;
    forms();
  }

  /** JSON with a schema of Kafka Connect around each row. */
  public static RowEncoder json(List<String> fields) {
    return new RowEncoder(fields, false, SchemaSource.none());
  }

  /** Avro whose schemas are in a registry. */
  public static RowEncoder avro(List<String> fields, SchemaSource schemas) {
    return new RowEncoder(fields, true, schemas);
  }

  private void forms() {
    key = new Form("RowKey", KEY_FIRST, categories.names(), KEY_REST);
    value = new Form(VALUE, RowColumn.first(), categories.names(), RowColumn.rest());
  }

  /** Avro's schema of keys. */
  public static Schema keySchema(List<String> fields) {
    return json(fields).key.avro();
  }

  /** Avro's schema of values. */
  public static Schema valueSchema(List<String> fields) {
    return json(fields).value.avro();
  }

  /** The key of a row. */
  public byte[] key(PublishedRow row) {
    widen(row);
    return bytes(row, key);
  }

  /** The row. */
  public byte[] value(PublishedRow row) {
    widen(row);
    return bytes(row, value);
  }

  private void widen(PublishedRow row) {
    if (categories.addAll(row)) {
      forms();
    }
  }

  private byte[] bytes(PublishedRow row, Form form) {
    return isAvro ? avro(row, form) : json(row, form).getBytes(StandardCharsets.UTF_8);
  }

  /** Values in the order of a form's columns. */
  private List<Optional<Object>> values(PublishedRow row, Form form) {
    List<Optional<Object>> values = new ArrayList<>();
    form.first().forEach(column -> values.add(column.of(row)));
    categories.of(row).forEach(text -> values.add(Optional.of(text)));
    form.rest().forEach(column -> values.add(column.of(row)));
    return values;
  }

  private String json(PublishedRow row, Form form) {
    StringBuilder text = new StringBuilder(form.connect());
    text.append("\"payload\":{");
    List<Optional<Object>> values = values(row, form);
    for (int i = 0; i < values.size(); i++) {
      text.append(i == 0 ? "" : ",");
      quoted(text, form.columns().get(i));
      text.append(':').append(values.get(i).map(RowEncoder::plain).orElse("null"));
    }
    return text.append("}}").toString();
  }

  private static String plain(Object value) {
    if (value instanceof String text) {
      StringBuilder quoted = new StringBuilder();
      quoted(quoted, text);
      return quoted.toString();
    }
    if (value instanceof Instant time) {
      return Long.toString(time.toEpochMilli());
    }
    return value instanceof Double number ? NumberOutput.toString(number, true) : value.toString();
  }

  private static void quoted(StringBuilder to, String text) {
    to.append('"');
    JSON.quoteAsString(text, to);
    to.append('"');
  }

  private byte[] avro(PublishedRow row, Form form) {
    GenericRecord record = new GenericData.Record(form.avro());
    List<Optional<Object>> values = values(row, form);
    for (int i = 0; i < values.size(); i++) {
      RowColumn.Type type = form.types().get(i);
      record.put(i, values.get(i).map(found -> avro(found, type)).orElse(null));
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(512);
    try {
      BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(out, null);
      new GenericDatumWriter<GenericRecord>(form.avro()).write(record, encoder);
      encoder.flush();
    } catch (IOException e) {
      throw new IllegalStateException("encoding to memory failed", e);
    }
    return RegistryFrame.of(schemas.idOf(form.avro()), out.toByteArray());
  }

  private static Object avro(Object found, RowColumn.Type type) {
    return switch (type) {
      case TIME -> ((Instant) found).toEpochMilli();
      case NUMBER -> ((Number) found).doubleValue();
      case TEXT, WHOLE, TRUTH -> found;
    };
  }

  /** Columns of keys, or of values, with both schemas. */
  private record Form(
      String name,
      List<RowColumn> first,
      List<RowColumn> rest,
      List<String> columns,
      List<RowColumn.Type> types,
      String connect,
      Schema avro) {
    Form(String name, List<RowColumn> first, List<String> categories, List<RowColumn> rest) {
      this(
          name,
          first,
          rest,
          columns(first, categories, rest),
          types(first, categories, rest),
          connect(name, first, categories, rest),
          schema(name, first, categories, rest));
    }

    private static List<String> columns(
        List<RowColumn> first, List<String> categories, List<RowColumn> rest) {
      List<String> columns = new ArrayList<>();
      first.forEach(column -> columns.add(column.word()));
      columns.addAll(categories);
      rest.forEach(column -> columns.add(column.word()));
      return columns;
    }

    private static List<RowColumn.Type> types(
        List<RowColumn> first, List<String> categories, List<RowColumn> rest) {
      List<RowColumn.Type> types = new ArrayList<>();
      first.forEach(column -> types.add(column.type()));
      categories.forEach(name -> types.add(RowColumn.Type.TEXT));
      rest.forEach(column -> types.add(column.type()));
      return types;
    }

    private static boolean isOptional(RowColumn column) {
      return !column.emptyFor().isEmpty();
    }

    /** The envelope up to the payload. */
    private static String connect(
        String name, List<RowColumn> first, List<String> categories, List<RowColumn> rest) {
      StringBuilder text = new StringBuilder("{\"schema\":{\"type\":\"struct\",\"fields\":[");
      first.forEach(column -> connect(text, column.type(), isOptional(column), column.word()));
      categories.forEach(column -> connect(text, RowColumn.Type.TEXT, false, column));
      rest.forEach(column -> connect(text, column.type(), isOptional(column), column.word()));
      text.setLength(text.length() - 1);
      return text.append("],\"optional\":false,\"name\":\"" + NAMESPACE + "." + name + "\"},")
          .toString();
    }

    private static void connect(
        StringBuilder text, RowColumn.Type type, boolean isOptional, String name) {
      text.append("{\"type\":\"")
          .append(
              switch (type) {
                case TEXT -> "string";
                case TIME, WHOLE -> "int64";
                case NUMBER -> "double";
                case TRUTH -> "boolean";
              })
          .append("\",\"optional\":")
          .append(isOptional);
      if (type == RowColumn.Type.TIME) {
        text.append(",\"name\":\"org.apache.kafka.connect.data.Timestamp\",\"version\":1");
      }
      text.append(",\"field\":");
      quoted(text, name);
      text.append("},");
    }

    private static Schema schema(
        String name, List<RowColumn> first, List<String> categories, List<RowColumn> rest) {
      SchemaBuilder.FieldAssembler<Schema> fields =
          SchemaBuilder.record(name).namespace(NAMESPACE).fields();
      Set<String> used = new HashSet<>();
      for (RowColumn column : RowColumn.values()) {
        used.add(column.word());
      }
      for (RowColumn column : first) {
        add(fields, column);
      }
      for (String column : categories) {
        fields =
            fields
                .name(plainName(column, used))
                .type(Schema.create(Schema.Type.STRING))
                .noDefault();
      }
      for (RowColumn column : rest) {
        add(fields, column);
      }
      return fields.endRecord();
    }

    private static void add(SchemaBuilder.FieldAssembler<Schema> fields, RowColumn column) {
      Schema type =
          switch (column.type()) {
            case TEXT -> Schema.create(Schema.Type.STRING);
            case TIME ->
                LogicalTypes.timestampMillis().addToSchema(Schema.create(Schema.Type.LONG));
            case NUMBER -> Schema.create(Schema.Type.DOUBLE);
            case WHOLE -> Schema.create(Schema.Type.LONG);
            case TRUTH -> Schema.create(Schema.Type.BOOLEAN);
          };
      if (isOptional(column)) {
        fields
            .name(column.word())
            .type(Schema.createUnion(Schema.create(Schema.Type.NULL), type))
            .withDefault(null);
      } else {
        fields.name(column.word()).type(type).noDefault();
      }
    }

    /** Avro's names have letters of English, digits and underscores. */
    private static String plainName(String column, Set<String> used) {
      String plain = column.replaceAll("[^A-Za-z0-9_]", "_");
      String name = plain.isEmpty() || Character.isDigit(plain.charAt(0)) ? "_" + plain : plain;
      String free = name;
      for (int number = 2; !used.add(free.toLowerCase(Locale.ROOT)); number++) {
        free = name + "_" + number;
      }
      return free;
    }
  }
}
