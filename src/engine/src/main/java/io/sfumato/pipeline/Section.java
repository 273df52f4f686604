// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A mapping of the pipeline file: which fields it may have.
 *
 * @param meaning a sentence or two
 * @param fields in the order in which people read them
 */
public record Section(String meaning, List<FieldSpec<?>> fields) {
  /**
   * @throws IllegalArgumentException if two fields have one name
   */
  public Section {
    fields = List.copyOf(fields);
    if (fields.stream().map(FieldSpec::name).distinct().count() < fields.size()) {
      throw new IllegalArgumentException("two fields of one name: " + names(fields));
    }
  }

  /** With these fields. */
  public static Section of(String meaning, FieldSpec<?>... fields) {
    return new Section(meaning, List.of(fields));
  }

  /** The same with other fields before its own. */
  public Section after(List<FieldSpec<?>> first) {
    List<FieldSpec<?>> all = new ArrayList<>(first);
    all.addAll(fields);
    return new Section(meaning, all);
  }

  /** The field of a name. */
  public Optional<FieldSpec<?>> field(String name) {
    return fields.stream()
        .<FieldSpec<?>>map(field -> field)
        .filter(field -> field.name().equals(name))
        .findFirst();
  }

  /** As JSON Schema: a closed object. */
  public ObjectNode schema() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "object");
    schema.put("description", meaning);
    ObjectNode properties = schema.putObject("properties");
    ArrayNode required = JsonNodeFactory.instance.arrayNode();
    for (FieldSpec<?> field : fields) {
      properties.set(field.name(), property(field));
      if (field.unset().isRequired()) {
        required.add(field.name());
      }
    }
    if (!required.isEmpty()) {
      schema.set("required", required);
    }
    return schema.put("additionalProperties", false);
  }

  private static ObjectNode property(FieldSpec<?> field) {
    ObjectNode schema = field.type().schema();
    schema.put("description", field.described());
    return schema;
  }

  private static List<String> names(List<FieldSpec<?>> fields) {
    return fields.stream().<String>map(FieldSpec::name).toList();
  }
}
