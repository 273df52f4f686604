// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import io.sfumato.record.Decimals;
import io.sfumato.serde.ProtobufTypes.Known;
import java.math.BigInteger;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;

/**
 * A Protobuf message as a tree: its names, numbers and times as a pipeline reads them. Maps are
 * left out: their keys are data, and who looks at a topic sees names of fields alone.
 */
final class ProtobufTree {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

  private ProtobufTree() {}

  /** Of a record that names its schema and message. */
  static ObjectNode of(RegisteredSchema.Protobuf schema, byte[] framed)
      throws RejectedRecordException {
    MessageIndexes indexes = MessageIndexes.in(framed);
    Descriptor type = indexes.of(schema.file(), framed);
    return of(type, ProtobufDecoder.message(framed, indexes.end(), type, ProtobufWanted.ALL));
  }

  private static ObjectNode of(Descriptor type, ProtobufMessage message) {
    ObjectNode tree = NODES.objectNode();
    for (FieldDescriptor field : type.getFields()) {
      Object value = message.get(field);
      if (value != null) {
        node(field, value).ifPresent(node -> tree.set(field.getName(), node));
      }
    }
    return tree;
  }

  private static Optional<JsonNode> node(FieldDescriptor field, Object value) {
    if (field.isMapField()) {
      return Optional.empty();
    }
    if (field.isRepeated()) {
      ArrayNode items = NODES.arrayNode();
      ((List<?>) value).forEach(item -> items.add(one(field, item).orElse(NODES.nullNode())));
      return Optional.of(items);
    }
    return one(field, value);
  }

  /** Nothing of what a pipeline cannot read either. */
  private static Optional<JsonNode> one(FieldDescriptor field, Object value) {
    return switch (field.getType()) {
      case FLOAT -> Decimals.of((float) value).map(NODES::numberNode);
      case DOUBLE -> Decimals.of((double) value).map(NODES::numberNode);
      case BOOL -> Optional.of(NODES.booleanNode((boolean) value));
      case UINT64, FIXED64 ->
          Optional.of(NODES.numberNode(new BigInteger(Long.toUnsignedString((long) value))));
      case INT32, SINT32, UINT32, FIXED32, SFIXED32, INT64, SINT64, SFIXED64 ->
          Optional.of(NODES.numberNode((long) value));
      case MESSAGE, GROUP -> message(field, (ProtobufMessage) value);
      case STRING, ENUM, BYTES -> name(new ProtobufValue(field), value);
    };
  }

  private static Optional<JsonNode> name(ProtobufValue read, Object value) {
    return read.isUndeclared(value)
        ? Optional.empty()
        : Optional.ofNullable(read.name(value)).map(NODES::textNode);
  }

  private static Optional<JsonNode> message(FieldDescriptor field, ProtobufMessage value) {
    Descriptor type = field.getMessageType();
    Optional<FieldDescriptor> wrapped = ProtobufTypes.wrapped(type);
    if (wrapped.isPresent()) {
      return one(wrapped.get(), value.get(wrapped.get()));
    }
    Optional<Known> known = Known.of(type);
    if (known.isEmpty()) {
      return Optional.of(of(type, value));
    }
    return switch (known.get()) {
      case TIMESTAMP ->
          ProtobufTime.millis(type, value)
              .map(Instant::ofEpochMilli)
              .map(time -> NODES.textNode(time.toString()));
      case DATE ->
          ProtobufTime.date(type, value)
              .map(LocalDate::atStartOfDay)
              .map(time -> NODES.textNode(time.toString()));
      case DECIMAL -> name(new ProtobufValue(field), value);
    };
  }
}
