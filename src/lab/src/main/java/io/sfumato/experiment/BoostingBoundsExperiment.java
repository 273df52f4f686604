// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The papers' bounds beside what was measured, on three Gaussians on a line: constants and
 * divergences are those of the true densities, by sums over a grid.
 *
 * @param out folder for tables and plots
 */
public record BoostingBoundsExperiment(Path out) implements Experiment {
  private static final String NAME = "boosting-bounds";
  private static final double[] EPSILONS = {0.1, 0.5, 1, 2, 5};
  private static final int RECORDS = 10_000;
  private static final DensityGrid GRID = new DensityGrid(-4, 4, 1, 2000);
  private static final double LN2 = Math.log(2);

  /** The region B: where P is densest, up to this mass. */
  private static final double REGION = 0.95;

  private static List<Mbde> contenders() {
    return List.of(
        Mbde.papersOnLine(
            "network, N(0, 1)",
            DensityContenders.reference(Gaussians.of(new double[] {0}, new double[] {1}))),
        Mbde.ours(
            "logistic, N(0.5, 0.25)",
            DensityContenders.reference(Gaussians.of(new double[] {0.5}, new double[] {0.5})),
            new Mbde.Features(120, 0.3)));
  }

  @Override
  public long steps() {
    return (long) contenders().size() * EPSILONS.length;
  }

  /** Writes {@code boosting-bounds.csv}, {@code boosting-bounds-rounds.csv} and a plot. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    DensityTask task = DensityTask.of(NAME, GRID, Mixture1dExperiment.target(), RECORDS);
    ResultLines rounds =
        new ResultLines(
            "method,epsilon,round,theta,largest,gamma_p,gamma_q,regime,drop,printed,proved");
    ResultLines totals =
        new ResultLines(
            "method,epsilon,sum_of_thetas,lemma_9,widest,theorem_5,drop,theorem_7_most,"
                + "theorem_7_printed,proved,region_of_p,region_of_q,theorem_8,lemma_16,"
                + "kl,kl_of_other,lemma_17,lemma_18");
    ResultLines lines = new ResultLines();
    Plots plots = new Plots();
    for (Mbde contender : contenders()) {
      double[][] drawn = new double[4][EPSILONS.length];
      for (int e = 0; e < EPSILONS.length; e++) {
        double epsilon = EPSILONS[e];
        BoostingRun run = BoostingRun.of(contender, task, epsilon);
        rounds(contender.name(), epsilon, run, rounds);
        double printed = printedTotal(epsilon, run);
        totals(contender, epsilon, run, task, totals, lines);
        drawn[0][e] = epsilon / 2;
        drawn[1][e] = run.drop();
        drawn[2][e] = printed;
        drawn[3][e] = run.provedTotal();
        progress.run();
      }
      plots.panel(
          contender.name(),
          "epsilon",
          Plots.Axis.LOGARITHMIC,
          "drop of KL(P, Q)",
          Plots.Axis.LOGARITHMIC);
      plots.line("most: eps/2", EPSILONS, drawn[0]);
      plots.line("measured", EPSILONS, drawn[1]);
      plots.line("Theorem 7 as printed, where it speaks", EPSILONS, drawn[2]);
      plots.line("what is proved", EPSILONS, drawn[3]);
    }
    rounds.write(out.resolve(NAME + "-rounds.csv"));
    totals.write(out.resolve(NAME + ".csv"));
    ResultTable.write(out.resolve(NAME + ".png"), plots, 2);
    return lines.all();
  }

  private static void rounds(String name, double epsilon, BoostingRun run, ResultLines csv) {
    for (int t = 0; t < run.rounds().size(); t++) {
      BoostingBounds round = run.rounds().get(t);
      csv.add(
          "\"%s\",%s,%d,%.6g,%.4g,%.4g,%.4g,%s,%.6g,%.6g,%.6g",
          name,
          epsilon,
          t + 1,
          round.theta(),
          round.largest(),
          round.gammaP(),
          round.gammaQ(),
          round.isHigh() ? "high" : "low",
          run.kl(t) - run.kl(t + 1),
          round.printedDrop(),
          round.provedDrop());
    }
  }

  /** Not a number where a round leaves the high regime: the theorem says nothing then. */
  private static double printedTotal(double epsilon, BoostingRun run) {
    return run.isHigh()
        ? BoostingBounds.printedTotal(
            epsilon,
            run.leastGammaP(),
            run.leastGammaQ(),
            run.rounds().get(run.rounds().size() - 1).theta())
        : Double.NaN;
  }

