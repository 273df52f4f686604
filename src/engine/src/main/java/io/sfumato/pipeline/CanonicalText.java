// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What the digest and the layout of a plan say of a file, letter by letter. States that live were
 * made with these very texts, so that none of them ever changes: neither when a class, a component
 * or a constant gets another name, nor with the language's own idea of a text.
 */
public final class CanonicalText {
  private CanonicalText() {}

  /** Where records come from: what files without weights do not have leaves their digest. */
  public static String of(InputSpec input) {
    return String.format(
        Locale.ROOT,
        "InputSpec[topic=%s, format=%s, subject=%s, time=%s, category=%s%s, categories=%s, other=%s, values=%s%s, maxBytes=%d%s%s%s]",
        input.topics().canonical(),
        of(input.format()),
        input.subject(),
        input.time(),
        optional(input.category(), text -> text),
        input.columns().map(columns -> ", columns=" + columns.canonical()).orElse(""),
        of(input.categories()),
        optional(input.other(), text -> text),
        of(input.values()),
        input.weight().map(field -> ", weight=" + field).orElse(""),
        input.maxBytes(),
        input.formats().canonical(),
        input.where().conditions().isEmpty() ? "" : ", where=" + input.where().canonical(),
        input.id().map(part -> ", id=" + part).orElse(""));
  }

  /** How values are encoded. */
  public static String of(InputSpec.Format format) {
    return switch (format) {
      case JSON -> "JSON";
      case AVRO -> "AVRO";
      case JSON_SCHEMA -> "JSON_SCHEMA";
      case PROTOBUF -> "PROTOBUF";
    };
  }

  /** What closes windows. */
  public static String of(WindowSpec.Clock clock) {
    return switch (clock) {
      case RECORDS -> "RECORDS";
      case TICKS -> "TICKS";
    };
  }

  /** Who is released. */
  public static String of(Pipeline.Subjects subjects) {
    return switch (subjects) {
      case OBSERVED -> "OBSERVED";
      case ROSTER -> "ROSTER";
      case LISTED -> "LISTED";
      case DISCOVERED -> "DISCOVERED";
    };
  }

  /** How outputs are written. */
  public static String of(OutputFormat format) {
    return switch (format) {
      case AVRO -> "AVRO";
      case REGISTERED -> "REGISTERED";
      case JSON -> "JSON";
    };
  }

  /** What all outputs may spend. */
  public static String of(BudgetSpec budget) {
    return "BudgetSpec[name=%s, unit=%s, epsilon=%s, delta=%s, period=%s, account=%s]"
        .formatted(
            budget.name(),
            budget.unit().canonical(),
            budget.epsilon(),
            budget.delta(),
            budget.period().canonical(),
            optional(
                budget.account(),
                account ->
                    "AccountSpec[name=%s, epsilon=%s, delta=%s]"
                        .formatted(account.name(), account.epsilon(), account.delta())));
  }

  /** The features that are kept. */
  public static String of(FeatureSpec features) {
    return String.format(
        Locale.ROOT,
        "FeatureSpec[count=%d, bandwidth=%s, seed=%s]",
        features.count(),
        Double.toString(features.bandwidth()),
        features.seed());
  }

  /** What one user may add: what files without users do not have leaves their digest as it was. */
  public static String of(Population population) {
    return String.format(
        Locale.ROOT,
        "Population[user=%s, records=%d, subjects=%d%s%s%s%s%s%s]",
        population.user(),
        population.records(),
        population.subjects(),
        population.leftOut().isPresent() ? ", leftOut=" + population.leftOut().getAsInt() : "",
        population
            .example()
            .map(
                users ->
                    ", example="
                        + users.records().stream()
                            .map(String::valueOf)
                            .collect(Collectors.joining(",")))
            .orElse(""),
        population.items().isPresent() ? ", items=" + population.items().getAsInt() : "",
        population.oneName().isPresent() ? ", perName=" + population.oneName().getAsInt() : "",
        population.perPeriod().isPresent()
            ? ", perPeriod=" + population.perPeriod().getAsInt()
            : "",
        population.cells().isPresent() ? ", cells=" + population.cells().getAsInt() : "");
  }

  /**
   * Windows. Not where they begin: a state that began without a beginning goes on with one. Not
   * whose ticks move clocks: who trusts the writers of a topic must be able to say so to a pipeline
   * that runs.
   */
  public static String of(WindowSpec window) {
    return String.format(
        Locale.ROOT,
        "WindowSpec[%s, clock=%s, maxJump=%d, ahead=%s%s]",
        cut(window),
        of(window.clock()),
        window.maxJump(),
        window.ahead(),
        window.maxAhead().equals(WindowSpec.MAX_AHEAD) ? "" : ", maxAhead=" + window.maxAhead());
  }

  private static String cut(WindowSpec window) {
    return window
        .calendar()
        .map(windows -> windows.canonical() + ", grace=" + window.grace())
        .orElseGet(
            () ->
                String.format(
                    Locale.ROOT,
                    "size=%s, grace=%s, origin=%d",
                    window.grid().longest(),
                    window.grace(),
                    window.grid().anchor()));
  }

  /** Names or numbers in brackets, with commas. */
  public static String of(Iterable<?> items) {
    StringBuilder text = new StringBuilder();
    for (Object item : items) {
      text.append(text.isEmpty() ? "" : ", ").append(item);
    }
    return "[" + text + "]";
  }

  private static <T> String optional(Optional<T> value, Function<T, String> text) {
    return value.map(found -> "Optional[" + text.apply(found) + "]").orElse("Optional.empty");
  }
}
