// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads one mapping of the file field by field, as its {@link Section} declares them. Problems are
 * gathered, not thrown one at a time; what was never asked for is unknown, hence refused.
 */
public final class Fields {
  private static final int SHOWN = 60;

  private final JsonNode node;
  private final String path;
  private final Problems problems;
  private final Set<String> known = new LinkedHashSet<>();

  /** What the mapping may have; nothing where names are the file's own. */
  private final Optional<Section> section;

  /**
   * The whole file.
   *
   * @param section what it may have
   */
  public Fields(JsonNode file, Section section, Problems problems) {
    this(file, "", Optional.of(section), problems);
  }

  private Fields(JsonNode node, String path, Optional<Section> section, Problems problems) {
    this.node = node;
    this.section = section;
    this.path = path;
    this.problems = problems;
    if (!node.isObject() && !node.isMissingNode()) {
      problems.unreadable(
          (path.isEmpty() ? "the file" : "field '" + path + "'")
              + ": found "
              + shown(node)
              + ", allowed is a mapping of fields");
    }
  }

  /** A nested mapping, which a file may have to have. */
  public Fields section(FieldSpec<Section> field) {
    JsonNode child = child(field.name());
    if (child.isMissingNode() && field.unset().isRequired()) {
      problem(field.name(), "is missing", field.type().allowed());
    }
    return new Fields(child, at(field.name()), Optional.of(field.type().placeholder()), problems);
  }

  /** A nested mapping that must be there, and whose fields have names of the file's own. */
  public Fields open(String name) {
    JsonNode child = child(name);
    if (child.isMissingNode()) {
      problem(name, "is missing", "a mapping of fields");
    }
    return new Fields(child, at(name), Optional.empty(), problems);
  }

  /** Whether a field is there, whatever else is: what is wrong with it by itself is told. */
  public boolean has(String name) {
    JsonNode child = child(name);
    section
        .flatMap(fields -> fields.field(name))
        .filter(field -> !child.isMissingNode())
        .ifPresent(field -> read(field, child));
    return !child.isMissingNode();
  }

  /** Whether a field is there, whatever else is: what is wrong with it by itself is told. */
  public boolean has(FieldSpec<?> field) {
    return has(field.name());
  }

  /** Whether a field, or {@code one.within} it, is there, without making it a known one. */
  public boolean mentions(String name) {
    return !node.at(pointer(name)).isMissingNode();
  }

  /**
   * A mapping somewhere below, which {@link #mentions} told of, without making anything a known
   * one.
   *
   * @param below its path from here, with points
   * @param each what it may have
   */
  public Fields within(String below, Section each) {
    return new Fields(node.at(pointer(below)), at(below), Optional.of(each), problems);
  }

  private static String pointer(String below) {
    return "/" + below.replace('.', '/');
  }

  /** Whether a field is this very word; then it is a known one. */
  public boolean says(String name, String word) {
    boolean said = node.path(name).isTextual() && node.path(name).asText().equals(word);
    if (said) {
      known.add(name);
    }
    return said;
  }

  /** Whether a field is a list; it stays unknown until it is read. */
  public boolean isList(String name) {
    return node.path(name).isArray();
  }

  /** Whether a field is a mapping; it stays unknown until it is read. */
  boolean isMapping(String name) {
    return node.path(name).isObject();
  }

  /** The value of a field, or what holds where the file does not have it. */
  public <T> T get(FieldSpec<T> field) {
    return optional(field)
        .orElseGet(() -> missing(field.name(), field.type().allowed(), field.type().placeholder()));
  }

  /** The value of a field; nothing where the file does not have it and no other holds. */
  public <T> Optional<T> optional(FieldSpec<T> field) {
    JsonNode child = child(field.name());
    return child.isMissingNode() ? field.unset().value() : Optional.of(read(field, child));
  }

  private <T> T read(FieldSpec<T> field, JsonNode found) {
    ValueType<T> type = field.type();
    Optional<T> read = type.read(found);
    if (read.isEmpty()) {
      problem(field.name(), "found " + shown(found), type.allowed() + type.hint(found));
    }
    return read.orElseGet(type::placeholder);
  }

  /** The value of a whole number that a file may leave out. */
  public OptionalInt count(FieldSpec<Integer> field) {
    return optional(field).stream().mapToInt(Integer::intValue).findFirst();
  }

  /** How many fields of the file could not be read so far. */
  int unreadable() {
    return problems.unreadable();
  }

  /** A field that is a list. */
  public ListField list(FieldSpec<?> field) {
    return list(field.name());
  }

  /** A field that is a list. */
  public ListField list(String name) {
    return new ListField(this, child(name), name);
  }

  /**
   * One mapping of a list.
   *
   * @param each what a mapping may have
   */
  public Fields item(String name, int place, JsonNode item, Section each) {
    return new Fields(item, at(name) + "[" + place + "]", Optional.of(each), problems);
  }

  /** What cannot be read. */
  public void problem(String name, String found, String allowed) {
    problems.unreadable(worded(name, found, allowed));
  }

  /** What may be right by itself, and does not fit other fields. */
  public void conflict(String name, String found, String allowed) {
    problems.conflict(worded(name, found, allowed));
  }

  private String worded(String name, String found, String allowed) {
    return "field '" + at(name) + "': " + found + ", allowed is " + allowed;
  }

  /** Refuses a field that no section declares, in other words than an unknown one. */
  public void refuse(String name, String found, String allowed) {
    if (node.has(name)) {
      known.add(name);
      conflict(name, found, allowed);
    }
  }

  /** Refuses every field that nobody asked for. Call last. */
  public void refuseUnknown() {
    for (String name : names()) {
      if (!known.contains(name)) {
        problems.unknown(
            "field '" + at(name) + "': unknown, allowed are " + String.join(", ", known));
      }
    }
  }

  <T> T missing(String name, String allowed, T placeholder) {
    // What is no mapping has been told as that.
    if (node.isObject() || node.isMissingNode()) {
      problem(name, "is missing", allowed);
    }
    return placeholder;
  }

  JsonNode child(String name) {
    if (section.filter(fields -> fields.field(name).isEmpty()).isPresent()) {
      throw new IllegalStateException("field '" + at(name) + "' is read and not declared");
    }
    known.add(name);
    return node.path(name);
  }

  private String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  /** Whether this is no mapping with fields, or has unknown ones: both have been told. */
  public boolean wasTold() {
    return !node.isObject() || !known.containsAll(names());
  }

  private List<String> names() {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** What keeps the file from being read though the file is right. Told before all else. */
  public void problemBeside(String problem) {
    problems.unknown(problem);
  }

  /** A problem of this mapping itself. */
  public void problemHere(String found, String allowed) {
    problems.unreadable("field '" + path + "': " + found + ", allowed is " + allowed);
  }

  /** What stands in a field, for {@link #problem}. */
  public String found(String name) {
    return "found " + shown(child(name));
  }

  static String shown(JsonNode node) {
    if (node.isContainerNode()) {
      return node.isArray() ? "a list" : "a mapping";
    }
    String text = "'" + node.asText() + "'";
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…'" : text;
  }
}
