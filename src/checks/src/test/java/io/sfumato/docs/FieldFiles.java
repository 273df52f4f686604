// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.docs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.YamlText;
import java.util.List;

/** Pipeline files that have the mapping of a field, whatever else they lack. */
final class FieldFiles {
  private static final String PLAIN =
      """
      pipeline: fields
      input: {topic: records, subject: who, user: person, time: at, category: what, values: [x]}
      window: {size: 1d}
      budget: {name: fields, unit: user, epsilon: 1, delta: 1e-6}
      """;

  private FieldFiles() {}

  /**
   * A file for one field, without the field.
   *
   * @param pointer to the field, as JSON Pointer
   */
  static JsonNode with(String pointer) throws Exception {
    ObjectNode file = (ObjectNode) YamlText.read("fields", PLAIN);
    List<String> path = List.of(pointer.substring(1).split("/"));
    JsonNode at = file;
    for (int i = 0; i < path.size() - 1; i++) {
      at = child(at, path.get(i), path.get(i + 1).equals("0"));
    }
    if (pointer.contains("/abc/summaries/")) {
      ((ObjectNode) file.at("/releases/0/abc")).put("distance", "summaries").put("clip", 1);
    }
    if (!pointer.startsWith("/input/categor")) {
      ((ObjectNode) file.at("/input")).putArray("categories").add("a").add("b");
    }
    return file;
  }

  private static JsonNode child(JsonNode parent, String name, boolean isList) {
    if (parent instanceof ArrayNode list) {
      return list.isEmpty() ? list.addObject() : list.get(0);
    }
    ObjectNode mapping = (ObjectNode) parent;
    JsonNode child = mapping.get(name);
    boolean fits = child != null && (isList ? child.isArray() : child.isObject());
    if (fits) {
      return child;
    }
    return isList ? mapping.putArray(name) : mapping.putObject(name);
  }
}
