// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.mechanism.abc.RandomFeatures;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads one field of a mapping that is a list. What is wrong is told, never thrown. */
public final class ListField {
  private final Fields fields;
  private final JsonNode node;
  private final String name;

  ListField(Fields fields, JsonNode node, String name) {
    this.fields = fields;
    this.node = node;
    this.name = name;
  }

  /** A list of texts or whole numbers; anything that YAML may have reinterpreted is refused. */
  public List<String> texts(int fewest, int most) {
    String allowed = allowedTexts(fewest, most);
    Set<String> texts = new LinkedHashSet<>();
    int before = fields.unreadable();
    for (JsonNode item : items(allowed)) {
      if (!item.isTextual() && !item.isIntegralNumber()) {
        fields.problem(
            name, "found " + Fields.shown(item), "text or whole numbers; put it in quotes");
      } else if (item.asText().isEmpty() || !texts.add(item.asText())) {
        fields.problem(name, "found " + Fields.shown(item) + " twice or empty", allowed);
      }
    }
    boolean told = fields.unreadable() > before;
    if (!told && (texts.size() < fewest || texts.size() > most)) {
      fields.problem(name, "found " + Plurals.of(texts.size(), "usable item"), allowed);
    }
    return List.copyOf(texts);
  }

  static String allowedTexts(int fewest, int most) {
    return "a list of " + fewest + " to " + most + " different, non-empty texts";
  }

  /** The same of names that records have: as these are read. */
  public List<String> names(int fewest, int most) {
    Set<String> names = new LinkedHashSet<>();
    for (String text : texts(fewest, most)) {
      Optional<String> name = ListedName.of(fields, this.name, text);
      if (name.isPresent() && !names.add(name.get())) {
        ListedName.twice(fields, this.name, name.get());
      }
    }
    return List.copyOf(names);
  }

  /** None if the field is not there. */
  public List<String> optionalTexts(int most) {
    return node.isMissingNode() ? List.of() : texts(1, most);
  }

  /** Weights from 0, one a category, not all alike; none if the field is not there. */
  public Optional<double[]> weights(int count) {
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    String allowed = "a list of " + count + " numbers from 0, not all 0, one a category";
    List<Double> weights = new ArrayList<>();
    int before = fields.unreadable();
    for (JsonNode item : items(allowed)) {
      if (!item.isNumber() || !(item.asDouble() >= 0) || Double.isInfinite(item.asDouble())) {
        fields.problem(name, "found " + Fields.shown(item), allowed);
      }
      weights.add(item.asDouble());
    }
    double sum = weights.stream().mapToDouble(Double::doubleValue).sum();
    if (fields.unreadable() > before) {
      return Optional.empty();
    }
    if (weights.size() != count || !(sum > 0)) {
      fields.conflict(name, "found " + weights.size() + " numbers", allowed);
      return Optional.empty();
    }
    if (weights.stream().distinct().count() == 1) {
      fields.problem(
          name,
          "found all weights alike, for which ignoring the data would be best",
          "weights that differ, or none: then the k-th most frequent category weighs 1/k");
    }
    return Optional.of(weights.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * None if the field is not there; a problem unless there are {@code count} of them, all above 0.
   */
  public Optional<double[]> positiveWeights(int count) {
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    double[] weights = numbers(count);
    for (double weight : weights) {
      if (!(weight > 0)) {
        fields.problem(name, "found " + weight, "numbers above 0: a reference has full support");
        return Optional.empty();
      }
    }
    return Optional.of(weights);
  }

  /**
   * Finite numbers, {@code count} of them in a list; one alone may stand without it. Ones if it is
   * wrong.
   */
  public double[] numbers(int count) {
    String allowed = count == 1 ? "a number" : "a list of " + count + " numbers";
    List<JsonNode> found = node.isNumber() && count == 1 ? List.of(node) : items(allowed);
    double[] numbers = new double[count];
    Arrays.fill(numbers, 1);
    boolean usable =
        found.size() == count
            && found.stream().allMatch(n -> n.isNumber() && Double.isFinite(n.asDouble()));
    if (usable) {
      Arrays.setAll(numbers, i -> found.get(i).asDouble());
    } else if (!node.isMissingNode()) {
      fields.problem(name, "found " + Fields.shown(node), allowed);
    }
    return numbers;
  }

  /**
   * Two numbers that records may hold (1e12 at most, either side of 0), the lower one first;
   * nothing, and a problem that is told, where they are not.
   *
   * @param allowed in words
   */
  public Optional<double[]> range(String allowed) {
    if (node.isArray() && node.size() == 2 && node.path(0).isNumber() && node.path(1).isNumber()) {
      double[] ends = {node.path(0).asDouble(), node.path(1).asDouble()};
      if (ends[0] < ends[1] && Math.max(-ends[0], ends[1]) <= RandomFeatures.LARGEST_INPUT) {
        return Optional.of(ends);
      }
    }
    if (node.isMissingNode()) {
      fields.missing(name, allowed, "");
    } else {
      String found = node.isArray() ? node.toString() : Fields.shown(node);
      fields.problem(name, "found " + found, allowed);
    }
    return Optional.empty();
  }

  /** A public example of users; one number alone stands for one user. */
  public Optional<ExampleUsers> exampleUsers() {
    if (node.isMissingNode()) {
      return Optional.empty();
    }
    List<JsonNode> items = node.isNumber() ? List.of(node) : items(ExampleUsers.ALLOWED);
    if (items.stream().allMatch(n -> n.isIntegralNumber() && n.canConvertToInt())) {
      try {
        return Optional.of(new ExampleUsers(items.stream().map(JsonNode::asInt).toList()));
      } catch (IllegalArgumentException e) {
        // Said below.
      }
    }
    fields.problem(name, "found " + Fields.shown(node), ExampleUsers.ALLOWED);
    return Optional.empty();
  }

  /**
   * Its items as they are; none if it is no list, which is told.
   *
   * @param allowed in words
   */
  public List<JsonNode> items(String allowed) {
    List<JsonNode> items = new ArrayList<>();
    if (node.isArray()) {
      node.forEach(items::add);
    } else if (node.isMissingNode()) {
      fields.missing(name, allowed, "");
    } else {
      fields.problem(name, "found " + Fields.shown(node), allowed);
    }
    return items;
  }
}
