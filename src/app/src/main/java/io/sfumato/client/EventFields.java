// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.pipeline.InputSpec;
import io.sfumato.pipeline.Pipeline;
import io.sfumato.pipeline.Population;
import io.sfumato.pipeline.RecordFilter;
import io.sfumato.pipeline.Selections;
import io.sfumato.record.RecordPart;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which columns of a CSV file hold what of an event, and how the event names it.
 *
 * @param subject of the event
 * @param time of the event
 * @param categories fields of the category, in order; none where records have none
 * @param values numbers, in order; may be none
 * @param weight where a record counts as more than one
 * @param user where many users feed one subject
 * @param filters other fields that decide whether an event counts, its id among them
 */
public record EventFields(
    Source subject,
    Source time,
    List<Source> categories,
    List<Source> values,
    Optional<Source> weight,
    Optional<Source> user,
    List<Source> filters) {

  public EventFields {
    categories = List.copyOf(categories);
    values = List.copyOf(values);
    filters = List.copyOf(filters);
  }

  /**
   * One field.
   *
   * @param column of the file
   * @param field of the event; {@link InputSpec#RECORD_KEY} for the record's key alone; another
   *     part where no field holds it
   */
  public record Source(String column, String field) {
    /** A column whose field has the same name. */
    public static Source named(String column) {
      return new Source(column, column);
    }

    boolean isKey() {
      return InputSpec.isKey(field);
    }

    boolean isConstant() {
      return RecordPart.of(field) instanceof RecordPart.Constant;
    }

    /** Whether the event's value has it. */
    boolean isInValue() {
      return RecordPart.isField(field);
    }
  }

  /** Which columns hold what; each has a default. */
  public record Columns(
      Optional<String> subject,
      Optional<String> time,
      Optional<String> category,
      List<String> values,
      Optional<String> weight,
      Optional<String> user) {
    /** All named like the fields they hold. */
    public static Columns asNamed() {
      return new Columns(
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          List.of(),
          Optional.empty(),
          Optional.empty());
    }
  }

  /** Fields named like their columns, of records that all weigh the same. */
  public static EventFields of(
      String subject,
      String time,
      Optional<String> category,
      List<String> values,
      Optional<String> user) {
    return of(subject, time, category, values, Optional.empty(), user);
  }

  /** Fields named like their columns. */
  public static EventFields of(
      String subject,
      String time,
      Optional<String> category,
      List<String> values,
      Optional<String> weight,
      Optional<String> user) {
    return new EventFields(
        Source.named(subject),
        Source.named(time),
        category.stream().map(Source::named).toList(),
        values.stream().map(Source::named).toList(),
        weight.map(Source::named),
        user.map(Source::named),
        List.of());
  }

  /**
   * What a pipeline reads; a column is named like its field unless {@code columns} says otherwise.
   *
   * @throws IllegalArgumentException if columns do not fit the pipeline; says which option does
   */
  public static EventFields of(Pipeline pipeline, Columns columns) {
    InputSpec input = pipeline.input();
    Optional<String> user = pipeline.population().map(Population::user);
    refuseUnread("--category", columns.category(), input.category());
    refuseUnread("--user", columns.user(), user);
    refuseUnread("--weight", columns.weight(), input.weight());
    if (columns.category().isPresent() && input.categoryFields().size() > 1) {
      throw new IllegalArgumentException(
          "--category: the file's category has several fields; name the columns as these fields: "
              + String.join(", ", input.categoryFields()));
    }
    if (!columns.values().isEmpty() && columns.values().size() != input.values().size()) {
      throw new IllegalArgumentException(
          "--values: found %d columns, the file has %d 'input.values'"
              .formatted(columns.values().size(), input.values().size()));
    }
    String time = columns.time().orElse(input.time());
    // Nobody looks for a constant, so that any column will do.
    String subject =
        input.constantSubject().isPresent()
            ? time
            : columns.subject().orElseGet(() -> sameName(input.subject(), input));
    return new EventFields(
        new Source(subject, input.subject()),
        new Source(time, input.time()),
        input.categoryFields().stream()
            .map(field -> new Source(columns.category().orElse(field), field))
            .toList(),
        IntStream.range(0, input.values().size())
            .mapToObj(
                i ->
                    new Source(
                        columns.values().isEmpty()
                            ? input.values().get(i)
                            : columns.values().get(i),
                        input.values().get(i)))
            .toList(),
        input.weight().map(field -> new Source(columns.weight().orElse(field), field)),
        user.map(
            field -> new Source(columns.user().orElseGet(() -> sameName(field, input)), field)),
        filters(pipeline, user));
  }

  /**
   * The event's id, and fields that filters or categories of single outputs name, unless they are
   * something else, too.
   */
  private static List<Source> filters(Pipeline pipeline, Optional<String> user) {
    InputSpec input = pipeline.input();
    Set<String> others = new HashSet<>(List.of(input.subject(), input.time()));
    others.addAll(input.categoryFields());
    others.addAll(input.numbers());
    user.ifPresent(others::add);
    Stream<String> ofFilters =
        Selections.of(pipeline).inputs().stream()
            .flatMap(selection -> selection.where().onFields().stream())
            .filter(condition -> !condition.exists().equals(Optional.of(false)))
            .map(RecordFilter.Condition::part);
    Stream<String> ofCategories =
        Selections.of(pipeline).inputs().stream()
            .flatMap(selection -> selection.categoryFields().stream())
            .filter(RecordPart::isField);
    return Stream.of(input.id().stream().filter(RecordPart::isField), ofFilters, ofCategories)
        .flatMap(parts -> parts)
        .filter(part -> !others.contains(part))
        .distinct()
        .map(Source::named)
        .toList();
  }

  /** A record's key has no name of its own that a column could share. */
  private static String sameName(String field, InputSpec input) {
    if (!InputSpec.isKey(field)) {
      return field;
    }
    return field.equals(input.subject()) ? "subject" : "user";
  }

  private static void refuseUnread(String option, Optional<String> column, Optional<String> field) {
    if (column.isPresent() && field.isEmpty()) {
      throw new IllegalArgumentException(option + ": the pipeline file names no such field");
    }
  }

  /** Fields of numbers: values in order, then the weight. */
  List<Source> numbers() {
    List<Source> numbers = new ArrayList<>(values);
    weight.ifPresent(numbers::add);
    return numbers;
  }

  /** Subject, time, category, numbers, user, filters: in this order. */
  List<Source> all() {
    List<Source> all = new ArrayList<>(List.of(subject, time));
    all.addAll(categories);
    all.addAll(numbers());
    user.ifPresent(all::add);
    all.addAll(filters);
    return all;
  }

  /** Fields of names: subject, categories, user, filters. */
  List<Source> named() {
    List<Source> named = new ArrayList<>();
    if (!subject.isConstant()) {
      named.add(subject);
    }
    named.addAll(categories);
    user.ifPresent(named::add);
    named.addAll(filters);
    return named;
  }

  /** Columns of names. */
  public List<String> namedColumns() {
    return named().stream().map(Source::column).toList();
  }

  /** Place of the first number in {@link #all}. */
  int firstNumber() {
    return 2 + categories.size();
  }

  /** Whether an empty cell of {@link #all} is a field that the event does not have. */
  boolean mayLack(int place) {
    int number = place - firstNumber();
    boolean isValue = number >= 0 && number < values.size();
    return isValue && user.isPresent() || place >= all().size() - filters.size();
  }

  /** The columns of {@link #all}. */
  List<String> columns() {
    return all().stream().map(Source::column).toList();
  }

  /**
   * Place in {@link #all} of what the record's key is: the subject, unless it is the user or the
   * same for all.
   */
  int keyPlace() {
    return user.isPresent() && (user.get().isKey() || subject.isConstant())
        ? firstNumber() + numbers().size()
        : 0;
  }
}
