// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.frozen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** JSON with all bits of its fractional numbers, the same on every JDK. */
final class ExactJson {
  private static final ObjectMapper JSON = new ObjectMapper();

  private ExactJson() {}

  /** Pretty text with hexadecimal doubles, and without the program's version wherever it stands. */
  static String of(String text) {
    try {
      return exact(JSON.readTree(text)).toPrettyString() + "\n";
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode exact(JsonNode node) {
    if (node.isFloatingPointNumber()) {
      return JSON.getNodeFactory().textNode(Double.toHexString(node.doubleValue()));
    }
    if (node.isArray()) {
      ArrayNode items = JSON.createArrayNode();
      node.forEach(item -> items.add(exact(item)));
      return items;
    }
    if (node.isObject()) {
      ObjectNode fields = JSON.createObjectNode();
      for (Map.Entry<String, JsonNode> field : node.properties()) {
        if (!field.getKey().equals("program")) {
          fields.set(field.getKey(), exact(field.getValue()));
        }
      }
      return fields;
    }
    return node;
  }
}
