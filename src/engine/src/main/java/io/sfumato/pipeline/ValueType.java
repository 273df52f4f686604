// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.regex.Pattern;

/**
 * What a field of the pipeline file may hold. Readers check values by it, and the reference and the
 * JSON Schema describe it.
 *
 * @param <T> value in Java
 */
public sealed interface ValueType<T> {
  /** In words, as they follow "allowed is". */
  String allowed();

  /** The value of a node that is there; nothing where it is not allowed. */
  Optional<T> read(JsonNode node);

  /** Takes the place of a value that is not allowed, so that the file's other problems show. */
  T placeholder();

  /** As JSON Schema. */
  ObjectNode schema();

  /** What else is wrong with a node that is not allowed, for the message. */
  default String hint(JsonNode node) {
    return "";
  }

  /** Text that a pattern matches from end to end. */
  record Text(Pattern pattern, String allowed) implements ValueType<String> {
    @Override
    public Optional<String> read(JsonNode node) {
      return Optional.of(node)
          .filter(value -> value.isValueNode() && !value.isNull())
          .map(JsonNode::asText)
          .filter(text -> pattern.matcher(text).matches());
    }

    @Override
    public String placeholder() {
      return "x";
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = JsonNodeFactory.instance.objectNode();
      ArrayNode types = schema.putArray("type").add("string");
      // YAML takes some texts for a number or a truth value.
      if (pattern.matcher("1").matches()) {
        types.add("number");
      }
      if (pattern.matcher("true").matches()) {
        types.add("boolean");
      }
      return schema.put("pattern", "^(?:" + pattern.pattern() + ")$");
    }
  }

  /**
   * One of a closed set of words.
   *
   * @param meanings of words that need one
   */
  record Word<T>(Map<String, T> words, Map<String, String> meanings) implements ValueType<T> {
    /**
     * @throws IllegalArgumentException if a meaning is of no word
     */
    public Word {
      if (!words.keySet().containsAll(meanings.keySet())) {
        throw new IllegalArgumentException("meanings of " + meanings.keySet() + ", not of words");
      }
    }

    /** Words that explain themselves. */
    public Word(Map<String, T> words) {
      this(words, Map.of());
    }

    /** The same words, one of them explained. */
    public Word<T> means(String word, String meaning) {
      Map<String, String> all = new LinkedHashMap<>(meanings);
      all.put(word, meaning);
      return new Word<>(words, all);
    }

    @Override
    public String allowed() {
      return "one of " + String.join(", ", words.keySet());
    }

    @Override
    public Optional<T> read(JsonNode node) {
      return Optional.ofNullable(words.get(node.asText()));
    }

    @Override
    public T placeholder() {
      return words.values().iterator().next();
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = JsonNodeFactory.instance.objectNode();
      for (String word : words.keySet()) {
        ObjectNode each = schema.withArray("oneOf").addObject();
        if (word.equals("true") || word.equals("false")) {
          each.putArray("enum").add(Boolean.parseBoolean(word)).add(word);
        } else {
          each.put("const", word);
        }
        Optional.ofNullable(meanings.get(word)).ifPresent(what -> each.put("description", what));
      }
      return schema;
    }
  }

  /** A whole number from {@code lowest} to {@code highest}, both allowed. */
  record Whole<T>(long lowest, long highest, LongFunction<T> type) implements ValueType<T> {
    @Override
    public String allowed() {
      return lowest == highest
          ? "nothing but %d".formatted(lowest)
          : "a whole number from " + lowest + " to " + highest;
    }

    @Override
    public Optional<T> read(JsonNode node) {
      return node.isIntegralNumber()
              && node.canConvertToLong()
              && node.asLong() >= lowest
              && node.asLong() <= highest
          ? Optional.of(type.apply(node.asLong()))
          : Optional.empty();
    }

    @Override
    public String hint(JsonNode node) {
      return node.isNumber() && !node.isIntegralNumber() ? ", without a point" : "";
    }

    @Override
    public T placeholder() {
      return type.apply(lowest);
    }

