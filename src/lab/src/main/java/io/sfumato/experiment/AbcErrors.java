// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** How far posterior means are from the truth, by the way in which candidates were answered. */
record AbcErrors(List<Row> rows) {
  private static final List<String> METHODS =
      List.of(
          "soft, paper",
          "soft, exact",
          "rejection, paper",
          "rejection, pure",
          "rejection, exact",
          "sparse vector");

  /**
   * One setting; NaN where a way has no such setting.
   *
   * @param error on the paper's truth
   * @param rehearsed mean error on truths drawn from the prior; NaN if nobody tried
   */
  record Row(
      String method,
      double epsilon,
      double bound,
      double threshold,
      double scale,
      MeasurementSummary error,
      double rehearsed) {
    Row(
        String method,
        double epsilon,
        double bound,
        double threshold,
        double scale,
        MeasurementSummary error) {
      this(method, epsilon, bound, threshold, scale, error, Double.NaN);
    }

    Row rehearsed(double mean) {
      return new Row(method, epsilon, bound, threshold, scale, error, mean);
    }
  }

  /** Writes {@code abc-toy.csv}, {@code abc-toy-soft.png} and {@code abc-toy-rejection.png}. */
  void write(Path out) throws ExperimentException {
    ResultLines csv =
        new ResultLines(
            "method,epsilon,bound,threshold,noise_scale,error,error_sd,rehearsed_error");
    for (Row row : rows) {
      csv.add(
          "\"%s\",%s,%s,%s,%s,%.6g,%.3g,%s",
          row.method(),
          cell(row.epsilon()),
          cell(row.bound()),
          cell(row.threshold()),
          cell(row.scale()),
          row.error().mean(),
          row.error().deviation(),
          cell(row.rehearsed()));
    }
    csv.write(out.resolve("abc-toy.csv"));
    ResultTable.write(out.resolve("abc-toy-soft.png"), softPlot(), AbcToyTrial.EPSILONS.length);
    ResultTable.write(
        out.resolve("abc-toy-rejection.png"), rejectionPlot(), AbcToyTrial.THRESHOLDS.length);
  }

  private static String cell(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.6g", value);
  }

  /** Figure 2, a panel for each epsilon. */
  private Plots softPlot() {
    Plots plots = new Plots();
    for (double epsilon : AbcToyTrial.EPSILONS) {
      plots.panel(
          "soft, epsilon " + epsilon,
          "threshold",
          Plots.Axis.LOGARITHMIC,
          "mean absolute error",
          Plots.Axis.LINEAR);
      for (String method : List.of("soft without privacy", "soft, paper", "soft, exact")) {
        line(plots, method, epsilon);
      }
    }
    return plots;
  }

  /**
   * Figure 3, a panel for each threshold; beside it sparse vector at the same epsilon. What else
   * may be set (B; c and redrawing) has its median, and for sparse vector the best on the truth.
   */
  private Plots rejectionPlot() {
    Plots plots = new Plots();
    for (double threshold : AbcToyTrial.THRESHOLDS) {
      plots.panel(
          "threshold " + threshold,
          "epsilon",
          Plots.Axis.LOGARITHMIC,
          "mean absolute error",
          Plots.Axis.LINEAR);
      double free =
          rows.stream()
              .filter(r -> r.method().equals("rejection without privacy"))
              .filter(r -> r.threshold() == threshold)
              .findFirst()
              .orElseThrow()
              .error()
              .mean();
      plots.line(
          "without privacy",
          AbcToyTrial.EPSILONS,
          Arrays.stream(AbcToyTrial.EPSILONS).map(e -> free).toArray());
      for (String method :
          List.of("rejection, paper", "rejection, pure", "rejection, exact", "sparse vector")) {
        plots.line(
            method + ", median",
            AbcToyTrial.EPSILONS,
            Arrays.stream(AbcToyTrial.EPSILONS)
                .map(e -> settings(method, e, threshold).median())
                .toArray());
      }
      plots.line(
          "sparse vector, best on the truth",
          AbcToyTrial.EPSILONS,
          Arrays.stream(AbcToyTrial.EPSILONS)
              .map(e -> settings("sparse vector", e, threshold).best())
              .toArray());
    }
    return plots;
  }

  private void line(Plots plots, String method, double epsilon) {
    List<Row> shown =
        rows.stream()
            .filter(r -> r.method().equals(method))
            .filter(r -> Double.isNaN(r.epsilon()) || r.epsilon() == epsilon)
            .toList();
    plots.line(
        method,
        shown.stream().mapToDouble(Row::threshold).toArray(),
        shown.stream().mapToDouble(r -> r.error().mean()).toArray());
  }

  /** One method at all its settings; of one threshold, or of all if that is NaN. */
  private Settings settings(String method, double epsilon, double threshold) {
    return Settings.of(
        rows.stream()
            .filter(r -> r.method().startsWith(method) && r.epsilon() == epsilon)
            .filter(r -> Double.isNaN(threshold) || r.threshold() == threshold)
            .toList());
  }

  /**
   * Errors over settings.
   *
   * @param count of them
   * @param best that of the setting which suits the truth best: nobody who does not know the truth
   *     can choose it
   * @param rehearsed that of the setting which did best on truths drawn from the prior: a public
   *     choice
   * @param median what somebody gets who chooses blindly
   */
  record Settings(int count, double best, double rehearsed, double median) {
    /** NaN if there is none. */
    static Settings of(List<Row> rows) {
      double[] sorted = rows.stream().mapToDouble(r -> r.error().mean()).sorted().toArray();
      int n = sorted.length;
      double rehearsed =
          rows.stream()
              .min(Comparator.comparingDouble(Row::rehearsed))
              .map(r -> r.error().mean())
              .orElse(Double.NaN);
      return n == 0
          ? new Settings(0, Double.NaN, Double.NaN, Double.NaN)
          : new Settings(n, sorted[0], rehearsed, (sorted[(n - 1) / 2] + sorted[n / 2]) / 2);
    }
  }

  private static boolean isRelease(Row row) {
    return row.method().contains(" release, N = ");
  }

  /** The errors over settings, for people. */
  List<String> summary(double prior) {
    ResultLines lines = new ResultLines();
    lines.add(
        "mean absolute error over settings: the best, CHOSEN ON THE TRUTH; the one that did best on 20"
            + " truths of the prior; the median");
    lines.add("(the prior's mean, which ignores every answer: %.4f)", prior);
    for (double epsilon : AbcToyTrial.EPSILONS) {
      for (String method : METHODS) {
        Settings over = settings(method, epsilon, Double.NaN);
        lines.add(
            "epsilon %-4s  %-16s  best of %2d %.4f  rehearsed %.4f  median %.4f",
            epsilon, method, over.count(), over.best(), over.rehearsed(), over.median());
      }
    }
    lines.add("one release instead, asked by 20,000 candidates:");
    rows.stream()
        .filter(AbcErrors::isRelease)
        .forEach(
            row ->
                lines.add(
                    "epsilon %-4s  %-30s  %.4f (sd %.4f)",
                    row.epsilon(), row.method(), row.error().mean(), row.error().deviation()));
    return lines.all();
  }
}
