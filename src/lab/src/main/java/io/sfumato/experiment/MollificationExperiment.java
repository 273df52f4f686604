// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * KL divergence of what three ways into a mollifier make of known densities: scale and shift,
 * scaled variance, projection. Exact, no draws.
 *
 * @param out folder for tables and plots
 */
public record MollificationExperiment(Path out) implements Experiment {
  private static final String NAME = "mollifications";
  private static final double[] EPSILONS = {0.1, 0.25, 0.5, 1, 2, 3, 5, 8};
  private static final double ZIPF = 1.2;
  private static final int MIXTURES = 100;
  private static final DensityGrid LINE = new DensityGrid(-4, 4, 1, 800);

  /**
   * Densities with one reference.
   *
   * @param targets at least one: their mean KL is shown
   */
  private record Problem(String title, double[] base, List<double[]> targets) {}

  private static List<Problem> problems() {
    double[] flat = uniform(LINE.size());
    return List.of(
        new Problem("Zipf of 10 categories", uniform(10), List.of(zipf(10))),
        new Problem("Zipf of 100 categories", uniform(100), List.of(zipf(100))),
        new Problem("N(0.5, 0.25), uniform", flat, List.of(on(gaussian(0.5, 0.5)))),
        new Problem("N(0.5, 1), uniform", flat, List.of(on(gaussian(0.5, 1)))),
        new Problem(
            "three Gaussians, N(0.5, 0.25)",
            on(gaussian(0.5, 0.5)),
            List.of(on(Mixture1dExperiment.target()))),
        new Problem(
            "100 random mixtures, their mean",
            on(RandomMixtures.mean()),
            IntStream.range(0, MIXTURES)
                .mapToObj(i -> RandomMixtures.task(i, 1).truth())
                .toList()));
  }

  private static Gaussians gaussian(double mean, double deviation) {
    return Gaussians.of(new double[] {mean}, new double[] {deviation});
  }

  private static double[] on(Gaussians density) {
    return LINE.probabilities(x -> density.logDensity(x.numbers()));
  }

  private static double[] uniform(int cells) {
    double[] shares = new double[cells];
    Arrays.fill(shares, 1.0 / cells);
    return shares;
  }

  private static double[] zipf(int categories) {
    return DensityGrid.normalised(
        IntStream.rangeClosed(1, categories).mapToDouble(i -> Math.pow(i, -ZIPF)).toArray());
  }

  @Override
  public long steps() {
    return (long) problems().size() * EPSILONS.length;
  }

  /** Writes {@code mollifications.csv} and {@code mollifications.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    ResultLines csv =
        new ResultLines("problem,epsilon,reference,scale_and_shift,scaled_variance,projection");
    ResultLines lines = new ResultLines();
    Plots plots = new Plots();
    Mollification[] ways = Mollification.values();
    for (Problem problem : problems()) {
      double[][] found = new double[ways.length][EPSILONS.length];
      double reference =
          problem.targets().stream()
              .mapToDouble(p -> DensityGrid.kl(p, problem.base()))
              .average()
              .orElseThrow();
      for (int e = 0; e < EPSILONS.length; e++) {
        for (Mollification way : ways) {
          double epsilon = EPSILONS[e];
          found[way.ordinal()][e] =
              problem.targets().stream()
                  .mapToDouble(
                      p -> Math.max(0, DensityGrid.kl(p, way.of(p, problem.base(), epsilon))))
                  .average()
                  .orElseThrow();
        }
        csv.add(
            "\"%s\",%s,%.6g,%.6g,%.6g,%.6g",
            problem.title(), EPSILONS[e], reference, found[0][e], found[1][e], found[2][e]);
        lines.add(
            "%s, epsilon %s: scale and shift %.4f, scaled variance %.4f, projection %.4f"
                + " (reference %.4f)",
            problem.title(), EPSILONS[e], found[0][e], found[1][e], found[2][e], reference);
        progress.run();
      }
      plots.panel(problem.title(), "epsilon", Plots.Axis.LINEAR, "KL", Plots.Axis.LINEAR);
      for (Mollification way : ways) {
        plots.line(way.title(), EPSILONS, found[way.ordinal()]);
      }
    }
    csv.write(out.resolve(NAME + ".csv"));
    ResultTable.write(out.resolve(NAME + ".png"), plots, 3);
    return lines.all();
  }
}
