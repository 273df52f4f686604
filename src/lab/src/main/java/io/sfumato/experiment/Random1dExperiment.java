// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A hundred random mixtures of Gaussians on [-4, 4], 2,000 records each: worst and mean KL
 * divergence of the density that an item is drawn from, what was published beside it, and the least
 * that each contender's own band allows.
 *
 * @param out folder for tables and plots
 */
public record Random1dExperiment(Path out) implements Experiment {
  private static final int MIXTURES = 100;

  private static final int RECORDS = 2000;
  private static final double[] EPSILONS = {0.1, 0.5, 1, 2, 5};

  /** A reference that the setting gives away. */
  private static final String MEAN = "mean mixture";

  /** Smooth densities need no more. */
  private static final Mbde.Features FEATURES = new Mbde.Features(60, 0.5);

  /** Cells of the clipped sampler: many records for each. */
  private static final int COARSE = 40;

  /** Published worst and mean KL by epsilon: Park, Asoodeh, Lee 2024, figure of 1-D mixtures. */
  private static final Map<String, double[][]> PUBLISHED =
      Map.of(
          "minimax, true density",
          new double[][] {
            {0.295, 0.138}, {0.194, 0.068}, {0.106, 0.034}, {0.022, 0.0034}, {7e-5, 1e-5}
          },
          "MBDE as published there",
          new double[][] {
            {0.460, 0.106}, {0.456, 0.091}, {0.433, 0.099}, {0.348, 0.074}, {0.286, 0.063}
          });

  /**
   * A contender.
   *
   * @param optimum of its band
   */
  private record Entry(DensityEstimator contender, BandOptimum optimum) {}

  /**
   * Over all mixtures of a contender.
   *
   * @param reachable mean KL of its band's optimum on the same mixtures
   */
  private record Found(double worst, double mean, double reachable) {}

  private static List<Entry> entries() {
    double[] envelope = RandomMixtures.envelope();
    double largest = Arrays.stream(envelope).sum();
    double[] widest = DensityGrid.normalised(envelope);
    Reference q0 = DensityContenders.reference(RandomMixtures.normal());
    WeakLearner network = Mbde.networkOnLine(q0);
    BandOptimum minimax =
        new BandOptimum(
            "minimax, true density", widest, e -> LikelihoodRatioBand.clipped(e, largest));
    BandOptimum normal = mollifier("N(0, 1)", RandomMixtures.normal());
    BandOptimum mean = mollifier(MEAN, RandomMixtures.mean());
    return List.of(
        new Entry(minimax, minimax),
        new Entry(new MinimaxCells("minimax, records", widest, largest, COARSE), minimax),
        new Entry(normal, normal),
        new Entry(projection("N(0, 1)", RandomMixtures.normal()), normal),
        new Entry(ours("N(0, 1)", RandomMixtures.normal()), normal),
        new Entry(Mbde.papersOnLine("MBDE, the papers', N(0, 1)", q0, network), normal),
        new Entry(SigmoidMbde.of("MBDE as published there", q0, network), normal),
        new Entry(mean, mean),
        new Entry(projection(MEAN, RandomMixtures.mean()), mean),
        new Entry(ours(MEAN, RandomMixtures.mean()), mean));
  }

  private static BandOptimum mollifier(String title, Gaussians q0) {
    return new BandOptimum(
        "mollifier of " + title + ", true density",
        RandomMixtures.GRID.probabilities(x -> q0.logDensity(x.numbers())),
        LikelihoodRatioBand::mollifier);
  }

  private static Projection projection(String title, Gaussians q0) {
    return new Projection(
        "projection, " + title, DensityContenders.reference(q0), LikelihoodRatioBand::mollifier);
  }

  private static Mbde ours(String title, Gaussians q0) {
    return Mbde.ours("MBDE, ours, " + title, DensityContenders.reference(q0), FEATURES);
  }

  @Override
  public long steps() {
    return (long) EPSILONS.length * MIXTURES * entries().size();
  }

  /** Writes {@code random-1d.csv} and {@code random-1d.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<DensityTask> tasks =
        Parallel.all(MIXTURES, i -> RandomMixtures.task(i, RECORDS), () -> {});
    ResultLines csv =
        new ResultLines("epsilon,contender,worst,mean,band_mean,published_worst,published_mean");
    ResultLines lines = new ResultLines();
    List<Entry> entries = entries();
    Map<String, double[]> means = new LinkedHashMap<>();
    entries.forEach(entry -> means.put(entry.contender().name(), new double[EPSILONS.length]));
    for (int e = 0; e < EPSILONS.length; e++) {
      double epsilon = EPSILONS[e];
      for (Entry entry : entries) {
        Found found = found(entry, tasks, epsilon, progress);
        String name = entry.contender().name();
        means.get(name)[e] = found.mean();
        int place = e;
        Optional<double[]> published =
            Optional.ofNullable(PUBLISHED.get(name)).map(rows -> rows[place]);
        csv.add(
            "%s,\"%s\",%.6g,%.6g,%.6g,%s",
            epsilon,
            name,
            found.worst(),
            found.mean(),
            found.reachable(),
            published.map(p -> p[0] + "," + p[1]).orElse(","));
        lines.add(
            "epsilon %s: %s: worst %.4g, mean %.4g (its band allows %.4g)%s",
            epsilon,
            name,
            found.worst(),
            found.mean(),
            found.reachable(),
            published
                .map(p -> String.format(Locale.ROOT, "; published %s, %s", p[0], p[1]))
                .orElse(""));
      }
    }
    csv.write(out.resolve("random-1d.csv"));
    plot(means);
    return lines.all();
  }

  private static Found found(
      Entry entry, List<DensityTask> tasks, double epsilon, Runnable progress) {
    List<double[]> all =
        Parallel.all(
            MIXTURES,
            i -> {
              double[] p = tasks.get(i).truth();
              return new double[] {
                DensityGrid.kl(p, entry.contender().probabilities(tasks.get(i), epsilon)),
                DensityGrid.kl(p, entry.optimum().probabilities(tasks.get(i), epsilon))
              };
            },
            progress);
    return new Found(
        all.stream().mapToDouble(kl -> kl[0]).max().orElseThrow(),
        all.stream().mapToDouble(kl -> kl[0]).average().orElseThrow(),
        all.stream().mapToDouble(kl -> kl[1]).average().orElseThrow());
  }

  private void plot(Map<String, double[]> means) throws ExperimentException {
    Plots plots = new Plots();
    plots.panel(
        "random mixtures on a line",
        "epsilon",
        Plots.Axis.LOGARITHMIC,
        "mean KL",
        Plots.Axis.LOGARITHMIC);
    means.forEach((name, y) -> line(plots, !name.contains(MEAN), name, y));
    plots.panel(
        "reference: " + MEAN, "epsilon", Plots.Axis.LOGARITHMIC, "mean KL", Plots.Axis.LOGARITHMIC);
    means.forEach((name, y) -> line(plots, name.contains(MEAN), name, y));
    plots.panel(
        "as published", "epsilon", Plots.Axis.LOGARITHMIC, "mean KL", Plots.Axis.LOGARITHMIC);
    PUBLISHED.forEach(
        (name, rows) ->
            plots.line(name, EPSILONS, Arrays.stream(rows).mapToDouble(p -> p[1]).toArray()));
    ResultTable.write(out.resolve("random-1d.png"), plots, 3);
  }

  private static void line(Plots plots, boolean shown, String name, double[] y) {
    if (shown) {
      plots.line(name, EPSILONS, y);
    }
  }
}
