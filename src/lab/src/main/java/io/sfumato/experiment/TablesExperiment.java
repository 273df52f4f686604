// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.tables.TableQuery;
import io.sfumato.plot.Plots;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * All tables of one and two columns at (epsilon, 1e-6): consistent ones of one draw beside one
 * release a table with the budget divided evenly, and beside noisy counts of all combinations,
 * added up.
 *
 * @param out folder for table and plot
 * @param data a table, {@code NAME.csv.gz}, or the folder of the public data; a made-up population
 *     where there is none
 * @param seeds of the noise, at least 1
 */
public record TablesExperiment(Path out, Optional<Path> data, int seeds) implements Experiment {
  private static final double[] EPSILONS = {0.1, 0.25, 0.5, 1, 2, 4};
  static final List<String> METRICS = List.of("total", "columns", "pairs", "weighted");

  /** Metrics that are plotted and told. */
  private static final int SHOWN = 3;

  @Override
  public long steps() {
    int populations = data.filter(Files::isDirectory).isPresent() ? 3 : 1;
    return (long) populations * EPSILONS.length * seeds;
  }

  /** Writes {@code tables.csv} and {@code tables.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Result> rows = new ArrayList<>();
    ResultLines lines = new ResultLines();
    List<TablePopulation> all = TablePopulation.all(data);
    for (TablePopulation people : all) {
      compare(people, rows, lines, progress);
    }
    new ResultTable(METRICS, rows).write(out.resolve("tables.csv"));
    plot(all, rows);
    return lines.all();
  }

  private void compare(
      TablePopulation people, List<Result> rows, ResultLines lines, Runnable progress) {
    lines.add(
        "%s: %,d people, %,d records, %d columns, %d tables, %,d cells; delta %s, %d seeds",
        people.name(),
        people.people().size(),
        people.records(),
        people.tables().columns(),
        people.tables().tables(),
        people.tables().cells(),
        TableTrials.DELTA,
        seeds);
    lines.add("root mean square errors of the total, of a column's cell, and of a pair's:");
    for (double epsilon : EPSILONS) {
      TableTrials trials = new TableTrials(people, epsilon);
      List<TableTrials.Trial> drawn = Parallel.all(seeds, trials::trial, progress);
      List<Result> found = trials.results(drawn);
      rows.addAll(found);
      lines.add(
          "epsilon %s: ours %s, one release a table %s, all combinations %s; 95%% intervals hold"
              + " %.1f%%",
          epsilon,
          errors(found.get(0)),
          errors(found.get(2)),
          errors(found.get(3)),
          100 * drawn.stream().mapToDouble(TableTrials.Trial::held).average().orElseThrow());
    }
  }

  private static String errors(Result row) {
    return row.metrics().stream()
        .limit(SHOWN)
        .map(metric -> String.format(Locale.ROOT, "%.1f", metric.mean()))
        .reduce((first, second) -> first + " " + second)
        .orElseThrow();
  }

  private void plot(List<TablePopulation> all, List<Result> rows) throws ExperimentException {
    Plots plots = new Plots();
    for (TablePopulation people : all) {
      for (int metric = 0; metric < SHOWN; metric++) {
        int shown = metric;
        plots.panel(
            people.name() + ", " + METRICS.get(metric),
            "epsilon at delta " + TableTrials.DELTA,
            Plots.Axis.LOGARITHMIC,
            "rms error of a cell",
            Plots.Axis.LOGARITHMIC);
        for (String method : TableTrials.METHODS) {
          plots.line(
              method,
              EPSILONS,
              rows.stream()
                  .filter(row -> row.dataset().equals(people.name()))
                  .filter(row -> row.mechanism().equals(method))
                  .mapToDouble(row -> row.metrics().get(shown).mean())
                  .toArray());
        }
      }
    }
    ResultTable.write(out.resolve("tables.png"), plots, SHOWN);
  }

  /** Root mean squares by kinds of tables; the last one weighs cells by how they are measured. */
  static double[] roots(GridMeasurement<TableQuery> mechanism, double[] squares) {
    int finest = mechanism.query().tables().finest();
    double[] precisions = mechanism.query().weights().precisions();
    double weighted = 0;
    double weights = 0;
    for (int table = 0; table < squares.length; table++) {
      double weight = precisions[table] * mechanism.query().tables().size(table);
      weighted += weight * squares[table];
      weights += weight;
    }
    return new double[] {
      Math.sqrt(squares[0]),
      mean(squares, 1, Math.max(2, finest)),
      mean(squares, finest, squares.length),
      Math.sqrt(weighted / weights)
    };
  }

  private static double mean(double[] squares, int from, int to) {
    return Math.sqrt(Arrays.stream(squares, from, to).average().orElseThrow());
  }
}
