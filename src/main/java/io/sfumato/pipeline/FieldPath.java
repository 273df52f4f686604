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
 * tags}.
 *
 * @param name as the pipeline file has it
 * @param steps names of fields, or places of items, from the record inwards; empty if the name can
 *     only be that of a field
 */
public record FieldPath(String name, List<String> steps) {
  private static final Pattern DOTTED =
      Pattern.compile("[^.\\[\\]]+(\\.[^.\\[\\]]+|\\[\\d{1,4}\\])+");
  private static final Pattern STEP = Pattern.compile("[^.\\[\\]]+");
  private static final Pattern POINTER = Pattern.compile("(/[^/]+)+");
  private static final Pattern PLACE = Pattern.compile("\\d{1,4}");
  private static final Pattern EACH = Pattern.compile("\\[\\s*\\*?\\s*\\]");

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
      Matcher step = STEP.matcher(name);
      while (step.find()) {
        steps.add(step.group());
      }
    }
    return new FieldPath(name, steps);
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
          PLACE.matcher(step).matches()
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
      return Optional.of(
          "one item, such as '%s': each item would count, so that one record would change a release more than its noise hides. To count all of them, publish a record for each"
              .formatted(EACH.matcher(name).replaceAll("[0]")));
    }
    if (name.startsWith("$.")) {
      return Optional.of("the path from the record on: '%s'".formatted(name.substring(2)));
    }
    return Optional.empty();
  }
}
