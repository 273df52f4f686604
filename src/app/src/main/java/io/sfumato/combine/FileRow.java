// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.combine;

import io.sfumato.rows.NoiseScope;
import io.sfumato.rows.PublishedRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A row of an exported file.
 *
 * @param place which number it is
 * @param value a {@link Long} or a {@link Double}, as the file has it
 * @param ends of the 95% interval; empty of public facts, and where there is none
 * @param deviation of the noise; empty where the file does not say it
 * @param noise its distribution; empty of public facts
 * @param scope which rows share the noise; empty of public facts
 * @param marks what else the file says of the number
 */
public record FileRow(
    Place place,
    Number value,
    Optional<Ends> ends,
    OptionalDouble deviation,
    String noise,
    Optional<NoiseScope> scope,
    Marks marks) {
  /** Measures whose numbers add up: right on average, with noise of a known size. */
  private static final List<String> LINEAR =
      List.of("count", "sum", "users", "noisy count", "noisy users", "other", "part", "records");

  /** Measures of whole numbers with whole-number noise. */
  private static final List<String> COUNTS =
      List.of("count", "users", "noisy count", "noisy users", "other");

  /**
   * Which number a row is.
   *
   * @param group cells of the category columns, those that are not empty
   */
  public record Place(
      String output, String subject, Window window, Map<String, String> group, String measure) {
    @Override
    public String toString() {
      String words =
          Stream.of(Stream.of(output, subject), group.values().stream(), Stream.of(measure))
              .flatMap(part -> part)
              .filter(word -> !word.isEmpty())
              .collect(Collectors.joining(" "));
      return words + " at " + window.start();
    }
  }

  /** From its start, inclusive, to its end. */
  public record Window(Instant start, Instant end) {}

  /** Of an interval: each a {@link Long} or a {@link Double}. */
  public record Ends(Number low, Number high) {}

  /**
   * What the file says of a number beside its noise.
   *
   * @param leftOut share of the example's records that contribution bounds leave out
   * @param cells texts of all columns, category columns that are empty too
   */
  public record Marks(
      boolean unknown, boolean clamped, OptionalDouble leftOut, Map<String, String> cells) {}

  /** The number. */
  double number() {
    return value.doubleValue();
  }

  double low() {
    return ends.orElseThrow().low().doubleValue();
  }

  double high() {
    return ends.orElseThrow().high().doubleValue();
  }

  /** The measure's name: {@code count} of {@code running count}, {@code part} of {@code part 1}. */
  String kind() {
    String words =
        spansWindows()
            ? place.measure().substring(place.measure().indexOf(' ') + 1)
            : place.measure();
    return LINEAR.stream()
        .filter(kind -> words.equals(kind) || words.startsWith(kind + " "))
        .findFirst()
        .orElseGet(() -> words.split(" ", 2)[0]);
  }

  /** Whether numbers of this measure add up. */
  boolean adds() {
    return LINEAR.contains(kind());
  }

  /** Whether it is about more windows than its own. */
  boolean spansWindows() {
    return place.measure().startsWith(PublishedRow.RUNNING)
        || place.measure().startsWith(PublishedRow.LAST);
  }

  /** Whether it is a public fact. */
  boolean isExact() {
    return scope.isEmpty();
  }

  /** Whether it counts distinct users: one user can be in several such numbers. */
  boolean countsUsers() {
    return kind().equals("users") || kind().equals("noisy users");
  }

  /** Of the pipeline file. */
  String version() {
    return cell("version");
  }

  /** Whether the number and its interval, if there is one, are whole numbers. */
  boolean isWhole() {
    return value instanceof Long
        && ends.map(both -> both.low() instanceof Long && both.high() instanceof Long).orElse(true);
  }

  /** Whether its noise is whole: databases and spreadsheets may write 10.0 for a count. */
  boolean hasWholeNoise() {
    boolean isInteger =
        isInteger(value)
            && ends.map(both -> isInteger(both.low()) && isInteger(both.high())).orElse(true);
    return isWhole() || isInteger && COUNTS.contains(kind());
  }

  private static boolean isInteger(Number number) {
    return number.doubleValue() == Math.rint(number.doubleValue());
  }

  /** Columns of its file. */
  public Set<String> columns() {
    return marks.cells().keySet();
  }

  /** A cell by its column; empty text for a category column that the row does not have. */
  public String cell(String column) {
    return switch (column) {
      case "subject" -> place.subject();
      case "output" -> place.output();
      case "measure" -> place.measure();
      case "window_start" -> place.window().start().toString();
      case "window_end" -> place.window().end().toString();
      default -> marks.cells().getOrDefault(column, "");
    };
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
