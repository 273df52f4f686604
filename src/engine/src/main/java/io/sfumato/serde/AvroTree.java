// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.record.Decimals;
import io.sfumato.record.TimeReader;
import io.sfumato.serde.AvroValue.As;
import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/** An Avro record as a tree: its names, numbers and times as a pipeline reads them. */
final class AvroTree {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private AvroTree() {}

  static ObjectNode of(GenericRecord record) {
    ObjectNode tree = NODES.objectNode();
    for (Schema.Field field : record.getSchema().getFields()) {
      node(field.schema(), record.get(field.pos())).ifPresent(node -> tree.set(field.name(), node));
    }
    return tree;
  }

  /** Nothing of what a pipeline cannot read either. */
  private static Optional<JsonNode> node(Schema declared, Object value) {
    if (value == null) {
      return Optional.empty();
    }
    Schema schema = AvroPlace.typeOf(declared, value);
    if (AvroTime.isCounted(schema)) {
      return Optional.of(NODES.textNode(AvroTime.shown(schema, value)));
    }
    AvroValue read = new AvroValue(schema);
    return switch (schema.getType()) {
      case INT, LONG -> Optional.of(NODES.numberNode(((Number) value).longValue()));
      case FLOAT -> Decimals.of((float) value).map(NODES::numberNode);
      case DOUBLE -> Decimals.of((double) value).map(NODES::numberNode);
      case BOOLEAN -> Optional.of(NODES.booleanNode((boolean) value));
      case ARRAY -> Optional.of(array(schema.getElementType(), (List<?>) value));
      default -> {
        if (read.canBe(As.NAME, TimeReader.auto())) {
          yield Optional.ofNullable(read.name(value)).map(NODES::textNode);
        }
        yield value instanceof GenericRecord record ? Optional.of(of(record)) : Optional.empty();
      }
    };
  }

  private static ArrayNode array(Schema of, List<?> items) {
    ArrayNode array = NODES.arrayNode();
    for (Object item : items) {
      array.add(node(of, item).orElse(NODES.nullNode()));
    }
    return array;
  }
}
