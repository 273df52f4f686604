// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.cli;

import io.sfumato.client.CellRules;
import io.sfumato.client.EventTimes;
import io.sfumato.runtime.ExitCode;
import io.sfumato.runtime.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** How the cells of a CSV file's names are read. */
final class CellOptions {
  @Option(
      names = "--text",
      paramLabel = "COLUMN",
      description =
          "A column of names whose cells are text even if they look like numbers: 12E4 may be a"
              + " product. Repeatable.")
  private List<String> texts = List.of();

  @Option(
      names = "--number",
      paramLabel = "COLUMN",
      description =
          "A column of names whose cells are numbers, in whatever form: 1e+05 and 100000 are one"
              + " name. Repeatable.")
  private List<String> numbers = List.of();

  /** Whether any column was named. */
  boolean isEmpty() {
    return texts.isEmpty() && numbers.isEmpty();
  }

  /**
   * Refuses a column that holds no names: a misspelt one would change nothing.
   *
   * @param columns of names
   */
  void require(List<String> columns) throws RefusedException {
    for (String column : Stream.concat(texts.stream(), numbers.stream()).toList()) {
      boolean both = texts.contains(column) && numbers.contains(column);
      if (both || !columns.contains(column)) {
        throw new RefusedException(
            ExitCode.USAGE,
            both
                ? "--text and --number: column '%s' is one of them".formatted(column)
                : "--text, --number: found '%s'; allowed are the columns with names: %s"
                    .formatted(column, String.join(", ", columns)));
      }
    }
  }

  CellRules rules(EventTimes times) {
    return new CellRules(times, Set.copyOf(texts), Set.copyOf(numbers));
  }

  /** As they are typed again. */
  List<String> typed() {
    List<String> options = new ArrayList<>();
    texts.forEach(column -> options.addAll(List.of("--text", column)));
    numbers.forEach(column -> options.addAll(List.of("--number", column)));
    return options;
  }
}
