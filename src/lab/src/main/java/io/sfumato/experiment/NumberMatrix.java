// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.NumberRow.Metric;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** One metric of one statistic for people: a line for each data set, a column for each method. */
record NumberMatrix(List<NumberRow> rows) {
  NumberMatrix {
    rows = List.copyOf(rows);
  }

  /** A title, the methods, and the data sets. */
  List<String> lines(String title, String statistic, Metric metric, double epsilon) {
    Map<String, Map<String, Double>> cells = new LinkedHashMap<>();
    for (NumberRow row : of(statistic, metric)) {
      if (row.epsilon() == epsilon) {
        cells
            .computeIfAbsent(label(row.amounts()), label -> new LinkedHashMap<>())
            .put(row.method(), row.get(metric));
      }
    }
    ResultLines lines = new ResultLines("", title);
    StringBuilder header = new StringBuilder();
    cells.values().stream()
        .limit(1)
        .flatMap(methods -> methods.keySet().stream())
        .forEach(method -> header.append(String.format(Locale.ROOT, "%18s", method)));
    lines.add("%-32s%s", "", header);
    cells.forEach(
        (label, methods) -> {
          StringBuilder line = new StringBuilder();
          methods.values().forEach(cell -> line.append(cell(cell)));
          lines.add("%-32s%s", label, line);
        });
    return lines.all();
  }

  private static String label(Amounts amounts) {
    return amounts.name() + " (" + amounts.range().measure() + ")";
  }

  private static String cell(double x) {
    return String.format(Locale.ROOT, "%18.4g", x);
  }

  /** Rows of a statistic that have the metric. */
  List<NumberRow> of(String statistic, Metric metric) {
    return rows.stream()
        .filter(row -> row.statistic().equals(statistic) && row.found().containsKey(metric))
        .toList();
  }
}
