// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.bytes.CorruptBytesException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.specific.SpecificData;
import org.apache.avro.specific.SpecificRecord;

/**
 * Public records as plain JSON, for clients without Avro: no union wrappers, times as ISO-8601. The
 * same record always gives the same bytes, whatever Java writes it.
 */
public final class JsonRecords {
  /** Field of an output that names its schema. */
  static final String TYPE = "type";

  private static final ObjectMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  // Java's own text of a double changed with Java 19.
                  .enable(StreamWriteFeature.USE_FAST_DOUBLE_WRITER)
                  .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(10)
                          .maxNumberLength(100)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private JsonRecords() {}

  /** One line of JSON. */
  public static String line(IndexedRecord record) {
    return text(node(record));
  }

  /** One line of JSON that says first which record it is: its schema's name. */
  public static String typedLine(IndexedRecord record) {
    return text(typed(record));
  }

  /**
   * The same, with when it came after its fields.
   *
   * @param at Kafka timestamp
   */
  public static String typedLine(IndexedRecord record, Instant at) {
    return text(typed(record).put("timestamp", at.toString()));
  }

  /** An output: its schema's name first, then its fields. */
  static byte[] encode(SpecificRecord record) {
    return text(typed(record)).getBytes(StandardCharsets.UTF_8);
  }

  private static ObjectNode typed(IndexedRecord record) {
    ObjectNode output = NODES.objectNode().put(TYPE, record.getSchema().getName());
    output.setAll((ObjectNode) node(record));
    return output;
  }

  private static String text(JsonNode node) {
    try {
      return JSON.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("writing to memory failed", e);
    }
  }

  private static JsonNode node(Object value) {
    if (value instanceof IndexedRecord record) {
      ObjectNode object = NODES.objectNode();
      for (Schema.Field field : record.getSchema().getFields()) {
        object.set(field.name(), node(record.get(field.pos())));
      }
      return object;
    }
    if (value instanceof List<?> list) {
      ArrayNode array = NODES.arrayNode();
      list.forEach(item -> array.add(node(item)));
      return array;
    }
    if (value instanceof Number || value instanceof Boolean || value == null) {
      return JSON.valueToTree(value);
    }
    return NODES.textNode(value.toString());
  }

  /** Whether bytes can be a JSON object, and no Avro. */
  static boolean isObject(byte[] bytes) {
    return bytes.length > 0 && bytes[0] == '{';
  }

  /** The name of an output's schema, if it gives one. */
  static Optional<String> type(byte[] bytes) {
    JsonNode type = read(bytes).path(TYPE);
    return type.isTextual() ? Optional.of(type.asText()) : Optional.empty();
  }

  /**
   * Inverse of {@link #encode}. Fields that the schema does not have are passed over, and times are
   * such that milliseconds can count them.
   *
   * @throws CorruptBytesException if they are no such record
   */
  static IndexedRecord decode(byte[] bytes, Schema schema) {
    return ForeignBytes.orCorrupt(
        "not the expected JSON record", () -> (IndexedRecord) value(read(bytes), schema));
  }

  private static JsonNode read(byte[] bytes) {
    return ForeignBytes.orCorrupt("not JSON", () -> JSON.readTree(JsonText.of(bytes)));
  }

  private static Object value(JsonNode node, Schema schema) {
    return switch (schema.getType()) {
      case RECORD -> record(node, schema);
      case UNION ->
          node.isNull()
              ? null
              : value(
                  node,
                  schema.getTypes().stream()
                      .filter(type -> type.getType() != Schema.Type.NULL)
                      .findFirst()
                      .orElseThrow());
      case ARRAY -> {
        require(node.isArray());
        List<Object> items = new ArrayList<>();
        node.forEach(item -> items.add(value(item, schema.getElementType())));
        yield items;
      }
      case STRING -> {
        require(node.isTextual());
        yield node.asText();
      }
      case ENUM -> {
        require(node.isTextual() && schema.hasEnumSymbol(node.asText()));
        yield SpecificData.get().createEnum(node.asText(), schema);
      }
      case LONG -> schema.getLogicalType() == null ? whole(node) : time(node);
      case INT -> {
        require(node.canConvertToInt() && node.isIntegralNumber());
        yield node.asInt();
      }
      case DOUBLE -> {
        require(node.isNumber());
        yield node.asDouble();
      }
      case BOOLEAN -> {
        require(node.isBoolean());
        yield node.asBoolean();
      }
      default -> throw new CorruptBytesException("no public record has such a field");
    };
  }

  private static Object record(JsonNode node, Schema schema) {
    require(node.isObject());
    SpecificRecord record =
        (SpecificRecord) SpecificData.newInstance(SpecificData.get().getClass(schema), schema);
    for (Schema.Field field : schema.getFields()) {
      JsonNode found = node.get(field.name());
      record.put(field.pos(), found == null ? missing(field) : value(found, field.schema()));
    }
    return record;
  }

  private static Object missing(Schema.Field field) {
    return ForeignBytes.orCorrupt(
        "a field is missing", () -> SpecificData.get().getDefaultValue(field));
  }

  private static long whole(JsonNode node) {
    require(node.isIntegralNumber() && node.canConvertToLong());
    return node.asLong();
  }

  /** ISO-8601, or milliseconds since 1970. */
  private static Instant time(JsonNode node) {
    if (node.isIntegralNumber()) {
      return Instant.ofEpochMilli(whole(node));
    }
    require(node.isTextual());
    return ForeignBytes.orCorrupt(
        "a time is neither ISO-8601 nor milliseconds",
        () -> {
          Instant found = Instant.parse(node.asText());
          // Throws where it is millions of years away, which whoever asks for it would not expect.
          found.toEpochMilli();
          return found;
        });
  }

  private static void require(boolean fits) {
    if (!fits) {
      throw new CorruptBytesException("a field is not of its type");
    }
  }
}
