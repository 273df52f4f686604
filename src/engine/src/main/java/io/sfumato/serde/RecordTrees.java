// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.serde;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.InputSpec.Format;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/**
 * Records of a topic as trees of fields, whatever format they have, for whoever looks at a topic
 * before there is a pipeline. What cannot be read is counted, never quoted. Not for several
 * threads.
 */
public final class RecordTrees {
  static {
    AvroTrust.establish();
  }

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final SchemaSource schemas;
  private final boolean asked;
  private final Map<Format, Long> formats = new EnumMap<>(Format.class);
  private long registered;
  private long others;

  /**
   * @param schemas of a registry
   * @param asked whether there is a registry
   */
  public RecordTrees(SchemaSource schemas, boolean asked) {
    this.schemas = schemas;
    this.asked = asked;
  }

  /** Of topics of JSON alone. */
  public static RecordTrees ofJson() {
    return new RecordTrees(SchemaSource.none(), false);
  }

  /**
   * A record's fields.
   *
   * @return nothing if it has none that can be read
   * @throws SchemasUnavailableException if the registry does not answer
   */
  public Optional<ObjectNode> of(byte[] value) {
    if (value == null || value.length == 0) {
      return Optional.empty();
    }
    return RegistryFrame.hasContent(value) ? registered(value) : json(value, 0, Format.JSON, false);
  }

  private Optional<ObjectNode> registered(byte[] value) {
    Optional<RegisteredSchema> schema = schemas.ofAnyType(RegistryFrame.schemaId(value));
    if (schema.isPresent() && schema.get() instanceof RegisteredSchema.Avro avro) {
      return counted(ForeignBytes.ifReadable(() -> avro(avro.schema(), value)), Format.AVRO, true);
    }
    if (schema.isPresent() && schema.get() instanceof RegisteredSchema.Protobuf protobuf) {
      return counted(
          ForeignBytes.ifReadable(() -> ProtobufTree.of(protobuf, value)), Format.PROTOBUF, true);
    }
    return json(value, RegistryFrame.HEADER, Format.JSON_SCHEMA, true);
  }

  private static ObjectNode avro(Schema schema, byte[] value) throws Exception {
    return AvroTree.of(
        (GenericRecord) new StrictDatumReader(schema, schema).whole(value, RegistryFrame.HEADER));
  }

  private Optional<ObjectNode> json(byte[] value, int from, Format format, boolean behindId) {
    Optional<ObjectNode> tree =
        ForeignBytes.<JsonNode>ifReadable(() -> JSON.readTree(JsonText.of(value, from)))
            .filter(ObjectNode.class::isInstance)
            .map(ObjectNode.class::cast);
    return counted(tree, format, behindId);
  }

  private Optional<ObjectNode> counted(Optional<ObjectNode> tree, Format format, boolean behindId) {
    if (tree.isPresent()) {
      formats.merge(format, 1L, Long::sum);
    } else if (behindId) {
      registered++;
    } else {
      others++;
    }
    return tree;
  }

  /** The format of most records that could be read. */
  public Optional<Format> format() {
    return formats.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
  }

  /** What could not be read, in one sentence; nothing if all could. */
  public Optional<String> unread() {
    if (registered > 0) {
      return Optional.of(
          "%,d records start with a schema id, but %s"
              .formatted(
                  registered,
                  asked
                      ? "the registry has no usable schema for it, or they are not of that schema"
                      : "no registry is configured: set schema.registry.url in a file passed with --config"));
    }
    return others > 0
        ? Optional.of(
            "%,d records are neither JSON objects nor records of a schema registry"
                .formatted(others))
        : Optional.empty();
  }
}
