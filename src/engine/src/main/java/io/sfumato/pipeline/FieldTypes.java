// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sfumato.pipeline.ValueType.Shape;
import io.sfumato.pipeline.ValueType.Text;
import java.util.List;
import java.util.regex.Pattern;

/** Types of values that several fields of the pipeline file have. */
public final class FieldTypes {
  /** Of pipelines, budgets, ledgers and outputs. */
  public static final Text NAME =
      new Text(
          Pattern.compile("[a-z][a-z0-9-]{0,62}"),
          "lower-case letters, digits and '-', a letter first");

  /** Of Kafka topics. */
  public static final Text TOPIC =
      new Text(
          Pattern.compile("[a-zA-Z0-9._-]{1,200}"),
          "a Kafka topic: letters, digits, '.', '_' and '-'");

  private static final Pattern FIELD = Pattern.compile("\\S(.{0,198}\\S)?");

  private static final String RECORD_FIELD = "the name of a field in the records";

  private FieldTypes() {}

  /**
   * A text without blanks at its ends.
   *
   * @param allowed in words
   */
  public static Text text(String allowed) {
    return new Text(FIELD, allowed);
  }

  /**
   * The name of a field in the records, or a path to it.
   *
   * @param others what else it may be, with a comma before; or empty
   */
  public static Text recordField(String others) {
    return text(RECORD_FIELD + others);
  }

  /** A list of different texts. */
  public static Shape texts(int fewest, int most) {
    return list(ListField.allowedTexts(fewest, most), texts(), fewest, most);
  }

  /** A list of numbers. */
  public static Shape numbers(String allowed) {
    return new Shape(allowed, array(type("number")));
  }

  /** Two numbers, the lower one first. */
  public static Shape range(String allowed) {
    return new Shape(allowed, range());
  }

  /** JSON Schema of two numbers. */
  public static ObjectNode range() {
    return array(type("number")).put("minItems", 2).put("maxItems", 2);
  }

  /** A list of mappings. */
  public static Shape mappings(String allowed, Section each) {
    return new Shape(allowed, array(each.schema())).part("[]", each);
  }

  /** A list of mappings that have one field each. */
  public static Shape choices(String allowed, Section each) {
    ObjectNode one = each.schema().put("minProperties", 1).put("maxProperties", 1);
    return new Shape(allowed, array(one)).part("[]", each);
  }

  /** One of several. */
  public static Shape either(String allowed, ObjectNode... schemas) {
    return new Shape(allowed, anyOf(List.of(schemas)));
  }

  /** JSON Schema of one of several. */
  public static ObjectNode anyOf(List<ObjectNode> schemas) {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.putArray("anyOf").addAll(schemas);
    return schema;
  }

  private static Shape list(String allowed, ObjectNode item, int fewest, int most) {
    return new Shape(allowed, array(item).put("minItems", fewest).put("maxItems", most));
  }

  /** JSON Schema of a type. */
  public static ObjectNode type(String name) {
    return JsonNodeFactory.instance.objectNode().put("type", name);
  }

  /** JSON Schema of a text, or a whole number that is taken as one. */
  public static ObjectNode texts() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.putArray("type").add("string").add("integer");
    return schema.put("minLength", 1);
  }

  /** JSON Schema of a text, number or truth value. */
  public static ObjectNode plain() {
    ObjectNode schema = JsonNodeFactory.instance.objectNode();
    schema.putArray("type").add("string").add("number").add("boolean");
    return schema;
  }

  /** JSON Schema of a list. */
  public static ObjectNode array(ObjectNode items) {
    ObjectNode schema = type("array");
    schema.set("items", items);
    return schema;
  }

  /** JSON Schema of a mapping whose names are the file's own. */
  public static ObjectNode map(ObjectNode values) {
    ObjectNode schema = type("object");
    schema.set("additionalProperties", values);
    return schema;
  }
}
