// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.plot.Plots;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One to ten Gaussians of variance 0.01 with means anywhere in [0, 1], epsilon up to 2, four
 * repeats: mean and standard deviation of NLL and mode coverage (figures 6 and 7 of the long
 * integral-privacy paper, figure 5 of the published one).
 *
 * @param out folder for tables and plots
 */
public record RandomGaussians1dExperiment(Path out) implements Experiment {
  private static final String NAME = "random-gaussians-1d";
  private static final int MOST = 10;
  private static final int REPEATS = 4;
  private static final int RECORDS = 10_000;
  private static final double DEVIATION = 0.1;
  private static final double[] EPSILONS = {0.1, 0.25, 0.5, 1, 2};
  private static final DensityGrid GRID = new DensityGrid(-4, 4, 1, 2000);

  /** Where the setting says that the Gaussians lie. */
  private static final double[] BOX = {-0.5, 1.5};

  private static final Mbde.Features FEATURES = new Mbde.Features(120, 0.3);
  private static final int COARSE = 200;
  private static final double LARGEST = 8;

  /** How many Gaussians are drawn as lines. */
  private static final int[] SHOWN = {1, 2, 3, 5, 7, 10};

  /** By contender and epsilon: NLL, KL and mode coverage of one task. */
  private record Scores(double[][][] values) {}

  @Override
  public long steps() {
    return (long) MOST * REPEATS;
  }

  /**
   * Settings of the papers, ours and a projection with a reference as wide as [0, 1], and others.
   */
  private static List<DensityEstimator> contenders() {
    Gaussians ours = Gaussians.of(new double[] {0.5}, new double[] {0.3});
    return List.of(
        Mbde.papersOnLine(
            "MBDE, the papers'",
            DensityContenders.reference(Gaussians.of(new double[] {0}, new double[] {1}))),
        Mbde.oursOnLine("MBDE, ours", DensityContenders.reference(ours), FEATURES),
        new Projection(
            "projection", DensityContenders.reference(ours), LikelihoodRatioBand::mollifier),
        new MinimaxCells(
            "clipped", GRID.probabilities(x -> ours.logDensity(x.numbers())), LARGEST, COARSE),
        new BernsteinMechanism("Bernstein", BOX[0], BOX[1], 20, 0.05),
        new TunedBernstein(
            "Bernstein, tuned on the truth",
            new double[][] {{-4, 4}, BOX},
            new int[] {5, 10, 20, 40, 80},
            new double[] {0.02, 0.05, 0.1, 0.2}));
  }

  /** Writes {@code random-gaussians-1d.csv} and two plots. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Scores> all =
        Parallel.all(MOST * REPEATS, i -> scores(1 + i / REPEATS, i % REPEATS), progress);
    List<String> names = contenders().stream().map(DensityEstimator::name).toList();
    ResultLines csv =
        new ResultLines(
            "contender,gaussians,epsilon,nll,nll_sd,kl,kl_sd,mode_coverage,mode_coverage_sd");
    ResultLines lines = new ResultLines();
    // By contender, Gaussians and epsilon.
    MeasurementSummary[][][][] found =
        new MeasurementSummary[names.size()][MOST][EPSILONS.length][];
    for (int c = 0; c < names.size(); c++) {
      for (int m = 0; m < MOST; m++) {
        for (int e = 0; e < EPSILONS.length; e++) {
          found[c][m][e] = summaries(all, c, m, e);
          MeasurementSummary[] s = found[c][m][e];
          csv.add(
              "\"%s\",%d,%s,%.6g,%.3g,%.6g,%.3g,%.6g,%.3g",
              names.get(c),
              m + 1,
              EPSILONS[e],
              s[0].mean(),
              s[0].deviation(),
              s[1].mean(),
              s[1].deviation(),
              s[2].mean(),
              s[2].deviation());
        }
      }
      for (int e : new int[] {0, 2, 3, 4}) {
        lines.add(
            "%s, epsilon %s: mean KL over all %.3f, mean deviation of NLL %.3f, of mode coverage"
                + " %.3f; mode coverage %.3f",
            names.get(c),
            EPSILONS[e],
            mean(found[c], e, s -> s[1].mean()),
            mean(found[c], e, s -> s[0].deviation()),
            mean(found[c], e, s -> s[2].deviation()),
            mean(found[c], e, s -> s[2].mean()));
      }
    }
    csv.write(out.resolve(NAME + ".csv"));
    plot(names, found, 0, "NLL", "nll");
    plot(names, found, 2, "mode coverage", "mode-coverage");
    return lines.all();
  }

  private interface Reading {
    double of(MeasurementSummary[] summaries);
  }

  private static double mean(MeasurementSummary[][][] found, int epsilon, Reading reading) {
    return Arrays.stream(found).mapToDouble(m -> reading.of(m[epsilon])).average().orElseThrow();
  }

  private static MeasurementSummary[] summaries(
      List<Scores> all, int contender, int m, int epsilon) {
    return IntStream.range(0, 3)
        .mapToObj(
            metric ->
                MeasurementSummary.of(
                    IntStream.range(0, REPEATS)
                        .mapToDouble(
                            r -> all.get(m * REPEATS + r).values()[contender][epsilon][metric])
                        .toArray()))
        .toArray(MeasurementSummary[]::new);
  }

  private static Scores scores(int gaussians, int repeat) {
    String name = NAME + " " + gaussians + " " + repeat;
    KeyedRandom random = KeyedRandom.ofPublicSeed(name);
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < gaussians; i++) {
      components.add(
          new Component(1, new double[] {random.nextOpenDouble()}, new double[] {DEVIATION}));
    }
    DensityTask task = DensityTask.of(name, GRID, new Gaussians(components), RECORDS, random);
    List<DensityEstimator> contenders = contenders();
    double[][][] values = new double[contenders.size()][EPSILONS.length][];
    for (int c = 0; c < values.length; c++) {
      for (int e = 0; e < EPSILONS.length; e++) {
        values[c][e] = score(contenders.get(c), task, EPSILONS[e]);
      }
    }
    return new Scores(values);
  }

  private static double[] score(DensityEstimator contender, DensityTask task, double epsilon) {
    double[] sums = new double[3];
    double[] p = task.truth();
    for (int draw = 0; draw < contender.draws(); draw++) {
      KeyedRandom random = KeyedRandom.ofPublicSeed(task.name() + " " + epsilon + " " + draw);
      double[] q = contender.fit(task, epsilon, random).probabilities();
      sums[0] += GRID.nll(p, q) / contender.draws();
      sums[1] += DensityGrid.kl(p, q) / contender.draws();
      sums[2] += DensityGrid.coverage(p, q) / contender.draws();
    }
    return sums;
  }

  /** A row of panels for each contender: mean and deviation against epsilon. */
  private void plot(
      List<String> names, MeasurementSummary[][][][] found, int metric, String title, String file)
      throws ExperimentException {
    Plots plots = new Plots();
    for (int c = 0; c < names.size(); c++) {
      for (boolean mean : new boolean[] {true, false}) {
        plots.panel(
            names.get(c) + ": " + (mean ? "mean" : "deviation"),
            "epsilon",
            Plots.Axis.LINEAR,
            title,
            Plots.Axis.LINEAR);
        for (int m : SHOWN) {
          double[] y =
              Arrays.stream(found[c][m - 1])
                  .mapToDouble(s -> mean ? s[metric].mean() : s[metric].deviation())
                  .toArray();
          plots.line("m = " + m, EPSILONS, y);
        }
      }
    }
    ResultTable.write(out.resolve(NAME + "-" + file + ".png"), plots, 2);
  }
}
