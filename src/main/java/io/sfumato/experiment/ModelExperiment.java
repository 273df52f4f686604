// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The two experiments that fit models to the paper's data sets: figures 4 and 5 (naive Bayes) and 7
 * (Bayesian networks).
 *
 * @param data folder of the data sets
 * @param out folder for tables and plots
 * @param reference folder of the figures to compare with
 * @param datasets names, in the order of the plots
 * @param repeats of each mechanism, at least 1
 * @param bins quantile bins of numeric columns, 2 to 1000; the paper has 10
 * @param encoding how test values find their bins
 */
public record ModelExperiment(
    Path data,
    Path out,
    Optional<Path> reference,
    List<String> datasets,
    int repeats,
    int bins,
    Encoding encoding) {
  public ModelExperiment {
    datasets = List.copyOf(datasets);
    if (repeats < 1 || repeats > 10_000) {
      throw new IllegalArgumentException("repeats must be 1 to 10000, was " + repeats);
    }
    if (bins < 2 || bins > 1000) {
      throw new IllegalArgumentException("bins must be 2 to 1000, was " + bins);
    }
  }

  /** Data sets of the naive Bayes experiment. */
  public static List<String> naiveBayesDatasets() {
    return NaiveBayes.DATA_SETS;
  }

  /** Data sets that have a network. */
  public static List<String> networkDatasets() {
    return Network.PAPER.stream().map(Network::dataset).toList();
  }

  /** Steps of the progress. */
  public long steps() {
    return (long) datasets.size() * Contender.values().length * Grid.EPSILONS.length;
  }

  /**
   * Figures 4 and 5.
   *
   * @param progress runs after each step
   * @return what was found, for people
   */
  public List<String> naiveBayes(Runnable progress) throws ExperimentException {
    List<Result> rows = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    Estimators estimators = new Estimators();
    for (String name : datasets) {
      NaiveBayes model =
          new NaiveBayes(DataSet.read(data, name).without("education-num"), bins, encoding);
      rows.add(model.random());
      rows.add(model.nonPrivate());
      for (Contender contender : Contender.values()) {
        for (double epsilon : Grid.EPSILONS) {
          rows.add(model.run(contender, epsilon, repeats, estimators));
          progress.run();
        }
      }
      lines.add(name + ": " + model.features() + " features");
    }
    ResultTable table = new ResultTable(NaiveBayes.METRICS, rows);
    table.write(out.resolve("naive-bayes.csv"));
    plot(table, 0, "test cross-entropy", Plots.Axis.LOGARITHMIC, "naive-bayes-cross-entropy.png");
    plot(table, 1, "test accuracy", Plots.Axis.LINEAR, "naive-bayes-accuracy.png");
    lines.addAll(winners(table, -1));
    lines.addAll(compare(table, "naive-bayes.csv", 2));
    return lines;
  }

  /**
   * Figure 7.
   *
   * @param progress runs after each step
   * @return what was found, for people
   */
  public List<String> bayesianNetworks(Runnable progress) throws ExperimentException {
    List<Result> rows = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    Estimators estimators = new Estimators();
    for (String name : datasets) {
      Network network =
          Network.PAPER.stream().filter(n -> n.dataset().equals(name)).findFirst().orElseThrow();
      BayesianNetwork model =
          new BayesianNetwork(network, DataSet.read(data, name), bins, encoding);
      lines.add(
          String.format(
              Locale.ROOT,
              "%s: training has not seen %.1f%% of the test cells",
              name,
              100 * model.unseenShare()));
      rows.add(model.nonPrivate());
      for (Contender contender : Contender.values()) {
        for (double epsilon : Grid.EPSILONS) {
          rows.add(model.run(contender, epsilon, repeats, estimators));
          progress.run();
        }
      }
    }
    ResultTable table = new ResultTable(BayesianNetwork.METRICS, rows);
    table.write(out.resolve("bayesian-networks.csv"));
    plot(table, 0, "test log-likelihood, seen cells", Plots.Axis.LINEAR, "bayesian-networks.png");
    plot(table, 1, "test log-likelihood", Plots.Axis.LINEAR, "bayesian-networks-all-cells.png");
    lines.addAll(winners(table, 1));
    lines.addAll(compare(table, "bayesian-networks.csv", 1));
    return lines;
  }

  private List<String> compare(ResultTable table, String name, int metrics)
      throws ExperimentException {
    if (reference.isEmpty()) {
      return List.of();
    }
    return Reference.read(reference.get().resolve(name), metrics)
        .compare(table, metrics, out.resolve(name.replace(".csv", "-against-reference.csv")));
  }

  /** Who is best at how many epsilons, by the first metric; {@code sign} is 1 if more is better. */
  private List<String> winners(ResultTable table, int sign) {
    List<String> lines = new ArrayList<>();
    for (String dataset : datasets) {
      int[] wins = new int[Contender.values().length];
      for (double epsilon : Grid.EPSILONS) {
        int best = 0;
        for (int c = 1; c < wins.length; c++) {
          best =
              sign * (mean(table, dataset, c, epsilon) - mean(table, dataset, best, epsilon)) > 0
                  ? c
                  : best;
        }
        wins[best]++;
      }
      StringBuilder line =
          new StringBuilder(dataset + ": best by " + table.metrics().get(0) + " at");
      for (Contender contender : Contender.values()) {
        if (wins[contender.ordinal()] > 0) {
          line.append(" %d epsilons %s,".formatted(wins[contender.ordinal()], contender.title()));
        }
      }
      lines.add(line.substring(0, line.length() - 1));
    }
    return lines;
  }

  private static double mean(ResultTable table, String dataset, int contender, double epsilon) {
    return table.rows().stream()
        .filter(row -> row.dataset().equals(dataset))
        .filter(row -> row.mechanism().equals(Contender.values()[contender].title()))
        .filter(row -> row.epsilon().isPresent() && row.epsilon().getAsDouble() == epsilon)
        .findFirst()
        .orElseThrow()
        .metrics()
        .get(0)
        .mean();
  }

  private void plot(ResultTable table, int metric, String title, Plots.Axis axis, String file)
      throws ExperimentException {
    Plots plots = new Plots();
    for (String dataset : datasets) {
      plots.panel(dataset, "epsilon", Plots.Axis.LOGARITHMIC, title, axis);
      for (String flat : List.of("Non-private", "Random")) {
        table.rows().stream()
            .filter(row -> row.dataset().equals(dataset) && row.mechanism().equals(flat))
            .findFirst()
            .ifPresent(
                row -> {
                  double y = row.metrics().get(metric).mean();
                  plots.line(
                      flat,
                      new double[] {Grid.EPSILONS[0], Grid.EPSILONS[Grid.EPSILONS.length - 1]},
                      new double[] {y, y});
                });
      }
      for (Contender contender : Contender.values()) {
        double[] y =
            table.rows().stream()
                .filter(row -> row.dataset().equals(dataset))
                .filter(row -> row.mechanism().equals(contender.title()))
                .mapToDouble(row -> row.metrics().get(metric).mean())
                .toArray();
        plots.line(contender.title(), Grid.EPSILONS, y);
      }
    }
    ResultTable.write(out.resolve(file), plots, Math.min(3, datasets.size()));
  }
}