  private static void totals(
      Mbde contender,
      double epsilon,
      BoostingRun run,
      DensityTask task,
      ResultLines csv,
      ResultLines lines) {
    double[] p = task.truth();
    double[] base = run.densities().get(0);
    double sum = run.rounds().stream().mapToDouble(BoostingBounds::theta).sum();
    double widest = Mollification.widest(run.last(), base);
    boolean[] region = region(p);
    double massOfP = mass(p, region);
    double massOfQ = mass(run.last(), region);
    double klOfRegion = klOfRegion(p, base, region);
    double theorem8 = theorem8(run, epsilon, massOfP, klOfRegion);
    double lemma16 = BoostingBounds.massByDrop(epsilon, massOfP, klOfRegion, run.drop());
    double kl = run.kl(run.rounds().size());
    double other = mirroredKl(contender, epsilon, task);
    double printed = printedTotal(epsilon, run);
    csv.add(
        "\"%s\",%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
        contender.name(),
        epsilon,
        sum,
        epsilon / (4 * LN2),
        widest,
        epsilon / 2,
        run.drop(),
        epsilon / 2,
        printed,
        run.provedTotal(),
        massOfP,
        massOfQ,
        theorem8,
        lemma16,
        kl,
        other,
        other + epsilon,
        other - RECORDS * epsilon);
    lines.add(
        "%s, epsilon %s: drop %.4f of at most %.4f; Theorem 7 as printed %.4f, proved %.4f;"
            + " mass of the region %.3f (P: %.3f), Theorem 8 %.3f, Lemma 16 %.3f; KL %.3f, of"
            + " mirrored records %.3f",
        contender.name(),
        epsilon,
        run.drop(),
        epsilon / 2,
        printed,
        run.provedTotal(),
        massOfQ,
        massOfP,
        theorem8,
        lemma16,
        kl,
        other);
  }

  /** The least mass of the region that Theorem 8 promises; not a number where it promises none. */
  private static double theorem8(
      BoostingRun run, double epsilon, double massOfP, double klOfRegion) {
    if (!run.isHigh()) {
      return Double.NaN;
    }
    double alpha =
        BoostingBounds.leastAlpha(
            epsilon, run.leastGammaP(), run.leastGammaQ(), run.rounds().size(), massOfP);
    return alpha <= 1 ? (1 - alpha) * massOfP - klOfRegion : Double.NaN;
  }

  /** Of what is learned from mirrored records. */
  private static double mirroredKl(Mbde contender, double epsilon, DensityTask task) {
    return DensityGrid.kl(
        task.truth(),
        BoostingRun.of(contender, task, contender.thinning().apply(mirrored(task)), epsilon)
            .last());
  }

  /** Records as far from the task's as their mirror image is: any other dataset would do. */
  private static List<Point> mirrored(DensityTask task) {
    return task.dataset().stream().map(x -> new Point(0, new double[] {-x.numbers()[0]})).toList();
  }

  private static boolean[] region(double[] p) {
    boolean[] region = new boolean[p.length];
    List<Integer> order =
        IntStream.range(0, p.length).boxed().sorted((i, k) -> Double.compare(p[k], p[i])).toList();
    double held = 0;
    for (int i = 0; held < REGION; i++) {
      region[order.get(i)] = true;
      held += p[order.get(i)];
    }
    return region;
  }

  private static double mass(double[] q, boolean[] region) {
    return IntStream.range(0, q.length).filter(i -> region[i]).mapToDouble(i -> q[i]).sum();
  }

  private static double klOfRegion(double[] p, double[] q, boolean[] region) {
    return IntStream.range(0, q.length)
        .filter(i -> region[i])
        .mapToDouble(i -> p[i] * Math.log(p[i] / q[i]))
        .sum();
  }
}
