// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.plot.Plots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * Results as CSV.
 *
 * @param metrics names of the columns, each followed by its standard deviation
 * @param rows in the order of the experiment
 */
record ResultTable(List<String> metrics, List<Result> rows) {
  ResultTable {
    metrics = List.copyOf(metrics);
    rows = List.copyOf(rows);
  }

  void write(Path file) throws ExperimentException {
    ResultLines lines = new ResultLines();
    StringBuilder header = new StringBuilder("dataset,mechanism,epsilon");
    metrics.forEach(
        metric -> header.append(',').append(metric).append(',').append(metric).append("_sd"));
    lines.add(header + ",parameter");
    for (Result row : rows) {
      StringBuilder line = new StringBuilder(cell(row.dataset()));
      line.append(',').append(cell(row.mechanism()));
      line.append(',').append(row.epsilon().isPresent() ? row.epsilon().getAsDouble() : "");
      for (MeasurementSummary metric : row.metrics()) {
        line.append(String.format(Locale.ROOT, ",%.6g,%.3g", metric.mean(), metric.deviation()));
      }
      lines.add(line.append(',').append(cell(row.parameters())).toString());
    }
    lines.write(file);
  }

  /** Quoted where it holds what cells are told apart by (RFC 4180). */
  private static String cell(String text) {
    return text.contains(",") || text.contains("\"")
        ? '"' + text.replace("\"", "\"\"") + '"'
        : text;
  }

  static void write(Path file, Plots plots, int columns) throws ExperimentException {
    write(file, () -> plots.write(file, columns));
  }

  /** Writes a file of whatever kind. */
  interface Writing {
    void run() throws IOException;
  }

  static void write(Path file, Writing writing) throws ExperimentException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      writing.run();
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be written; --out names a folder");
    }
  }
}
