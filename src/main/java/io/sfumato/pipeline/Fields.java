// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads one mapping of the file field by field. Problems are gathered, not thrown one at a time;
 * what was never asked for is unknown, hence refused.
 */
public final class Fields {
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m|h|d)");
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

  public boolean has(String name) {
    return !child(name).isMissingNode();
  }

  /** Whether a field is there, without making it a known one. */
  public boolean mentions(String name) {
    return !node.path(name).isMissingNode();
  }

  /** Whether a field is a list; it stays unknown until it is read. */
  public boolean isList(String name) {
    return node.path(name).isArray();
  }

  public String text(String name, Pattern allowed, String description) {
    return optionalText(name, allowed, description)
        .orElseGet(() -> missing(name, description, "x"));
  }

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

  public long whole(String name, long lowest, long highest, Optional<Long> fallback) {
    JsonNode child = child(name);
    String allowed = "a whole number from " + lowest + " to " + highest;
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

  public Duration duration(String name, Duration lowest, Optional<Duration> fallback) {
    JsonNode child = child(name);
    String allowed = "a length of time such as 500ms, 5s, 15m, 1h, 7d, at least " + word(lowest);
    if (child.isMissingNode()) {
      return fallback.orElseGet(() -> missing(name, allowed, lowest));
    }
    Optional<Duration> parsed = parseDuration(child.asText());
    if (parsed.isEmpty() || parsed.get().compareTo(lowest) < 0) {
      problem(name, "found " + shown(child), allowed);
      return lowest.isZero() ? Duration.ofDays(1) : lowest;
    }
    return parsed.get();
  }

  public static Optional<Duration> parseDuration(String text) {
    Matcher matcher = DURATION.matcher(text);
    try {
      if (!matcher.matches()) {
        return Optional.of(Duration.parse(text)).filter(d -> !d.isNegative());
      }
      long amount = Long.parseLong(matcher.group(1));
      return Optional.of(
          switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            default -> Duration.ofDays(amount);
          });
    } catch (DateTimeParseException | ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** The shortest way to write a duration in a pipeline file. */
  public static String word(Duration duration) {
    long millis = duration.toMillis();
    if (millis % 86_400_000 == 0 && millis > 0) {
      return millis / 86_400_000 + "d";
    }
    if (millis % 3_600_000 == 0 && millis > 0) {
      return millis / 3_600_000 + "h";
    }
    if (millis % 60_000 == 0 && millis > 0) {
      return millis / 60_000 + "m";
    }
    return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
  }

  /** A list of texts or whole numbers; anything that YAML may have reinterpreted is refused. */
  public List<String> texts(String name, int fewest, int most) {
    String allowed = "a list of " + fewest + " to " + most + " different, non-empty texts";
    List<String> texts = new ArrayList<>();
    int before = problems.unreadable();
    for (JsonNode item : items(name, allowed)) {
      if (!item.isTextual() && !item.isIntegralNumber()) {
        problem(name, "found " + shown(item), "text or whole numbers; put it in quotes");
      } else if (item.asText().isEmpty() || texts.contains(item.asText())) {
        problem(name, "found " + shown(item) + " twice or empty", allowed);
      } else {
        texts.add(item.asText());
      }
    }
    boolean told = problems.unreadable() > before;
    if (!told && (texts.size() < fewest || texts.size() > most)) {
      problem(name, "found " + Amount.of(texts.size(), "usable item"), allowed);
    }
    return texts;
  }

  /** None if the field is not there. */
  public List<String> optionalTexts(String name, int most) {
    return has(name) ? texts(name, 1, most) : List.of();
  }

  public Optional<double[]> weights(String name, int count) {
    if (!has(name)) {
      return Optional.empty();
    }
    String allowed = "a list of " + count + " numbers from 0, not all 0, one a category";
    List<Double> weights = new ArrayList<>();
    int before = problems.unreadable();
    for (JsonNode item : items(name, allowed)) {
      if (!item.isNumber() || !(item.asDouble() >= 0) || Double.isInfinite(item.asDouble())) {
        problem(name, "found " + shown(item), allowed);
      }
      weights.add(item.asDouble());
    }
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    if (problems.unreadable() > before) {
      return Optional.empty();
    }
    if (weights.size() != count || !(sum > 0)) {
      conflict(name, "found " + weights.size() + " numbers", allowed);
      return Optional.empty();
    }
    if (weights.stream().distinct().count() == 1) {
      problem(
          name,
          "found all weights alike, for which ignoring the data would be best",
          "weights that differ, or none: then the k-th most frequent category weighs 1/k");
    }
    return Optional.of(weights.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /** None if the field is not there; a problem unless there are so many, all above 0. */
  public Optional<double[]> positiveWeights(String name, int count) {
    if (!has(name)) {
      return Optional.empty();
    }
    double[] weights = numbers(name, count);
    for (double weight : weights) {
      if (!(weight > 0)) {
        problem(name, "found " + weight, "numbers above 0: a reference has full support");
        return Optional.empty();
      }
    }
    return Optional.of(weights);
  }

  /** So many finite numbers, in a list; one alone may stand without it. Ones if it is wrong. */
  public double[] numbers(String name, int count) {
    String allowed = count == 1 ? "a number" : "a list of " + count + " numbers";
    JsonNode child = child(name);
    List<JsonNode> found = child.isNumber() && count == 1 ? List.of(child) : items(name, allowed);
    double[] numbers = new double[count];
    Arrays.fill(numbers, 1);
    boolean usable =
        found.size() == count
            && found.stream().allMatch(n -> n.isNumber() && Double.isFinite(n.asDouble()));
    if (usable) {
      Arrays.setAll(numbers, i -> found.get(i).asDouble());
    } else if (!child.isMissingNode()) {
      problem(name, "found " + shown(child), allowed);
    }
    return numbers;
  }

  /** A public example of users; one number alone stands for one user. */
  public Optional<ExampleUsers> exampleUsers(String name) {
    if (!has(name)) {
      return Optional.empty();
    }
    JsonNode child = child(name);
    List<JsonNode> items = child.isNumber() ? List.of(child) : items(name, ExampleUsers.ALLOWED);
    if (items.stream().allMatch(n -> n.isIntegralNumber() && n.canConvertToInt())) {
      try {
        return Optional.of(new ExampleUsers(items.stream().map(JsonNode::asInt).toList()));
      } catch (IllegalArgumentException e) {
        // Said below.
      }
    }
    problem(name, "found " + shown(child), ExampleUsers.ALLOWED);
    return Optional.empty();
  }

  /** One mapping of a list. */
  public Fields item(String name, int place, JsonNode item) {
    return new Fields(item, at(name) + "[" + place + "]", problems);
  }

  public List<JsonNode> items(String name, String allowed) {
    JsonNode child = child(name);
    List<JsonNode> items = new ArrayList<>();
    if (child.isArray()) {
      child.forEach(items::add);
    } else if (child.isMissingNode()) {
      missing(name, allowed, "");
    } else {
      problem(name, "found " + shown(child), allowed);
    }
    return items;
  }

  /** A mapping of any names to plain values. */
  public Map<String, String> plainValues(String name) {
    Map<String, String> values = new LinkedHashMap<>();
    JsonNode child = child(name);
    if (child.isMissingNode()) {
      return values;
    }
    if (!child.isObject()) {
      problem(name, "found " + shown(child), "a mapping of Kafka properties to values");
    }
    child
        .properties()
        .forEach(
            field -> {
              if (field.getValue().isValueNode() && !field.getValue().isNull()) {
                values.put(field.getKey(), field.getValue().asText());
              } else {
                problem(
                    name + "." + field.getKey(),
                    "found " + shown(field.getValue()),
                    "a plain value");
              }
            });
    return values;
  }

  public void problem(String name, String found, String allowed) {
    problems.unreadable(told(name, found, allowed));
  }

  /** What may be right by itself, and does not fit other fields. */
  public void conflict(String name, String found, String allowed) {
    problems.conflict(told(name, found, allowed));
  }

  private String told(String name, String found, String allowed) {
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

  private <T> T missing(String name, String allowed, T placeholder) {
    // What is no mapping has been told as that.
    if (node.isObject() || node.isMissingNode()) {
      problem(name, "is missing", allowed);
    }
    return placeholder;
  }

  private JsonNode child(String name) {
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

  /** A problem of this mapping itself. */
  public void problemHere(String found, String allowed) {
    problems.unreadable("field '" + path + "': " + found + ", allowed is " + allowed);
  }

  /** What stands in a field, for {@link #problem}. */
  public String found(String name) {
    return "found " + shown(child(name));
  }

  private static String shown(JsonNode node) {
    String text = node.isValueNode() ? "'" + node.asText() + "'" : node.getNodeType().toString();
    return text.length() > SHOWN ? text.substring(0, SHOWN) + "…'" : text;
  }
}
