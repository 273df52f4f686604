// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sfumato.record.KeyFormat;
import io.sfumato.serde.RegistryFrame;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Keys of made-up records, in the format that a file reads. */
final class MadeUpKeys {
  private final KeyFormat format;

  /**
   * @throws IllegalArgumentException if nobody but a registry knows the keys' schema
   */
  MadeUpKeys(KeyFormat format) {
    if (format == KeyFormat.AVRO || format == KeyFormat.PROTOBUF) {
      throw new IllegalArgumentException(
          "the keys' schema is in a registry, which the replay does not read; set "
              + "input.key-format: json in a copy of the file and audit that");
    }
    this.format = format;
  }

  /**
   * The key that names somebody.
   *
   * @param name that the format can hold
   * @param path of the field in the key that does; nothing for the whole key
   */
  byte[] of(String name, Optional<String> path) {
    return switch (format) {
      case TEXT, UUID -> utf8(name);
      case INT -> ByteBuffer.allocate(Integer.BYTES).putInt(Integer.parseInt(name)).array();
      case LONG -> ByteBuffer.allocate(Long.BYTES).putLong(Long.parseLong(name)).array();
      case JSON -> utf8(json(name, path).toString());
      case JSON_SCHEMA -> registered(utf8(json(name, path).toString()));
      case AVRO, PROTOBUF -> throw new IllegalStateException("refused before");
    };
  }

  /** A field of the key that has the very name of a path is what the path leads to. */
  private static JsonNode json(String name, Optional<String> path) {
    JsonNodeFactory json = JsonNodeFactory.instance;
    return path.<JsonNode>map(field -> json.objectNode().put(field, name))
        .orElseGet(() -> json.textNode(name));
  }

  /** Behind the id of a schema, which nobody asks for. */
  static byte[] registered(byte[] json) {
    return RegistryFrame.of(1, json);
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
