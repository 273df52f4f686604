// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.rows;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The columns of rows, in their order. One for each category field stands between {@link #OUTPUT}
 * and {@link #MEASURE}.
 */
public enum RowColumn {
  SUBJECT(
      Type.TEXT, "Subject whose records the row is about.", "", row -> row.row().head().subject()),
  WINDOW_START(
      Type.TIME,
      "Start of the window in event time, inclusive.",
      "",
      row -> row.row().head().windowStart()),
  WINDOW_END(
      Type.TIME,
      "End of the window in event time, exclusive.",
      "",
      row -> row.row().head().windowEnd()),
  OUTPUT(
      Type.TEXT, "Name of the output in the pipeline file.", "", row -> row.row().head().output()),
  MEASURE(
      Type.TEXT,
      "What is measured, such as `count` or `mean of amount`. `running` or `last` before it: the"
          + " number covers several windows.",
      "",
      PublishedRow::measure),
  VALUE(
      Type.NUMBER,
      "The number as it was published. Its unit is that of the measure: records, or the unit of the"
          + " field in the records.",
      "",
      row -> row.row().quantity().value()),
  LOW(
      Type.NUMBER,
      "Lower end of the 95% interval, in the unit of `value`.",
      "the output gives no interval; public facts",
      row -> row.row().quantity().interval().map(Interval::low)),
  HIGH(
      Type.NUMBER,
      "Upper end of the 95% interval, in the unit of `value`.",
      "the output gives no interval; public facts",
      row -> row.row().quantity().interval().map(Interval::high)),
  DEVIATION(
      Type.NUMBER,
      "Standard deviation of the noise in `value`, in its unit. Discrete Gaussian noise far below"
          + " one unit has a little less.",
      "the output does not say it; public facts",
      row -> boxed(row.row().quantity().deviation())),
  NOISE(
      Type.TEXT,
      "Distribution of the noise: the first word of the mechanism. Several words with `+` between"
          + " them: the sum of several outputs' noise.",
      "public facts",
      PublishedRow::noise),
  UNKNOWN(
      Type.TRUTH,
      "Whether the value says almost nothing, because the interval covers nine tenths of the"
          + " possible range or more.",
      "",
      row -> row.row().quantity().unknown()),
  CLAMPED(
      Type.TRUTH,
      "Whether the value was impossible, and the nearest possible one was published.",
      "",
      row -> row.row().quantity().clamped()),
  LEFT_OUT(
      Type.NUMBER,
      "Share, 0 to 1, of the records of the file's public example that contribution bounds leave"
          + " out.",
      "the file gives no example",
      row -> boxed(row.row().head().leftOut())),
  VERSION(
      Type.WHOLE, "Version of the pipeline file.", "", row -> (long) row.row().head().version()),
  RELEASED(
      Type.TIME,
      "When the output was released: the Kafka timestamp of its record.",
      "",
      PublishedRow::released),
  NOISE_SCOPE(
      Type.TEXT,
      "Which other rows can share the noise: see [noise scopes](#noise-scopes).",
      "public facts",
      PublishedRow::noiseScope);

  /** Of a column's values. */
  public enum Type {
    /** A {@link String}. */
    TEXT("text"),
    /** An {@link java.time.Instant}. */
    TIME("time"),
    /** A {@link Long} or a {@link Double}. */
    NUMBER("number"),
    /** A {@link Long}. */
    WHOLE("whole number"),
    /** A {@link Boolean}. */
    TRUTH("true or false");

    private final String word;

    Type(String word) {
      this.word = word;
    }

    /** For people. */
    public String word() {
      return word;
    }
  }

  private final Type type;
  private final String meaning;
  private final String emptyFor;
  private final Function<PublishedRow, Object> value;

  RowColumn(Type type, String meaning, String emptyFor, Function<PublishedRow, Object> value) {
    this.type = type;
    this.meaning = meaning;
    this.emptyFor = emptyFor;
    this.value = value;
  }

  /** Columns before those of category fields. */
  public static List<RowColumn> first() {
    return Stream.of(values()).filter(column -> column.compareTo(MEASURE) < 0).toList();
  }

  /** Columns after those of category fields. */
  public static List<RowColumn> rest() {
    return Stream.of(values()).filter(column -> column.compareTo(MEASURE) >= 0).toList();
  }

  /** Its name, such as {@code window_start}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Of its values. */
  public Type type() {
    return type;
  }

  /** What it says. */
  public String meaning() {
    return meaning;
  }

  /** Rows in which it is empty, in words; empty if there are none. */
  public String emptyFor() {
    return emptyFor;
  }

  /** Its value: nothing where it is empty. */
  public Optional<Object> of(PublishedRow row) {
    Object found = value.apply(row);
    if (found instanceof Optional<?> maybe) {
      return maybe.map(Object.class::cast);
    }
    return found.equals("") && !emptyFor.isEmpty() ? Optional.empty() : Optional.of(found);
  }

  private static Optional<Double> boxed(OptionalDouble number) {
    return number.isPresent() ? Optional.of(number.getAsDouble()) : Optional.empty();
  }
}
