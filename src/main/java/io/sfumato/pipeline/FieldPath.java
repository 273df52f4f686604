// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where in a record a named field is: a field of the record that has this very name; else, step by
 * step, within other fields. {@code user.id} and {@code /user/id} are field {@code id} of field
 * {@code user}; {@code tags[0]}, {@code tags.0} and {@code /tags/0} the first item of array {@code
 * tags}; {@code tags[]} is each of its items, {@code lines[].kind} field {@code kind} of each.
 *
 * @param name as the pipeline file has it
 * @param steps names of fields, or places of items, from the record inwards; empty if the name can
 *     only be that of a field
 */
public record FieldPath(String name, List<String> steps) {
  private static final Pattern DOTTED =
      Pattern.compile("[^.\\[\\]]+(\\.[^.\\[\\]]+|\\[\\d{0,4}\\])+");
  private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+");
  private static final Pattern STEP_OR_EACH = Pattern.compile("[^.\\[\\]]+|\\[]");
  private static final Pattern POINTER = Pattern.compile("(/[^/]+)+");
  private static final Pattern PLACE = Pattern.compile("\\d{1,4}");
  private static final Pattern EACH = Pattern.compile("\\[\\s*\\*?\\s*\\]");

  /** A step that leads to each item of an array; no field between dots has such a name. */
  public static final String EACH_ITEM = "[]";

  /** Of one record, where each counts: no user has more contributions in a window. */
  public static final int MOST_ITEMS = Population.MOST;

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
      Matcher step = STEP_OR_EACH.matcher(name);
      while (step.find()) {
        steps.add(step.group());
      }
    }
    return new FieldPath(name, steps);
  }

  /** Whether it leads to each item of an array. */
  public boolean isEach() {
    return steps.contains(EACH_ITEM);
  }

  /** Whether a field's name can be a step between dots. */
  public static boolean isStep(String field) {
    return STEP.matcher(field).matches();
  }

  /** Where that is, in words; nothing if it is a plain name. */
  Optional<String> words() {
    if (steps.isEmpty()) {
      return Optional.empty();
    }
    String words = steps.get(0);
    for (String step : steps.subList(1, steps.size())) {
      words =
          step.equals(EACH_ITEM)
              ? "each item of " + words
              : PLACE.matcher(step).matches()
                  ? "%s of %s".formatted(item(Integer.parseInt(step)), words)
                  : "field %s within %s".formatted(step, words);
    }
    return Optional.of(steps.size() == 1 ? "field " + words : words);
  }

  private static String item(int place) {
    return place == 0 ? "first item" : "item " + (place + 1);
  }

  /** Why a name cannot be one, in words that say what to write instead. */
  static Optional<String> refusal(String name) {
    if (EACH.matcher(name).find()) {
      return Optional.of("one item, such as '%s'".formatted(EACH.matcher(name).replaceAll("[0]")));
    }
    if (name.startsWith("$.")) {
      return Optional.of("the path from the record on: '%s'".formatted(name.substring(2)));
    }
    return Optional.empty();
  }

  /**
   * The same of a category, of which each item of an array may count where users are bounded.
   *
   * @param bounded whether {@code contributions} say how many of a user's count
   */
  static Optional<String> refusalOfCategory(String name, boolean bounded) {
    if (!EACH.matcher(name).find()) {
      return refusal(name);
    }
    if (!bounded) {
      return Optional.of(
          "one item, such as '%s': if each counted, one record would change a release more than its noise hides. In a file with input.user, whose contributions are bounded, each item may count"
              .formatted(EACH.matcher(name).replaceAll("[0]")));
    }
    boolean one = FieldPath.of(name).steps().stream().filter(EACH_ITEM::equals).count() == 1;
    return one
        ? Optional.empty()
        : Optional.of("each item of one array, written 'tags[]' or 'order.lines[].kind'");
  }
}
