// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * Reads one mapping of the file field by field. Problems are gathered, not thrown one at a time;
 * what was never asked for is unknown, hence refused.
 */
public final class Fields {
  private static final int SHOWN = 60;

  private final JsonNode node;
  private final String path;
  private final Problems problems;
  private final Set<String> known = new LinkedHashSet<>();

  public Fields(JsonNode node, String path, Problems problems) {
    this.node = node;
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

  /** A nested mapping that must be there. */
  public Fields section(String name) {
    JsonNode child = child(name);
    if (child.isMissingNode()) {
      problem(name, "is missing", "a mapping of fields");
    }
    return new Fields(child, at(name), problems);
  }

  /** A nested mapping all of whose fields have defaults. */
  public Fields optionalSection(String name) {
    return new Fields(child(name), at(name), problems);
  }

  /** Whether a field is there; it is a known one from then on. */
  public boolean has(String name) {
    return !child(name).isMissingNode();
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
   */
  public Fields within(String below) {
    return new Fields(node.at(pointer(below)), at(below), problems);
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

  /** A text that must be there and match a pattern. */
  public String text(String name, Pattern allowed, String description) {
    return optionalText(name, allowed, description)
        .orElseGet(() -> missing(name, description, "x"));
  }

  /** A text that must match a pattern where it is there. */
  public Optional<String> optionalText(String name, Pattern allowed, String description) {
    JsonNode child = child(name);
    if (child.isMissingNode()) {
      return Optional.empty();
    }
    if (!child.isValueNode() || child.isNull() || !allowed.matcher(child.asText()).matches()) {
      problem(name, "found " + shown(child), description);
      return Optional.of("x");
    }
    return Optional.of(child.asText());
  }

  /** One of a closed set of words. */
  public <T> T choice(String name, Map<String, T> words, Optional<T> fallback) {
    JsonNode child = child(name);
    String allowed = "one of " + String.join(", ", words.keySet());
    T first = words.values().iterator().next();
    if (child.isMissingNode()) {
      return fallback.orElseGet(() -> missing(name, allowed, first));
    }
    T chosen = words.get(child.asText());
    if (chosen == null) {
      problem(name, "found " + shown(child), allowed);
      return first;
    }
    return chosen;
  }

  /** A whole number from {@code lowest} to {@code highest}, both allowed. */
  public long whole(String name, long lowest, long highest, Optional<Long> fallback) {
    JsonNode child = child(name);
    String allowed =
        lowest == highest
            ? "nothing but %d".formatted(lowest)
            : "a whole number from " + lowest + " to " + highest;
    if (child.isMissingNode()) {
      return fallback.orElseGet(() -> missing(name, allowed, lowest));
    }
    if (!child.isIntegralNumber()
        || !child.canConvertToLong()
        || child.asLong() < lowest
        || child.asLong() > highest) {
      problem(
          name,
          "found " + shown(child),
          child.isNumber() && !child.isIntegralNumber() ? allowed + ", without a point" : allowed);
      return lowest;
    }
    return child.asLong();
  }

  /** A decimal number, kept exactly as written, turned into a type that checks its range. */
  public <T> T decimal(String name, String allowed, Function<BigDecimal, T> type, T placeholder) {
    JsonNode child = child(name);
    if (child.isMissingNode()) {
      return missing(name, allowed, placeholder);
    }
    try {
      return type.apply(new BigDecimal(child.asText()));
    } catch (IllegalArgumentException e) {
      problem(name, "found " + shown(child), allowed);
      return placeholder;
    }
  }

  /** A number above 0 and at most 1e12. */
  public double above0(String name, Optional<Double> fallback) {
    if (!has(name) && fallback.isPresent()) {
      return fallback.get();
    }
    return decimal(
        name,
        "a number above 0, at most 1e12",
        value -> {
          double number = value.doubleValue();
          if (!(number > 0 && number <= 1e12)) {
            throw new IllegalArgumentException("out of range");
          }
          return number;
        },
        1.0);
  }

  /** How many fields of the file could not be read so far. */
  int unreadable() {
    return problems.unreadable();
  }

  /** A length of time of at least {@code lowest}. */
  public Duration duration(String name, Duration lowest, Optional<Duration> fallback) {
    JsonNode child = child(name);
    String allowed =
        "a length of time such as 500ms, 5s, 15m, 1h, 7d, at least " + Durations.word(lowest);
    if (child.isMissingNode()) {
      return fallback.orElseGet(() -> missing(name, allowed, lowest));
    }
    Optional<Duration> parsed = Durations.parse(child.asText());
    if (parsed.isEmpty() || parsed.get().compareTo(lowest) < 0) {
      problem(name, "found " + shown(child), allowed);
      return lowest.isZero() ? Duration.ofDays(1) : lowest;
    }
    return parsed.get();
  }

  /** A field that is a list. */
  public ListField list(String name) {
    return new ListField(this, child(name), name);
  }

  /** One mapping of a list. */
  public Fields item(String name, int place, JsonNode item) {
    return new Fields(item, at(name) + "[" + place + "]", problems);
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
    String text = node.isValueNode() ? "'" + node.asText() + "'" : node.getNodeType().toString();
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…'" : text;
  }
}
