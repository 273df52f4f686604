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
    if (!where.isObject()) {
      return RecordFilter.none();
    }
    if (where.isEmpty() || where.size() > MOST_CONDITIONS) {
      input.problem(
          "where",
          "found " + Plurals.of(where.size(), "condition"),
          "1 to %d conditions".formatted(MOST_CONDITIONS));
    }
    Fields parts = input.open("where");
    List<Condition> conditions = new ArrayList<>();
    for (Map.Entry<String, JsonNode> one : where.properties()) {
      InputReader.checkPart(input, "where", one.getKey());
      conditions.add(
          one.getValue().isObject()
              ? condition(parts, one.getKey())
              : new Condition(
                  one.getKey(),
                  Optional.of(names(parts, one.getKey(), one.getValue())),
                  Set.of(),
                  Optional.empty()));
    }
    return new RecordFilter(conditions);
  }

  private static Condition condition(Fields parts, String part) {
    Fields allowed = parts.section(FieldSpec.section(part, InputFields.CONDITION));
    Optional<Set<String>> in =
        allowed.optional(InputFields.IN).map(found -> names(allowed, "in", found));
    Optional<Set<String>> not =
        allowed.optional(InputFields.NOT).map(found -> names(allowed, "not", found));
    Optional<Boolean> exists = allowed.optional(InputFields.EXISTS);
    allowed.refuseUnknown();
    if (in.isEmpty() && not.isEmpty() && exists.isEmpty()) {
      parts.problem(part, "found none of 'in', 'not', 'exists'", "one of them, or a value");
    }
    if (exists.equals(Optional.of(false)) && (in.isPresent() || not.isPresent())) {
      allowed.conflict("exists", "found 'false' beside 'in' or 'not'", "'exists: false' alone");
    }
    return new Condition(part, in, not.orElse(Set.of()), exists);
  }

  /** One name, or a list of them. */
  private static Set<String> names(Fields fields, String field, JsonNode found) {
    Set<String> names = new LinkedHashSet<>();
    Iterable<JsonNode> items = found.isArray() ? found : List.of(found);
    for (JsonNode item : items) {
      if (!item.isTextual() && !item.isIntegralNumber() && !item.isBoolean()) {
        fields.problem(
            field,
            "found " + Fields.shown(item),
            "text, whole numbers, true or false; put other numbers in quotes");
      } else {
        ListedName.of(fields, field, item.asText()).ifPresent(names::add);
      }
    }
    if (found.isArray() && (found.isEmpty() || found.size() > MOST_NAMES)) {
      fields.problem(
          field,
          "found a list of " + found.size(),
          "a list of 1 to %,d values".formatted(MOST_NAMES));
    }
    return names;
  }

  /**
   * Under unit {@code record} somebody who replaces a protected field must not decide by it whether
   * the record counts; and whatever is no field of the value is public.
   */
  public static void checkPublic(InputSpec input, PrivacyUnit unit, Problems problems) {
    if (unit != PrivacyUnit.RECORD) {
      return;
    }
    List<String> guarded = guarded(input);
    input.where().conditions().stream()
        .map(Condition::part)
        .filter(part -> guarded.stream().anyMatch(field -> overlap(part, field)))
        .forEach(
            part ->
                problems.conflict(
                    "field 'input.where.%s': found with unit 'record', which protects %s; allowed are fields that are public: whether a record counts must not depend on what is protected"
                        .formatted(part, "'" + String.join("', '", guarded) + "'")));
    checkPublic("subject", "a subject is public", input.subject(), guarded, problems);
    checkPublic("time", "windows, and so times, are public", input.time(), guarded, problems);
    guarded.stream()
        .filter(field -> !RecordPart.isField(field))
        .forEach(
            field ->
                problems.conflict(
                    "field 'input.category': found '%s' with unit 'record', which protects fields of the value; allowed with other units"
                        .formatted(field)));
  }

  private static void checkPublic(
      String field, String why, String part, List<String> guarded, Problems problems) {
    guarded.stream()
        .filter(other -> overlap(part, other))
        .findFirst()
        .ifPresent(
            other ->
                problems.conflict(
                    "field 'input.%s': found '%s' with unit 'record', which protects '%s'; allowed is another field: %s"
                        .formatted(field, part, other, why)));
  }

  /**
   * The same of an event's id, by which copies do not count. How many events are told apart is
   * bounded, by {@code contributions} or by a refusal that says that there were more: that is
   * public with unit {@code record} alone.
   */
  public static void checkId(InputSpec input, PrivacyUnit unit, Problems problems) {
    if (input.id().isEmpty() || unit == PrivacyUnit.USER) {
      return;
    }
    if (unit == PrivacyUnit.DATASET) {
      problems.conflict(
          "field 'input.id': found with unit 'dataset', where a refusal would tell how many events there were; allowed with units 'user' and 'record'");
    }
    checkPublic(
        "id",
        "whether a record counts must not depend on what is protected",
        input.id().get(),
        guarded(input),
        problems);
  }

  /** What unit {@code record} protects. */
  private static List<String> guarded(InputSpec input) {
    return Stream.concat(input.categoryFields().stream(), input.numbers().stream()).toList();
  }

  /** Whether one is the other, or may lie within it. */
  private static boolean overlap(String part, String field) {
    return RecordPart.isField(part) && RecordPart.isField(field)
        ? FieldPath.overlap(part, field)
        : part.equals(field);
  }
}
