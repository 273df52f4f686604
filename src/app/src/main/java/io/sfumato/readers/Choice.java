// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.readers;

import io.sfumato.ops.http.Query;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a reader has chosen of one output.
 *
 * @param output its name
 * @param measure place of the measure among those of the output
 * @param lines numbers of the lines
 * @param windows how many windows
 * @param before only windows that begin before, in milliseconds since 1970
 */
record Choice(String output, int measure, Set<Integer> lines, int windows, long before) {
  /** Lines of one answer. */
  static final int MOST_LINES = 64;

  /** Windows of one answer. */
  static final int MOST_WINDOWS = 1_000;

  /**
   * Of a request's parameters.
   *
   * @throws IllegalArgumentException if one is none of what is allowed; says which
   */
  static Choice of(Query query) {
    return new Choice(
        query.value("output").orElse(""),
        number(query, "measure", 0, Short.MAX_VALUE, 0),
        lines(query),
        number(query, "windows", 1, MOST_WINDOWS, MOST_WINDOWS),
        before(query));
  }

  private static int number(Query query, String name, int least, int most, int otherwise) {
    Optional<String> text = query.value(name);
    if (text.isEmpty()) {
      return otherwise;
    }
    if (text.get().matches("[0-9]{1,6}")) {
      int number = Integer.parseInt(text.get());
      if (number >= least && number <= most) {
        return number;
      }
    }
    throw new IllegalArgumentException(
        "%s: allowed is a number from %d to %d".formatted(name, least, most));
  }

  private static Set<Integer> lines(Query query) {
    Set<Integer> lines = new LinkedHashSet<>();
    String text = query.value("lines").orElse("");
    if (!text.matches("([0-9]{1,9}(,[0-9]{1,9})*)?")) {
      throw new IllegalArgumentException("lines: allowed are numbers with commas between them");
    }
    for (String line : text.isEmpty() ? new String[0] : text.split(",")) {
      lines.add(Integer.parseInt(line));
    }
    if (lines.size() > MOST_LINES) {
      throw new IllegalArgumentException(
          "lines: allowed are at most %d in one request".formatted(MOST_LINES));
    }
    return lines;
  }

  private static long before(Query query) {
    String text = query.value("before").orElse("");
    if (!text.matches("(-?[0-9]{1,17})?")) {
      throw new IllegalArgumentException("before: allowed are milliseconds since 1970");
    }
    return text.isEmpty() ? Long.MAX_VALUE : Long.parseLong(text);
  }

  /** The newest of these windows that are asked for, the oldest first. */
  List<Long> of(List<Long> all) {
    List<Long> earlier = all.stream().filter(start -> start < before).toList();
    return earlier.subList(Math.max(0, earlier.size() - windows), earlier.size());
  }
}
