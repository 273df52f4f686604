// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import com.fasterxml.jackson.databind.JsonNode;
import io.sfumato.accounting.PrivacyUnit;
import io.sfumato.pipeline.RecordFilter.Condition;
import io.sfumato.record.RecordPart;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Reads {@code input.where}. What is wrong is told, never thrown. */
public final class FilterReader {
  private static final int MOST_CONDITIONS = 50;
  private static final int MOST_NAMES = 1000;

  private final Fields input;

  private FilterReader(Fields input) {
    this.input = input;
  }

  /** Which records are read; all of them where the file does not say. */
  static RecordFilter filter(Fields input) {
    Optional<JsonNode> where = input.optional(InputFields.WHERE);
    return where.isEmpty() ? RecordFilter.none() : new FilterReader(input).filter(where.get());
  }

  private RecordFilter filter(JsonNode where) {
    if (!where.isMissingNode() && (where.isEmpty() || where.size() > MOST_CONDITIONS)) {
      input.problem(
          "where",
          "found " + Plurals.of(where.size(), "condition"),
          "1 to %d conditions".formatted(MOST_CONDITIONS));
    }
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, JsonNode> one : where.properties()) {
      InputReader.checkPart(input, "where", one.getKey());
      conditions.add(condition(one.getKey(), one.getValue()));
    }
    return new RecordFilter(conditions);
  }

  private Condition condition(String part, JsonNode allowed) {
    if (!allowed.isObject()) {
      return new Condition(part, Optional.of(names(part, allowed)), Set.of(), Optional.empty());
    }
    allowed.properties().stream()
        .map(Map.Entry::getKey)
        .filter(word -> InputFields.CONDITION.field(word).isEmpty())
        .forEach(word -> problem(part, "found '" + word + "'", InputFields.CONDITION_WORDS));
    Optional<Set<String>> in =
        Optional.ofNullable(allowed.get("in")).map(names -> names(part, names));
    Set<String> not = allowed.has("not") ? names(part, allowed.get("not")) : Set.of();
    Optional<Boolean> exists = Optional.ofNullable(allowed.get("exists")).map(JsonNode::asBoolean);
    if (exists.isPresent() && !allowed.get("exists").isBoolean()) {
      problem(part, "found " + Fields.shown(allowed.get("exists")), "'exists: true' or 'false'");
    }
    if (allowed.isEmpty()) {
      problem(part, "found an empty mapping", InputFields.CONDITION_WORDS);
    }
    if (exists.equals(Optional.of(false)) && allowed.size() > 1) {
      problem(part, "found 'exists: false' beside others", "'exists: false' alone");
    }
    return new Condition(part, in, not, exists);
  }

  /** One name, or a list of them. */
  private Set<String> names(String part, JsonNode found) {
    Set<String> names = new LinkedHashSet<>();
    Iterable<JsonNode> items = found.isArray() ? found : List.of(found);
    for (JsonNode item : items) {
      if (!item.isTextual() && !item.isIntegralNumber() && !item.isBoolean()) {
        problem(
            part,
            "found " + Fields.shown(item),
            "text, whole numbers, true or false; put other numbers in quotes");
      } else {
        ListedName.of(input, at(part), item.asText()).ifPresent(names::add);
      }
    }
    if (found.isArray() && (found.isEmpty() || found.size() > MOST_NAMES)) {
      problem(
          part,
          "found a list of " + found.size(),
          "a list of 1 to %,d values".formatted(MOST_NAMES));
    }
    return names;
  }

  private void problem(String part, String found, String allowed) {
    input.problem(at(part), found, allowed);
  }

  private static String at(String part) {
    return "where." + part;
  }

  /**
   * Under unit {@code record} somebody who replaces a protected field must not decide by it whether
   * the record counts; and whatever is no field of the value is public.
   */
  public static void checkPublic(InputSpec input, PrivacyUnit unit, Problems problems) {
    if (unit != PrivacyUnit.RECORD) {
      return;
    }
    List<String> guarded =
        Stream.concat(input.categoryFields().stream(), input.numbers().stream()).toList();
    input.where().conditions().stream()
        .map(Condition::part)
        .filter(part -> guarded.stream().anyMatch(field -> overlap(part, field)))
        .forEach(
            part ->
                problems.conflict(
                    "field 'input.where.%s': found with unit 'record', which protects %s; allowed are fields that are public: whether a record counts must not depend on what is protected"
                        .formatted(part, "'" + String.join("', '", guarded) + "'")));
    guarded.stream()
        .filter(field -> !RecordPart.isField(field))
        .forEach(
            field ->
                problems.conflict(
                    "field 'input.category': found '%s' with unit 'record', which protects fields of the value; allowed with other units"
                        .formatted(field)));
  }

  /** Whether one lies within the other. */
  private static boolean overlap(String part, String field) {
    if (!RecordPart.isField(part) || !RecordPart.isField(field)) {
      return part.equals(field);
    }
    List<String> steps = steps(part);
    List<String> others = steps(field);
    int shared = Math.min(steps.size(), others.size());
    return part.equals(field) || steps.subList(0, shared).equals(others.subList(0, shared));
  }

  private static List<String> steps(String field) {
    List<String> steps = FieldPath.of(field).steps();
    return steps.isEmpty() ? List.of(field) : steps;
  }
}
