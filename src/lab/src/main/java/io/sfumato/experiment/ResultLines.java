// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Lines that an experiment leaves: rows of a table, or findings; numbers as in any country. */
final class ResultLines {
  private final List<String> lines = new ArrayList<>();

  /**
   * @param first such as a header
   */
  ResultLines(String... first) {
    lines.addAll(List.of(first));
  }

  void add(String line) {
    lines.add(line);
  }

  void add(String format, Object... values) {
    lines.add(String.format(Locale.ROOT, format, values));
  }

  void addAll(List<String> more) {
    lines.addAll(more);
  }

  List<String> all() {
    return List.copyOf(lines);
  }

  void write(Path file) throws ExperimentException {
    ResultTable.write(file, () -> Files.write(file, lines));
  }
}
