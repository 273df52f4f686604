// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians.Component;
import io.sfumato.mechanism.mollifier.NumericReference.Uniform;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A hundred random mixtures of Gaussians of variance 1 on [-4, 4], reference uniform: worst and
 * mean KL divergence of what is sampled, the minimax sampler beside MBDE. Ten components with
 * weights Dirichlet(1, ..., 1): what is published does not say how many, and these are as far from
 * uniform.
 *
 * @param out folder for tables and plots
 */
public record Random1dExperiment(Path out) {
  private static final int MIXTURES = 100;
  private static final int COMPONENTS = 10;

  /** Smooth densities of 4,000 records need no more. */
  private static final DensityContenders.Features FEATURES =
      new DensityContenders.Features(60, 0.5);

  private static final int RECORDS = 4000;
  private static final double[] EPSILONS = {0.1, 0.5, 1, 2, 5};
  private static final DensityGrid GRID = new DensityGrid(-4, 4, 1, 800);

  /** Cells of the clipped sampler: many records for each. */
  private static final int COARSE = 40;

  /** One Gaussian at the border, cut at it, is 6.4 times the uniform density: none is more. */
  private static final double LARGEST = 6.4;

  /** Mean KL that was published for MBDE in this setting, by epsilon. */
  private static final double[] PUBLISHED = {0.107, 0.091, 0.099, 0.074, 0.063};

  /** Steps of the progress. */
  public long steps() {
    return (long) EPSILONS.length * MIXTURES;
  }

  /** Writes {@code random-1d.csv} and {@code random-1d.png}. */
  public List<String> run(Runnable progress) throws ExperimentException {
    Reference uniform =
        new Reference(new double[0], Optional.of(new Uniform(new double[] {-4}, new double[] {4})));
    DensityContenders contenders = new DensityContenders(GRID, uniform, LARGEST, FEATURES);
    List<String> csv = new ArrayList<>();
    csv.add("epsilon,clipped_worst,clipped_mean,mbde_worst,mbde_mean,published_mean");
    List<String> lines = new ArrayList<>();
    double[] clippedMeans = new double[EPSILONS.length];
    double[] mbdeMeans = new double[EPSILONS.length];
    for (int e = 0; e < EPSILONS.length; e++) {
      double epsilon = EPSILONS[e];
      double[][] found =
          IntStream.range(0, MIXTURES)
              .parallel()
              .mapToObj(
                  i -> {
                    double[] kl = one(contenders, i, epsilon);
                    synchronized (progress) {
                      progress.run();
                    }
                    return kl;
                  })
              .toArray(double[][]::new);
      double[] clipped = Arrays.stream(found).mapToDouble(kl -> kl[0]).toArray();
      double[] mbde = Arrays.stream(found).mapToDouble(kl -> kl[1]).toArray();
      clippedMeans[e] = Arrays.stream(clipped).average().orElseThrow();
      mbdeMeans[e] = Arrays.stream(mbde).average().orElseThrow();
      csv.add(
          String.format(
              Locale.ROOT,
              "%s,%.6g,%.6g,%.6g,%.6g,%s",
              epsilon,
              Arrays.stream(clipped).max().orElseThrow(),
              clippedMeans[e],
              Arrays.stream(mbde).max().orElseThrow(),
              mbdeMeans[e],
              PUBLISHED[e]));
      lines.add(
          String.format(
              Locale.ROOT,
              "epsilon %s: clipped worst %.4f, mean %.4f; MBDE worst %.4f, mean %.4f (published MBDE"
                  + " mean %.3f)",
              epsilon,
              Arrays.stream(clipped).max().orElseThrow(),
              clippedMeans[e],
              Arrays.stream(mbde).max().orElseThrow(),
              mbdeMeans[e],
              PUBLISHED[e]));
    }
    ResultTable.write(out.resolve("random-1d.csv"), csv);
    Plots plots = new Plots();
    plots.panel(
        "100 random mixtures",
        "epsilon",
        Plots.Axis.LOGARITHMIC,
        "mean KL",
        Plots.Axis.LOGARITHMIC);
    plots.line("MBDE, ours", EPSILONS, mbdeMeans);
    plots.line("MBDE, published", EPSILONS, PUBLISHED);
    plots.line("clipped (minimax)", EPSILONS, clippedMeans);
    ResultTable.write(out.resolve("random-1d.png"), plots, 1);
    return lines;
  }

  /** KL of the clipped sampler and of MBDE for one mixture. */
  private static double[] one(DensityContenders contenders, int mixture, double epsilon) {
    ReplayableRandom random = ReplayableRandom.ofPublicSeed("random-1d " + mixture);
    List<Component> components = new ArrayList<>();
    for (int i = 0; i < COMPONENTS; i++) {
      double mean = -4 + 8 * random.nextOpenDouble();
      double weight = -Math.log(random.nextOpenDouble()); // normalised: Dirichlet(1, ..., 1)
      components.add(new Component(weight, new double[] {mean}, new double[] {1}));
    }
    Gaussians target = new Gaussians(components);
    double[] p = GRID.probabilities(x -> target.logDensity(x.numbers()));
    List<Point> dataset = new ArrayList<>();
    while (dataset.size() < RECORDS) {
      double[] x = target.draw(random);
      if (Math.abs(x[0]) < 4) {
        dataset.add(new Point(0, x));
      }
    }
    return new double[] {
      DensityGrid.kl(p, contenders.clipped(dataset, epsilon, COARSE).probabilities()),
      DensityGrid.kl(p, contenders.ours(dataset, epsilon).probabilities())
    };
  }
}
