// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads a mapping of any names to plain values. */
public final class PlainValues {
  private PlainValues() {}

  /** None if the field is not there; what is wrong is told. */
  public static Map<String, String> of(Fields fields, String name) {
    Map<String, String> values = new LinkedHashMap<>();
    JsonNode child = fields.child(name);
    if (child.isMissingNode()) {
      return values;
    }
    if (!child.isObject()) {
      fields.problem(
          name, "found " + Fields.shown(child), "a mapping of Kafka properties to values");
    }
    child
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                values.put(field.getKey(), field.getValue().asText());
              } else {
                fields.problem(
                    name + "." + field.getKey(),
                    "found " + Fields.shown(field.getValue()),
                    "a plain value");
              }
            });
    return values;
  }
}
