// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.plot.Plots;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

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
    List<String> lines = new ArrayList<>();
    StringBuilder header = new StringBuilder("dataset,mechanism,epsilon");
    metrics.forEach(
        metric -> header.append(',').append(metric).append(',').append(metric).append("_sd"));
    lines.add(header + ",parameter");
    for (Result row : rows) {
      StringBuilder line = new StringBuilder(row.dataset()).append(',').append(row.mechanism());
      line.append(',').append(row.epsilon().isPresent() ? row.epsilon().getAsDouble() : "");
      for (Summary metric : row.metrics()) {
        line.append(String.format(Locale.ROOT, ",%.6g,%.3g", metric.mean(), metric.deviation()));
      }
      lines.add(line.append(',').append(row.parameters()).toString());
    }
    write(file, lines);
  }

  static void write(Path file, Plots plots, int columns) throws ExperimentException {
    try {
      plots.write(file, columns);
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be written; --out names a folder");
    }
  }

  static void write(Path file, HeatMaps maps, Map<String, double[]> densities)
      throws ExperimentException {
    try {
      maps.write(file, densities);
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be written; --out names a folder");
    }
  }

  static void write(Path file, List<String> lines) throws ExperimentException {
    try {
      Files.createDirectories(file.toAbsolutePath().getParent());
      Files.write(file, lines);
    } catch (IOException e) {
      throw new ExperimentException(file + ": cannot be written; --out names a folder");
    }
  }
}
