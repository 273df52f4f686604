package io.sfumato.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.IndexedRecord;

/** Plain JSON of a public record: no union wrappers, times as ISO-8601. */
public final class AvroJson {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AvroJson() {}

  /** One line of JSON. */
  public static String line(IndexedRecord record) {
    return node(record).toString();
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
}
