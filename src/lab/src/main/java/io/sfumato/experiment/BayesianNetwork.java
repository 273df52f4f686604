// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Section 5.2 of the Dirichlet paper: parameters of a Bayesian network, epsilon / K for each of its
 * K nodes. The log-likelihood of the test rows is reported twice: over the cells that training has
 * seen, as the paper's code does, and over all of them.
 */
final class BayesianNetwork {
  private static final int MOST_CONFIGURATIONS = 10_000_000;
  static final List<String> METRICS = List.of("test_log_likelihood", "test_log_likelihood_all");

  private final Network network;
  private final List<Table> tables = new ArrayList<>();
  private final List<PublicRows> rowsOf = new ArrayList<>();
  private final Encoding encoding;

  /** One node's counts: by the parents' categories. */
  private record Table(
      int categories,
      TreeMap<List<Integer>, double[]> train,
      TreeMap<List<Integer>, double[]> test,
      long unseenTest) {
    /** Training counts of a row, zeros if training has not seen its configuration. */
    double[] counts(List<Integer> configuration) {
      return train.getOrDefault(configuration, new double[categories]);
    }
  }

  BayesianNetwork(Network network, DataSet data, int bins, Encoding encoding)
      throws ExperimentException {
    this.network = network;
    this.encoding = encoding;
    Split split = Split.of(data.size(), NaiveBayes.SPLIT_SEED);
    Map<String, Coded> coded = new HashMap<>();
    for (Network.Node node : network.nodes()) {
      coded.put(node.name(), Coded.of(data.column(node.name()), split, bins, encoding));
    }
    for (Network.Node node : network.nodes()) {
      Coded own = coded.get(node.name());
      List<Coded> parents = node.parents().stream().map(coded::get).toList();
      TreeMap<List<Integer>, double[]> train = empty();
      for (int i = 0; i < split.train().length; i++) {
        int row = i;
        add(train, parents.stream().map(p -> p.train()[row]).toList(), own, own.train()[i]);
      }
      TreeMap<List<Integer>, double[]> test = empty();
      long unseen = 0;
      for (int i = 0; i < split.test().length; i++) {
        int row = i;
        List<Integer> config = parents.stream().map(p -> p.test()[row]).toList();
        if (own.test()[i] == Coded.UNSEEN || config.contains(Coded.UNSEEN)) {
          unseen++;
        } else {
          add(test, config, own, own.test()[i]);
        }
      }
      tables.add(new Table(own.categories(), train, test, unseen));
      rowsOf.add(
          PublicRows.several(
              own.categories(), split.train().length, configurations(node, parents)));
    }
  }

  private int configurations(Network.Node node, List<Coded> parents) throws ExperimentException {
    double product = parents.stream().mapToDouble(Coded::categories).reduce(1, (x, y) -> x * y);
    if (product > MOST_CONFIGURATIONS) {
      throw new ExperimentException(
          "%s: the parents of '%s' have %.0f combinations of values, allowed are %d: give it fewer parents"
              .formatted(network.dataset(), node.name(), product, MOST_CONFIGURATIONS));
    }
    return (int) product;
  }

  private static TreeMap<List<Integer>, double[]> empty() {
    return new TreeMap<>(
        (x, y) -> {
          for (int i = 0; i < x.size(); i++) {
            int order = Integer.compare(x.get(i), y.get(i));
            if (order != 0) {
              return order;
            }
          }
          return 0;
        });
  }

  private static void add(
      Map<List<Integer>, double[]> table, List<Integer> config, Coded own, int category) {
    table.computeIfAbsent(config, c -> new double[own.categories()])[category]++;
  }

  /** Share of the test cells that training has not seen. */
  double unseenShare() {
    double unseen = 0;
    double all = 0;
    for (Table table : tables) {
      unseen += table.unseenTest();
      all += table.unseenTest();
      for (Map.Entry<List<Integer>, double[]> row : table.test().entrySet()) {
        double[] seen = table.counts(row.getKey());
        for (int c = 0; c < seen.length; c++) {
          all += row.getValue()[c];
          unseen += seen[c] == 0 ? row.getValue()[c] : 0;
        }
      }
    }
    return unseen / all;
  }

  /** Relative frequencies; over all cells with 0.1 added to each count. */
  Result nonPrivate() {
    double seen = 0;
    double all = 0;
    for (Table table : tables) {
      for (Map.Entry<List<Integer>, double[]> row : table.test().entrySet()) {
        double[] counts = table.counts(row.getKey());
        seen += logLikelihood(row.getValue(), CategoryShares.normalised(counts), counts, 1);
        all += logLikelihood(row.getValue(), CategoryShares.nonPrivate(counts), counts, 0);
      }
    }
    return Result.of(
        network.dataset(),
        "Non-private",
        OptionalDouble.empty(),
        List.of(new double[] {seen, all}),
        "");
  }

  /** One mechanism at one epsilon, {@code repeats} times. */
  Result run(Contender contender, double epsilon, int repeats, Estimators estimators)
      throws ExperimentException {
    List<Estimator> each = estimators.of(contender, epsilon, rowsOf);
    List<double[]> scores = new ArrayList<>();
    for (int repeat = 0; repeat < repeats; repeat++) {
      KeyedRandom random =
          KeyedRandom.ofPublicSeed(
              String.format(
                  Locale.ROOT,
                  "bayesian-network %s %s %s %d",
                  network.dataset(),
                  contender,
                  epsilon,
                  repeat));
      double seen = 0;
      double all = 0;
      for (int node = 0; node < tables.size(); node++) {
        Table table = tables.get(node);
        Estimator estimator = each.get(node);
        for (Map.Entry<List<Integer>, double[]> row : table.test().entrySet()) {
          // A configuration that training has not seen is released like any other: from zeros.
          double[] counts = table.counts(row.getKey());
          double[] shares = estimator.shares(counts, random);
          all += logLikelihood(row.getValue(), shares, counts, 0);
          double[] onSeen = onSeen(estimator, counts, shares, random);
          seen += logLikelihood(row.getValue(), onSeen, counts, 1);
        }
      }
      scores.add(new double[] {seen, all});
    }
    boolean same = each.stream().map(Estimator::parameters).distinct().count() == 1;
    String shown = same ? each.get(0).parameters() : "one pair a node";
    return Result.of(
        network.dataset(), contender.title(), OptionalDouble.of(epsilon), scores, shown);
  }

  /**
   * Shares for the figure that leaves unseen cells out. The published figures look as if rows were
   * drawn over the cells that training has seen only, which gives their support away.
   */
  private double[] onSeen(
      Estimator estimator, double[] counts, double[] shares, KeyedRandom random) {
    if (encoding == Encoding.CLEAN) {
      return shares;
    }
    double[] seen = Arrays.stream(counts).filter(n -> n > 0).toArray();
    if (seen.length == 0) {
      return shares;
    }
    double[] drawn = estimator.shares(seen, random);
    double[] spread = new double[counts.length];
    int next = 0;
    for (int c = 0; c < counts.length; c++) {
      spread[c] = counts[c] > 0 ? drawn[next++] : 0;
    }
    return spread;
  }

  /** Over the cells with at least {@code fewest} training records. */
  private static double logLikelihood(
      double[] test, double[] shares, double[] counts, double fewest) {
    double sum = 0;
    for (int c = 0; c < test.length; c++) {
      sum += test[c] > 0 && counts[c] >= fewest ? test[c] * Math.log(shares[c]) : 0;
    }
    return sum;
  }
}
