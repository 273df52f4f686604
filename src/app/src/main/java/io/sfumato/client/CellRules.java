// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.client;

import io.sfumato.record.CanonicalName;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;

/**
 * How cells of a CSV file are read. A cell has no type: {@code 12E4} may be a product or a number.
 *
 * @param times reads the column of the event time
 * @param texts columns of names whose cells are text, whatever they look like
 * @param numbers columns of names whose cells are numbers, in whatever form
 */
public record CellRules(EventTimes times, Set<String> texts, Set<String> numbers) {
  /**
   * @throws IllegalArgumentException if a column is said to be both
   */
  public CellRules {
    texts = Set.copyOf(texts);
    numbers = Set.copyOf(numbers);
    if (!Collections.disjoint(texts, numbers)) {
      throw new IllegalArgumentException("one column of texts and of numbers");
    }
  }

  /** Nothing is said of columns of names. */
  public static CellRules of(EventTimes times) {
    return new CellRules(times, Set.of(), Set.of());
  }

  /** A name, or why a cell is none. */
  public record Name(String text, Optional<String> problem, CsvEvents.Fate status) {
    private static Name of(String text) {
      return new Name(text, Optional.empty(), CsvEvents.Fate.SENT);
    }

    private static Name none(String cell, String problem, CsvEvents.Fate status) {
      return new Name(cell, Optional.of(problem), status);
    }
  }

  /** Reads a cell of a column of names, which is not empty. */
  public Name name(String column, String cell) {
    String trimmed = trimmed(cell);
    Optional<CellNumber> number =
        texts.contains(column) ? Optional.empty() : CellNumber.in(trimmed);
    if (numbers.contains(column)) {
      return number
          .flatMap(CellNumber::name)
          .map(Name::of)
          .orElseGet(
              () ->
                  Name.none(
                      cell,
                      "is not a number of up to 40 digits, and --number declares the column "
                          + "numeric",
                      CsvEvents.Fate.NOT_SENT));
    }
    if (number.isPresent() && !isOneForm(number.get(), cell, trimmed)) {
      return Name.none(
          cell,
          "is a number written as in 1e+05 or 58.0: give --number '%s' to use its value, or --text '%s' to keep its spelling"
              .formatted(column, column),
          CsvEvents.Fate.NOT_SENT);
    }
    return CanonicalName.ofText(cell)
        .map(Name::of)
        .orElseGet(
            () ->
                Name.none(
                    cell,
                    "is not a valid name: it is longer than %d bytes or has control characters"
                        .formatted(CanonicalName.MOST_BYTES),
                    CsvEvents.Fate.SENT));
  }

  /** Whether a number stands as its name does. Digits alone, such as 00100, are a code. */
  private static boolean isOneForm(CellNumber number, String cell, String trimmed) {
    return number.isDigits() && cell.equals(trimmed) || number.name().equals(Optional.of(cell));
  }

  /** Without blanks of any kind at either end, also those that do not break a line. */
  static String trimmed(String cell) {
    int from = 0;
    int to = cell.length();
    while (from < to && isBlank(cell.charAt(from))) {
      from++;
    }
    while (from < to && isBlank(cell.charAt(to - 1))) {
      to--;
    }
    return cell.substring(from, to);
  }

  private static boolean isBlank(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || c == '\uFEFF';
  }
}