    @Override
    public ObjectNode schema() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("type", "integer")
          .put("minimum", lowest)
          .put("maximum", highest);
    }
  }

  /**
   * A decimal number, which keeps its digits.
   *
   * @param type throws an IllegalArgumentException at a number that is not allowed
   * @param range of numbers that are allowed
   */
  record Decimal<T>(String allowed, Range range, Function<BigDecimal, T> type, T placeholder)
      implements ValueType<T> {
    @Override
    public Optional<T> read(JsonNode node) {
      try {
        return Optional.of(new BigDecimal(node.asText())).filter(range::contains).map(type);
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    @Override
    public ObjectNode schema() {
      ObjectNode schema = JsonNodeFactory.instance.objectNode();
      schema.putArray("type").add("number").add("string");
      schema.put(range.isOpen() ? "exclusiveMinimum" : "minimum", range.lowest());
      range.highest().ifPresent(highest -> schema.put("maximum", highest));
      range.below().ifPresent(below -> schema.put("exclusiveMaximum", below));
      return schema.put("pattern", "^[+-]?[0-9]*\\.?[0-9]+(?:[eE][+-]?[0-9]+)?$");
    }
  }

  /**
   * From which number to which.
   *
   * @param isOpen whether the lowest one is not in it
   * @param highest the largest one; or nothing
   * @param below all of them lie below; or nothing
   */
  record Range(double lowest, boolean isOpen, OptionalDouble highest, OptionalDouble below) {
    /** Above 0, up to a largest one. */
    public static Range above0(double highest) {
      return new Range(0, true, OptionalDouble.of(highest), OptionalDouble.empty());
    }

    /** Above 0, or from 0 on; below 1. */
    public static Range below1(boolean isOpen) {
      return new Range(0, isOpen, OptionalDouble.empty(), OptionalDouble.of(1));
    }

    boolean contains(BigDecimal number) {
      int above = number.compareTo(BigDecimal.valueOf(lowest));
      return (isOpen ? above > 0 : above >= 0)
          && (highest.isEmpty() || number.compareTo(BigDecimal.valueOf(highest.getAsDouble())) <= 0)
          && (below.isEmpty() || number.compareTo(BigDecimal.valueOf(below.getAsDouble())) < 0);
    }
  }

  /** A length of time of at least {@code lowest}. */
  record Length(Duration lowest) implements ValueType<Duration> {
    @Override
    public String allowed() {
      return "a length of time such as 500ms, 5s, 15m, 1h, 7d, 2w, at least "
          + Durations.word(lowest);
    }

    @Override
    public Optional<Duration> read(JsonNode node) {
      return Durations.parse(node.asText()).filter(length -> length.compareTo(lowest) >= 0);
    }

    @Override
    public Duration placeholder() {
      return lowest.isZero() ? Duration.ofDays(1) : lowest;
    }

    @Override
    public ObjectNode schema() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("type", "string")
          .put("pattern", "^(?:[0-9]{1,9}(?:ms|s|m|h|d|w)|[+]?[Pp].+)$");
    }
  }

  /** A length of time of at least {@code lowest}, or some months of the calendar. */
  record LengthOrMonths(Duration lowest) implements ValueType<CalendarLength> {
    @Override
    public String allowed() {
      return "a length of time such as 15m, 6h, 1d, 2w, or with 'window.zone' months: 3mo; at least "
          + Durations.word(lowest);
    }

    @Override
    public Optional<CalendarLength> read(JsonNode node) {
      return CalendarLength.parse(node.asText())
          .filter(length -> length.isMonths() || length.time().compareTo(lowest) >= 0);
    }

    @Override
    public CalendarLength placeholder() {
      return CalendarLength.of(lowest);
    }

    @Override
    public ObjectNode schema() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("type", "string")
          .put("pattern", "^(?:[0-9]{1,9}(?:ms|s|m|h|d|w)|[1-9][0-9]{0,3}mo|[+]?[Pp].+)$");
    }
  }

  /** A mapping of fields. */
  record Mapping(Section section) implements ValueType<Section> {
    @Override
    public String allowed() {
      return "a mapping of fields";
    }

    @Override
    public Optional<Section> read(JsonNode node) {
      return Optional.of(section).filter(mapping -> node.isObject());
    }

    @Override
    public Section placeholder() {
      return section;
    }

    @Override
    public ObjectNode schema() {
      return section.schema();
    }
  }

  /**
   * What a reader of its own reads: lists, and what may be written in several ways.
   *
   * @param schema what of it JSON Schema can say
   * @param parts sections within it, by what follows the field's name in their paths
   */
  record Shape(String allowed, ObjectNode schema, Map<String, Section> parts)
      implements ValueType<JsonNode> {
    /** Without sections in it. */
    public Shape(String allowed, ObjectNode schema) {
      this(allowed, schema, Map.of());
    }

    /** The same with a section in it. */
    public Shape part(String suffix, Section section) {
      Map<String, Section> all = new LinkedHashMap<>(parts);
      all.put(suffix, section);
      return new Shape(allowed, schema, all);
    }

    @Override
    public Optional<JsonNode> read(JsonNode node) {
      return Optional.of(node).filter(value -> isOfType(schema, value));
    }

    private static boolean isOfType(JsonNode schema, JsonNode node) {
      if (schema.has("anyOf")) {
        return schema.get("anyOf").valueStream().anyMatch(each -> isOfType(each, node));
      }
      JsonNode type = schema.path("type");
      return type.isArray()
          ? type.valueStream().anyMatch(each -> isOfType(each.asText(), schema, node))
          : isOfType(type.asText(), schema, node);
    }

    private static boolean isOfType(String type, JsonNode schema, JsonNode node) {
      return switch (type) {
        case "array" ->
            node.isArray()
                && node.valueStream().allMatch(item -> isOfType(schema.path("items"), item));
        case "object" -> node.isObject();
        case "integer" -> node.isIntegralNumber();
        case "number" -> node.isNumber();
        default -> node.isValueNode();
      };
    }

    @Override
    public JsonNode placeholder() {
      return JsonNodeFactory.instance.missingNode();
    }

    @Override
    public ObjectNode schema() {
      return schema.deepCopy();
    }
  }
}
