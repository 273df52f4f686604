// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Delta;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The experiments that fit models to data sets: figures 4 and 5 (naive Bayes) and 7 (Bayesian
 * networks) of the paper, and 9 to 11, the same at (epsilon, delta).
 *
 * @param models what is fitted
 * @param data folder of the data sets
 * @param out folder for tables and plots
 * @param reference folder of the figures to compare with
 * @param datasets names of any files {@code NAME.csv.gz}, in the order of the plots
 * @param repeats of each mechanism, at least 1
 * @param bins quantile bins of numeric columns, 2 to 1000; the paper has 10
 * @param encoding how test values find their bins
 * @param delta of a model, above 0: figures 9 to 11; none for those at a Rényi order
 */
public record ModelExperiment(
    Models models,
    Path data,
    Path out,
    Optional<Path> reference,
    List<String> datasets,
    int repeats,
    int bins,
    Encoding encoding,
    Optional<Delta> delta)
    implements Experiment {
  /** What is fitted to the data sets. */
  public enum Models {
    NAIVE_BAYES,
    BAYESIAN_NETWORKS;

    /** Names of the data sets that the paper has for them. */
    public List<String> datasets() {
      return switch (this) {
        case NAIVE_BAYES -> NaiveBayes.DATA_SETS;
        case BAYESIAN_NETWORKS -> Network.PAPER.stream().map(Network::dataset).toList();
      };
    }
  }

  /** A model of one data set. */
  private interface Fitted {
    Result run(Contender contender, double epsilon, int repeats, Estimators estimators)
        throws ExperimentException;
  }

  public ModelExperiment {
    datasets = List.copyOf(datasets);
    if (repeats < 1 || repeats > 10_000) {
      throw new IllegalArgumentException("repeats must be 1 to 10000, was " + repeats);
    }
    if (bins < 2 || bins > 1000) {
      throw new IllegalArgumentException("bins must be 2 to 1000, was " + bins);
    }
    if (delta.isPresent() && delta.get().value().signum() == 0) {
      throw new IllegalArgumentException("delta must be above 0 and below 1, was 0");
    }
  }

  @Override
  public long steps() {
    return (long) datasets.size() * estimators().contenders().size() * epsilons().length;
  }

  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    return switch (models) {
      case NAIVE_BAYES -> naiveBayes(progress);
      case BAYESIAN_NETWORKS -> bayesianNetworks(progress);
    };
  }

  private Estimators estimators() {
    return delta.isPresent() ? new ApproximateEstimators(delta.get()) : new RenyiEstimators();
  }

  /** Those of the paper's figures. */
  private double[] epsilons() {
    if (delta.isEmpty()) {
      return Grid.EPSILONS;
    }
    return switch (models) {
      case NAIVE_BAYES -> Grid.logarithmic(-2, 1, 10);
      case BAYESIAN_NETWORKS -> Grid.logarithmic(-1, 2, 10);
    };
  }

  /** Of a table or plot; those at (epsilon, delta) lie beside the others. */
  private Path file(String name, String ending) {
    return out.resolve(name + (delta.isPresent() ? "-delta" : "") + ending);
  }

  /** Every contender at every epsilon. */
  private List<Result> contenders(Fitted model, Estimators estimators, Runnable progress)
      throws ExperimentException {
    List<Result> rows = new ArrayList<>();
    for (Contender contender : estimators.contenders()) {
      for (double epsilon : epsilons()) {
        rows.add(model.run(contender, epsilon, repeats, estimators));
        progress.run();
      }
    }
    return rows;
  }

  /** Figures 4 and 5. */
  private List<String> naiveBayes(Runnable progress) throws ExperimentException {
    List<Result> rows = new ArrayList<>();
    ResultLines lines = new ResultLines();
    Estimators estimators = estimators();
    for (String name : datasets) {
      NaiveBayes model = new NaiveBayes(DataSet.read(data, name).withoutRepeated(), bins, encoding);
      rows.add(model.random());
      rows.add(model.nonPrivate());
      rows.addAll(contenders(model::run, estimators, progress));
      lines.add(name + ": " + model.features() + " features");
      if (model.unseenClasses() > 0) {
        lines.add(
            "%s: %d test rows are of classes that training has not seen",
            name, model.unseenClasses());
      }
    }
    ResultTable table = new ResultTable(NaiveBayes.METRICS, rows);
    table.write(file("naive-bayes", ".csv"));
    plot(
        table,
        0,
        "test cross-entropy",
        Plots.Axis.LOGARITHMIC,
        file("naive-bayes", "-cross-entropy.png"));
    plot(table, 1, "test accuracy", Plots.Axis.LINEAR, file("naive-bayes", "-accuracy.png"));
    lines.addAll(winners(table, -1));
    lines.addAll(compare(table, "naive-bayes.csv", 2));
    return lines.all();
  }

  /** Figure 7. */
  private List<String> bayesianNetworks(Runnable progress) throws ExperimentException {
    List<Result> rows = new ArrayList<>();
    ResultLines lines = new ResultLines();
    Estimators estimators = estimators();
    for (String name : datasets) {
      Network network = Network.find(data, name);
      BayesianNetwork model =
          new BayesianNetwork(network, DataSet.read(data, name), bins, encoding);
      lines.add(
          "%s: training has not seen %.1f%% of the test cells", name, 100 * model.unseenShare());
      rows.add(model.nonPrivate());
      rows.addAll(contenders(model::run, estimators, progress));
    }
    ResultTable table = new ResultTable(BayesianNetwork.METRICS, rows);
    String name = "bayesian-networks";
    table.write(file(name, ".csv"));
    plot(table, 0, "test log-likelihood, seen cells", Plots.Axis.LINEAR, file(name, ".png"));
    plot(table, 1, "test log-likelihood", Plots.Axis.LINEAR, file(name, "-all-cells.png"));
    lines.addAll(winners(table, 1));
    lines.addAll(compare(table, "bayesian-networks.csv", 1));
    return lines.all();
  }

  private List<String> compare(ResultTable table, String name, int metrics)
      throws ExperimentException {
    if (reference.isEmpty()) {
      return List.of();
    }
    return PublishedFigures.read(reference.get().resolve(name), metrics)
        .compare(table, metrics, out.resolve(name.replace(".csv", "-against-reference.csv")));
  }

  /** Who is best at how many epsilons, by the first metric; {@code sign} is 1 if more is better. */
  private List<String> winners(ResultTable table, int sign) {
    ResultLines lines = new ResultLines();
    List<Contender> contenders = estimators().contenders();
    for (String dataset : datasets) {
      int[] wins = new int[contenders.size()];
      for (double epsilon : epsilons()) {
        int best = 0;
        for (int c = 1; c < wins.length; c++) {
          best =
              sign
                          * (mean(table, dataset, contenders.get(c), epsilon)
                              - mean(table, dataset, contenders.get(best), epsilon))
                      > 0
                  ? c
                  : best;
        }
        wins[best]++;
      }
      StringBuilder line =
          new StringBuilder(dataset + ": best by " + table.metrics().get(0) + " at");
      for (int c = 0; c < wins.length; c++) {
        if (wins[c] > 0) {
          line.append(" %d epsilons %s,".formatted(wins[c], contenders.get(c).title()));
        }
      }
      lines.add(line.substring(0, line.length() - 1));
    }
    return lines.all();
  }

  private static double mean(
      ResultTable table, String dataset, Contender contender, double epsilon) {
    return table.rows().stream()
        .filter(row -> row.dataset().equals(dataset))
        .filter(row -> row.mechanism().equals(contender.title()))
        .filter(row -> row.epsilon().isPresent() && row.epsilon().getAsDouble() == epsilon)
        .findFirst()
        .orElseThrow()
        .metrics()
        .get(0)
        .mean();
  }

  private void plot(ResultTable table, int metric, String title, Plots.Axis axis, Path file)
      throws ExperimentException {
    Plots plots = new Plots();
    double[] x = epsilons();
    String xTitle = delta.map(d -> "epsilon at delta " + d).orElse("epsilon");
    for (String dataset : datasets) {
      plots.panel(dataset, xTitle, Plots.Axis.LOGARITHMIC, title, axis);
      for (String flat : List.of("Non-private", "Random")) {
        table.rows().stream()
            .filter(row -> row.dataset().equals(dataset) && row.mechanism().equals(flat))
            .findFirst()
            .ifPresent(
                row -> {
                  double y = row.metrics().get(metric).mean();
                  plots.line(flat, new double[] {x[0], x[x.length - 1]}, new double[] {y, y});
                });
      }
      for (Contender contender : estimators().contenders()) {
        double[] y =
            table.rows().stream()
                .filter(row -> row.dataset().equals(dataset))
                .filter(row -> row.mechanism().equals(contender.title()))
                .mapToDouble(row -> row.metrics().get(metric).mean())
                .toArray();
        plots.line(contender.title(), x, y);
      }
    }
    ResultTable.write(file, plots, Math.min(3, datasets.size()));
  }
}
