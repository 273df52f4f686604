// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.record.RecordPart;
import io.sfumato.record.ValueFormats;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where records come from. Only the named fields are ever read.
 *
 * @param topics of the records
 * @param format of their values
 * @param subject field that names the subject; {@link #RECORD_KEY} for the record's key, with a
 *     path for a field of it
 * @param time field of the event time, or another {@link RecordPart}
 * @param category field of the category, if records have one; the label of all its {@code columns}
 *     where it has several
 * @param columns fields whose values together are the category, where those are several
 * @param categories allowed categories, in order; at least 2, none without a category, none where
 *     they are found by {@link #discovers}, and none where they are too {@link #isWide many}
 * @param other the category that takes every unknown value, in each of several columns; if absent,
 *     unknown values are dead letters
 * @param values fields of numbers, in order; may be none
 * @param weight field of a number: how many records of its category one record counts as; only
 *     where what one user's records do together is bounded
 * @param maxBytes largest value that is parsed, in bytes
 * @param formats of times and keys
 * @param where which records of the topic are read
 * @param id of the event, of which several records may be copies; nothing where each is its own
 */
public record InputSpec(
    InputTopics topics,
    Format format,
    String subject,
    String time,
    Optional<String> category,
    Optional<Columns> columns,
    List<String> categories,
    Optional<String> other,
    List<String> values,
    Optional<String> weight,
    int maxBytes,
    ValueFormats formats,
    RecordFilter where,
    Optional<String> id) {

  /** Name of a subject that is the record's key. */
  public static final String RECORD_KEY = RecordPart.KEY;

  /** Whether a name is that of the record's key, or of a field in it. */
  public static boolean isKey(String field) {
    return RecordPart.of(field) instanceof RecordPart.Key;
  }

  /** The field in the key that a name names; nothing for the whole key. */
  public static Optional<String> withinKey(String field) {
    return RecordPart.of(field) instanceof RecordPart.Key key ? key.field() : Optional.empty();
  }

  public InputSpec {
    categories = List.copyOf(categories);
    values = List.copyOf(values);
  }

  /** Of records that all weigh the same. */
  public InputSpec(
      String topic,
      Format format,
      String subject,
      String time,
      Optional<String> category,
      List<String> categories,
      Optional<String> other,
      List<String> values,
      int maxBytes) {
    this(
        InputTopics.of(List.of(topic)),
        format,
        subject,
        time,
        category,
        Optional.empty(),
        categories,
        other,
        values,
        Optional.empty(),
        maxBytes,
        ValueFormats.usual(),
        RecordFilter.none(),
        Optional.empty());
  }

  /** The same with topics that a pattern was resolved to. */
  public InputSpec with(InputTopics others) {
    return new InputSpec(
        others,
        format,
        subject,
        time,
        category,
        columns,
        categories,
        other,
        values,
        weight,
        maxBytes,
        formats,
        where,
        id);
  }

  /** The same records, of which some count, by a category of their own. */
  InputSpec asked(
      RecordFilter which,
      Optional<String> field,
      Optional<Columns> crossed,
      List<String> allowed,
      Optional<String> rest) {
    return new InputSpec(
        topics, format, subject, time, field, crossed, allowed, rest, values, weight, maxBytes,
        formats, which, id);
  }

  /** Where the event time is. */
  public RecordPart timePart() {
    return RecordPart.of(time);
  }

  /** The one subject of all records, where the file says it. */
  public Optional<String> constantSubject() {
    return RecordPart.of(subject) instanceof RecordPart.Constant constant
        ? Optional.of(constant.name())
        : Optional.empty();
  }

  /** Where in a record a part is that the file names, in words. */
  public static String words(String part) {
    RecordPart named = RecordPart.of(part);
    if (named instanceof RecordPart.Key key) {
      return key.field()
          .map("the field '%s' of the record's key"::formatted)
          .orElse("the record's key");
    }
    if (named instanceof RecordPart.Header header) {
      return "the header '%s'".formatted(header.name());
    }
    if (named instanceof RecordPart.Topic) {
      return "the record's topic";
    }
    if (named instanceof RecordPart.Timestamp) {
      return "the record's Kafka timestamp";
    }
    if (named instanceof RecordPart.Constant constant) {
      return "'%s' for every record".formatted(constant.name());
    }
    return FieldPath.of(part).words().orElse("the field '" + part + "'");
  }

  /** All fields of numbers: values in order, then the weight. */
  public List<String> numbers() {
    if (weight.isEmpty()) {
      return values;
    }
    ArrayList<String> numbers = new ArrayList<>(values);
    numbers.add(weight.get());
    return List.copyOf(numbers);
  }

  /** What counts of a record, as a plural. */
  public String counted() {
    if (weight.isPresent()) {
      return "units of weight";
    }
    return isEach() ? "items" : "records";
  }

  /** So many of them. */
  public String counted(long number) {
    return Plurals.of(number, counted().replaceFirst("s\\b", ""), counted());
  }

  /** What of a record is protected, in words. */
  public String content() {
    if (values.isEmpty()) {
      return "category";
    }
    return category.isEmpty() ? "numbers" : "category and numbers";
  }

  /** Whether nobody listed the categories: what there is, is found. */
  public boolean discovers() {
    return columns
        .map(several -> !several.isListed())
        .orElse(category.isPresent() && categories.isEmpty());
  }

  /** Whether several columns have more categories together than are counted one by one. */
  public boolean isWide() {
    return columns.isPresent() && !discovers() && categories.isEmpty();
  }

  /** Fields that the category is read from, in order; none without one. */
  public List<String> categoryFields() {
    return columns.map(Columns::fields).orElseGet(() -> category.stream().toList());
  }

  /** Whether each item of an array is a category. */
  public boolean isEach() {
    return columns.isEmpty() && category.map(FieldPath::of).filter(FieldPath::isEach).isPresent();
  }

  /** What a category may be: one where they are found, 0 without any. */
  public long places() {
    return isWide() ? columns.orElseThrow().places() : counts();
  }

  /** Places of counts by category: one for all records where these are found or too many. */
  public int counts() {
    return discovers() || isWide() ? 1 : allCategories().size();
  }

  /** All categories, the one for unknown values last; none where they are too many. */
  public List<String> allCategories() {
    if (columns.isPresent() || other.isEmpty() || categories.contains(other.get())) {
      return categories;
    }
    ArrayList<String> all = new ArrayList<>(categories);
    all.add(other.get());
    return List.copyOf(all);
  }

  /**
   * The values of a category, one for each of its fields.
   *
   * @param place from 0, below {@link #places}; categories are not found
   */
  public List<String> valuesOf(long place) {
    return columns
        .map(several -> several.values(place))
        .orElseGet(() -> List.of(allCategories().get((int) place)));
  }

  /** How values are encoded. */
  public enum Format {
    JSON,
    /** Avro: {@code UserRecord} in single-object encoding, or any record of a schema registry. */
    AVRO,
    /** JSON behind the id of its JSON Schema in a schema registry. */
    JSON_SCHEMA,
    /** Protobuf behind the id of its schema in a schema registry. */
    PROTOBUF
  }
}
