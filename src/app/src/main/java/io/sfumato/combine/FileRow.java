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
      List.of("count", "sum", "users", "noisy count", "other", "part", "records");

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
   */
  public record Marks(boolean unknown, boolean clamped, OptionalDouble leftOut) {}

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

  /** Whether the number and its interval are whole numbers. */
  boolean isWhole() {
    return value instanceof Long
        && ends.map(both -> both.low() instanceof Long && both.high() instanceof Long)
            .orElse(false);
  }

  /** A cell by its column; empty text for a category column that the row does not have. */
  public String cell(String column) {
    return switch (column) {
      case "subject" -> place.subject();
      case "output" -> place.output();
      case "measure" -> place.measure();
      case "window_start" -> place.window().start().toString();
      case "window_end" -> place.window().end().toString();
      default -> place.group().getOrDefault(column, "");
    };
  }

  @Override
  public String toString() {
    return place.toString();
  }
}
