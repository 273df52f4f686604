// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Where in a record a named field is: a field of the record that has this very name; else, step by
 * step, within other fields. {@code user.id} and {@code /user/id} are field {@code id} of field
 * {@code user}; {@code tags[0]}, {@code tags.0} and {@code /tags/0} the first item of array {@code
 * tags}; {@code tags[]} each of its items, and {@code lines[].product} a field of each.
 *
 * @param name as the pipeline file has it
 * @param steps names of fields, places of items, or {@link #EACH}, from the record inwards; empty
 *     if the name can only be that of a field
 */
public record FieldPath(String name, List<String> steps) {
  /** The step to every item of an array. */
  public static final String EACH = "[]";

  private static final Pattern DOTTED =
      Pattern.compile("[^.\\[\\]]+(\\.[^.\\[\\]]+|\\[(0|[1-9]\\d{0,3})?\\])+");
  private static final Pattern STEPS = Pattern.compile("[^.\\[\\]]+|\\[\\]");
  private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+");
  private static final Pattern POINTER = Pattern.compile("(/[^/]+)+");
  private static final Pattern PLACE = Pattern.compile("0|[1-9]\\d{0,3}");

  /** What is meant as a place, whether it is one or not. */
  private static final Pattern NUMBERED =
      Pattern.compile("[^.\\[\\]\\s]+(\\.[^.\\[\\]\\s]+)*(\\[[-+]?\\d+\\](\\.[^.\\[\\]\\s]+)*)+");

  private static final Pattern ANY_ITEM = Pattern.compile("\\[\\s*\\*?\\s*\\]");

  public FieldPath {
    steps = List.copyOf(steps);
  }

  /** What a name means. */
  public static FieldPath of(String name) {
    if (POINTER.matcher(name).matches()) {
      return new FieldPath(
          name,
          Arrays.stream(name.substring(1).split("/"))
              .map(step -> step.replace("~1", "/").replace("~0", "~"))
              .toList());
    }
    List<String> steps = new ArrayList<>();
    if (DOTTED.matcher(name).matches()) {
      Matcher step = STEPS.matcher(name);
      while (step.find()) {
        steps.add(step.group());
      }
    }
    return new FieldPath(name, steps);
  }

  /**
   * Whether two names may be those of one field, or of one within the other. Each has two meanings:
   * a field of this very name, and what its steps lead to.
   */
  public static boolean overlap(String one, String other) {
    return meanings(one).anyMatch(mine -> meanings(other).anyMatch(its -> overlap(mine, its)));
  }

  private static Stream<List<String>> meanings(String name) {
    List<String> steps = of(name).steps();
    return steps.isEmpty() ? Stream.of(List.of(name)) : Stream.of(List.of(name), steps);
  }

  /** Whether one place is the other, or lies within it; every item is any of them. */
  public static boolean overlap(List<String> one, List<String> other) {
    for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
      boolean each = one.get(i).equals(EACH) || other.get(i).equals(EACH);
      if (!each && !one.get(i).equals(other.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Whether it leads to every item of an array, rather than to one value. */
  public boolean isEach() {
    return steps.contains(EACH);
  }

  /** Whether a field's name can be a step between dots. */
  public static boolean isStep(String field) {
    return STEP.matcher(field).matches();
  }

  /** Where that is, in words; nothing if it is a plain name. */
  public Optional<String> words() {
    if (steps.isEmpty()) {
      return Optional.empty();
    }
    String words = steps.get(0);
    for (String step : steps.subList(1, steps.size())) {
      words =
          PLACE.matcher(step).matches() || step.equals(EACH)
              ? "%s of %s".formatted(item(step), words)
              : "field %s within %s".formatted(step, words);
    }
    return Optional.of(steps.size() == 1 ? "field " + words : words);
  }

  private static String item(String step) {
    if (step.equals(EACH)) {
      return "each item";
    }
    int place = Integer.parseInt(step);
    return place == 0 ? "first item" : "item " + (place + 1);
  }

  /** Why a name cannot be that of one value, in words that say what to write instead. */
  public static Optional<String> refusal(String name) {
    return namesEach(name) ? Optional.of(firstItem(name)) : spelling(name);
  }

  /** Why a name can be neither that of one value nor of each item of one array. */
  public static Optional<String> refusalOfEach(String name) {
    if (!namesEach(name)) {
      return spelling(name);
    }
    long arrays = ANY_ITEM.matcher(name).results().count();
    return arrays == 1 && of(name).isEach() && !POINTER.matcher(name).matches()
        ? Optional.empty()
        : Optional.of(
            "one '[]', behind the field that holds the array: 'tags[]', 'order.lines[].product'");
  }

  /** Whether a name is meant to lead to every item, however it is spelt. */
  public static boolean namesEach(String name) {
    return ANY_ITEM.matcher(name).find();
  }

  /** One item in the place of each. */
  public static String firstItem(String name) {
    return "one item, such as '%s'".formatted(ANY_ITEM.matcher(name).replaceAll("[0]"));
  }

  private static Optional<String> spelling(String name) {
    if (NUMBERED.matcher(name).matches() && of(name).steps().isEmpty()) {
      return Optional.of(
          "places from [0] to [9999], without leading zeros, between names: 'tags[0]', 'order.lines[1].product'");
    }
    return name.startsWith("$.")
        ? Optional.of("the path from the record on: '%s'".formatted(name.substring(2)))
        : Optional.empty();
  }
}
