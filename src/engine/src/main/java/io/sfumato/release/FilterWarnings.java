// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release;

import io.sfumato.pipeline.FactJson;
import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.OutputQuestion;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.PlannedRelease;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.RecordFilter.Condition;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Filters that select less than a file seems to mean: conditions that no record meets, and
 * categories that no selected record has. Neither is wrong by itself, so that it is a warning.
 */
final class FilterWarnings {
  private static final int NAMED = 5;

  private final Plan plan;
  private final InputSpec file;

  private FilterWarnings(Plan plan) {
    this.plan = plan;
    this.file = plan.pipeline().input();
  }

  /** One line for each; empty where all filters fit. */
  static List<String> of(Plan plan) {
    return new FilterWarnings(plan).all();
  }

  private List<String> all() {
    List<String> warnings = new ArrayList<>();
    impossible(file.where())
        .ifPresent(part -> warnings.add("field 'input.where': " + selectsNothing(part)));
    Set<String> dead = excluded(file);
    if (!dead.isEmpty()) {
      warnings.add(
          "field 'input.where': it excludes %s, which 'input.categories' lists, so their counts are noise alone. Leave them out of 'categories', or change 'where'"
              .formatted(named(dead)));
    }
    plan.pipeline().questions().forEach(question -> own(question).ifPresent(warnings::add));
    return warnings;
  }

  /** Of outputs with a filter of their own; what the file's filter does has been said. */
  private Optional<String> own(OutputQuestion question) {
    InputSpec own = question.input();
    String outputs = "release '%s': ".formatted(String.join("', '", question.outputs()));
    Optional<String> part =
        own.where().equals(file.where()) ? Optional.empty() : impossible(own.where());
    if (part.isPresent()) {
      return Optional.of(outputs + selectsNothing(part.get()));
    }
    Set<String> dead = excluded(own);
    boolean isFile = own.categoryFields().equals(file.categoryFields());
    if (isFile) {
      dead.removeAll(excluded(file));
    }
    return dead.isEmpty() || isFile && !countsByCategory(question)
        ? Optional.empty()
        : Optional.of(
            "%s'where' excludes %s of its categories, so their counts are noise alone. Count 'by: total', or give it a 'category' of its own"
                .formatted(outputs, named(dead)));
  }

  private boolean countsByCategory(OutputQuestion question) {
    return plan.releases().stream()
        .filter(release -> question.outputs().contains(release.spec().name()))
        .anyMatch(this::isByCategory);
  }

  private boolean isByCategory(PlannedRelease release) {
    Pipeline part = plan.pipeline().partOf(release.spec());
    return FactJson.of(release.facts(part)).path("by").asText().equals("category");
  }

  private static String selectsNothing(String part) {
    return "'where' selects no record, since its conditions on '%s' contradict each other"
        .formatted(part);
  }

  /** The part of a record on which conditions contradict each other, if there is one. */
  private static Optional<String> impossible(RecordFilter where) {
    return where.conditions().stream()
        .map(Condition::part)
        .distinct()
        .filter(part -> !isPossible(on(where, part)))
        .findFirst();
  }

  private static boolean isPossible(List<Condition> conditions) {
    Optional<Set<String>> candidates =
        conditions.stream()
            .flatMap(condition -> condition.in().stream())
            .<Set<String>>map(LinkedHashSet::new)
            .reduce(
                (one, other) -> {
                  one.retainAll(other);
                  return one;
                });
    boolean missing = conditions.stream().allMatch(condition -> condition.accepts(false, null));
    if (candidates.isEmpty()) {
      // Some name is always there that is not excluded.
      boolean there = conditions.stream().noneMatch(one -> one.exists().equals(Optional.of(false)));
      return missing || there;
    }
    return candidates.get().stream().anyMatch(name -> accept(conditions, name));
  }

  private static boolean accept(List<Condition> conditions, String name) {
    return conditions.stream().allMatch(condition -> condition.accepts(true, name));
  }

  private static List<Condition> on(RecordFilter where, String part) {
    return where.conditions().stream().filter(one -> one.part().equals(part)).toList();
  }

  /**
   * Listed values of category fields that no selected record has, but for the one of all others.
   */
  private static Set<String> excluded(InputSpec input) {
    Set<String> excluded = new TreeSet<>();
    if (input.category().isEmpty() || input.discovers() || input.isWide()) {
      return excluded;
    }
    List<String> fields = input.categoryFields();
    List<List<Condition>> conditions =
        fields.stream().map(field -> on(input.where(), field)).toList();
    if (conditions.stream().allMatch(List::isEmpty)) {
      return excluded;
    }
    for (long place = 0; place < input.places(); place++) {
      List<String> values = input.valuesOf(place);
      for (int i = 0; i < fields.size(); i++) {
        String value = values.get(i);
        if (!Optional.of(value).equals(input.other()) && !accept(conditions.get(i), value)) {
          excluded.add(value);
        }
      }
    }
    return excluded;
  }

  private static String named(Set<String> names) {
    String some =
        names.stream().limit(NAMED).map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    return names.size() <= NAMED ? some : some + ", ...";
  }
}
