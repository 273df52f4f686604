// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.NumberRow.Metric;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Sums, means, variances and quantiles of numbers under the same guarantee, by this project and by
 * what people use instead: Google's differential privacy library for Java (its algorithms, written
 * anew after its sources), noise on a sum and on a count, and noise that users add themselves. A
 * user with all numbers that count is protected. Laplace noise is pure; where noise is Gaussian,
 * delta is 1e-6.
 *
 * @param data folder with {@code events/} and {@code uci/}
 * @param out folder for tables and plots
 * @param epsilons of one release; 1 is among them
 * @param seeds releases of each method, at least 1
 */
public record NumbersExperiment(Path data, Path out, List<Double> epsilons, int seeds)
    implements Experiment {
  private static final double SHOWN = 1;
  private static final int USERS = 5000;
  private static final List<Integer> SIZES = List.of(5, 50, 500, 5000);
  private static final List<Double> QUANTILES = List.of(0.25, 0.5, 0.75, 0.95);

  /** Of quantiles, which take thousands of draws each, there are fewer releases. */
  private static final int PER_QUANTILE = 10;

  /** Of intervals there are more: what is rare is counted. */
  private static final int PER_INTERVAL = 5;

  public NumbersExperiment {
    epsilons = List.copyOf(epsilons);
    if (seeds < 1 || !epsilons.contains(SHOWN)) {
      throw new IllegalArgumentException("at least 1 seed, and epsilon 1 among others");
    }
  }

  @Override
  public long steps() {
    return (long) (RealAmounts.number() + MadeUpAmounts.values().length) * epsilons.size()
        + SIZES.size();
  }

  /** Writes {@code numbers.csv} and {@code numbers.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Amounts> all = new ArrayList<>(RealAmounts.readAll(data));
    for (MadeUpAmounts each : MadeUpAmounts.values()) {
      all.add(each.of(USERS));
    }
    List<NumberRow> rows = new ArrayList<>();
    Parallel.all(
            all.size() * epsilons.size(),
            i -> compared(all.get(i / epsilons.size()), epsilons.get(i % epsilons.size())),
            progress)
        .forEach(rows::addAll);
    CoverageComparison coverage = new CoverageComparison(seeds * PER_INTERVAL);
    Parallel.all(
            SIZES.size(),
            i -> coverage.rows(MadeUpAmounts.LOG_NORMAL.of(SIZES.get(i)), SHOWN),
            progress)
        .forEach(rows::addAll);
    ResultLines csv = new ResultLines(NumberRow.header());
    rows.forEach(row -> csv.add(row.line()));
    csv.write(out.resolve("numbers.csv"));
    draw(rows);
    return summary(new NumberMatrix(rows));
  }

  private List<NumberRow> compared(Amounts amounts, double epsilon) {
    List<NumberRow> rows = new ArrayList<>();
    rows.addAll(new MomentComparison(seeds).rows(amounts, epsilon));
    rows.addAll(
        new QuantileComparison(Math.max(1, seeds / PER_QUANTILE), QUANTILES)
            .rows(amounts, epsilon));
    return rows;
  }

  private void draw(List<NumberRow> rows) throws ExperimentException {
    Plots plots = new Plots();
    for (String statistic : List.of("mean", "variance")) {
      for (String shown : List.of("log-normal", "diabetes")) {
        panel(plots, statistic + ", " + shown, "epsilon", "error over the range");
        lines(plots, rows, statistic, shown, Metric.RMSE_OF_RANGE, NumberRow::epsilon);
      }
    }
    panel(plots, "median, log-normal", "epsilon", "error in ranks");
    lines(plots, rows, "quantile 0.50", "log-normal", Metric.RANK_ERROR, NumberRow::epsilon);
    plots.panel(
        "95% intervals of a mean, log-normal",
        "users", Plots.Axis.LOGARITHMIC, "coverage", Plots.Axis.LINEAR);
    lines(plots, rows, "mean", "log-normal", Metric.COVERAGE, row -> row.amounts().byUser().size());
    ResultTable.write(out.resolve("numbers.png"), plots, 2);
  }

  private static void panel(Plots plots, String title, String x, String y) {
    plots.panel(title, x, Plots.Axis.LOGARITHMIC, y, Plots.Axis.LOGARITHMIC);
  }

  /** A line for each method, over all data whose names begin so. */
  private static void lines(
      Plots plots,
      List<NumberRow> rows,
      String statistic,
      String data,
      Metric metric,
      ToDoubleFunction<NumberRow> x) {
    Map<String, TreeMap<Double, Double>> lines = new TreeMap<>();
    for (NumberRow row : new NumberMatrix(rows).of(statistic, metric)) {
      if (row.amounts().name().startsWith(data)) {
        lines
            .computeIfAbsent(row.method(), method -> new TreeMap<>())
            .put(x.applyAsDouble(row), row.get(metric));
      }
    }
    lines.forEach(
        (method, points) ->
            plots.line(
                method,
                points.keySet().stream().mapToDouble(Double::doubleValue).toArray(),
                points.values().stream().mapToDouble(Double::doubleValue).toArray()));
  }

  private static List<String> summary(NumberMatrix all) {
    ResultLines lines =
        new ResultLines(
            "epsilon 1 (delta 1e-6 where noise is Gaussian), root mean square errors; ours 1 and 2:"
                + " with 1 or 2 moments");
    for (Statistic statistic : Statistic.values()) {
      String name = statistic.toString();
      lines.addAll(all.lines(name + ", in the data's measure", name, Metric.RMSE, SHOWN));
      lines.addAll(all.lines(name + ", over the range", name, Metric.RMSE_OF_RANGE, SHOWN));
      lines.addAll(all.lines(name + ", over Google's", name, Metric.OVER_GOOGLE, SHOWN));
    }
    for (double q : QUANTILES) {
      String name = QuantileComparison.name(q);
      lines.addAll(all.lines(name + ", over the range", name, Metric.RMSE_OF_RANGE, SHOWN));
      lines.addAll(all.lines(name + ", in ranks", name, Metric.RANK_ERROR, SHOWN));
    }
    for (String name : List.of("mean", "variance", QuantileComparison.name(0.5))) {
      lines.addAll(all.lines(name + ", coverage of 95%", name, Metric.COVERAGE, SHOWN));
      lines.addAll(
          all.lines(
              name + ", width of intervals over the range", name, Metric.WIDTH_OF_RANGE, SHOWN));
    }
    return lines.all();
  }
}
