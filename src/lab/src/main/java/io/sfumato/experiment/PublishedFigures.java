// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Published figures to compare with: {@code dataset,mechanism,epsilon,metric,metric_sd,...}, the
 * metrics in the order of the experiment's own.
 */
final class PublishedFigures {
  private final Map<String, List<MeasurementSummary>> rows = new HashMap<>();
  private final Path file;

  private PublishedFigures(Path file) {
    this.file = file;
  }

  /** Reads a table with a given number of metrics. */
  static PublishedFigures read(Path file, int metrics) throws ExperimentException {
    PublishedFigures reference = new PublishedFigures(file);
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (IOException e) {
      throw new ExperimentException(
          file + ": cannot be read; --reference names the folder that has it");
    }
    for (int i = 1; i < lines.size(); i++) {
      String[] fields = lines.get(i).split(",", -1);
      try {
        List<MeasurementSummary> summaries = new ArrayList<>();
        for (int m = 0; m < metrics; m++) {
          summaries.add(
              new MeasurementSummary(
                  Double.parseDouble(fields[3 + 2 * m]), Double.parseDouble(fields[4 + 2 * m])));
        }
        OptionalDouble epsilon =
            fields[2].isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(Double.parseDouble(fields[2]));
        reference.rows.put(key(fields[0], fields[1], epsilon), summaries);
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        throw new ExperimentException(
            "%s: line %d is not dataset,mechanism,epsilon and %d metrics with deviations"
                .formatted(file, i + 1, metrics));
      }
    }
    return reference;
  }

  private static String key(String dataset, String mechanism, OptionalDouble epsilon) {
    String shown =
        epsilon.isPresent() ? String.format(Locale.ROOT, "%.6g", epsilon.getAsDouble()) : "";
    return dataset + "," + mechanism + "," + shown;
  }

  /**
   * The differences as CSV, and a summary for people.
   *
   * @return one line a data set and mechanism
   */
  List<String> compare(ResultTable table, int metrics, Path out) throws ExperimentException {
    ResultLines csv =
        new ResultLines("dataset,mechanism,epsilon,metric,ours,reference,difference,reference_sds");
    Map<String, double[]> worst = new java.util.LinkedHashMap<>();
    for (Result row : table.rows()) {
      List<MeasurementSummary> expected =
          rows.get(key(row.dataset(), row.mechanism(), row.epsilon()));
      if (expected == null) {
        continue;
      }
      for (int m = 0; m < metrics; m++) {
        double difference = row.metrics().get(m).mean() - expected.get(m).mean();
        double deviations =
            expected.get(m).deviation() > 0 ? difference / expected.get(m).deviation() : 0;
        csv.add(
            "%s,%s,%s,%s,%.6g,%.6g,%.4g,%.3g",
            row.dataset(),
            row.mechanism(),
            row.epsilon().isPresent() ? row.epsilon().getAsDouble() : "",
            table.metrics().get(m),
            row.metrics().get(m).mean(),
            expected.get(m).mean(),
            difference,
            deviations);
        double[] most =
            worst.computeIfAbsent(
                row.dataset() + ", " + row.mechanism() + ", " + table.metrics().get(m),
                k -> new double[3]);
        most[0] = Math.max(most[0], Math.abs(difference));
        most[1] += Math.abs(deviations) <= 3 ? 1 : 0;
        most[2]++;
      }
    }
    csv.write(out);
    ResultLines lines = new ResultLines();
    worst.forEach(
        (name, most) ->
            lines.add(
                "%s: largest difference %.4g%s",
                name,
                most[0],
                name.contains("Non-private")
                    ? ""
                    : String.format(
                        Locale.ROOT,
                        ", within 3 deviations at %.0f of %.0f epsilons",
                        most[1],
                        most[2])));
    return lines.all();
  }

  @Override
  public String toString() {
    return "Reference[" + file + "]";
  }
}
