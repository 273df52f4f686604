// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * All contenders on one target against epsilon: negative log-likelihood and mode coverage.
 *
 * @param name of the files
 * @param target P
 * @param reference Q0 of the papers
 * @param ours Q0 of our settings: as wide as the domain, since no density of a mollifier is nearer
 *     to P than its reference but for eps/2
 * @param grid on which everything is measured
 * @param epsilons in order
 * @param coarse cells of the clipped sampler, in each dimension
 * @param bernstein the contender
 * @param largest public guess of P/Q0 for our Q0 and the clipped sampler
 */
record DensityComparison(
    String name,
    Gaussians target,
    NumericReference reference,
    NumericReference ours,
    DensityGrid grid,
    double[] epsilons,
    int coarse,
    BernsteinMechanism bernstein,
    double largest) {
  private static final int RECORDS = 10_000;
  private static final int DRAWS = 5;
  private static final DensityContenders.Features FEATURES =
      new DensityContenders.Features(120, 0.3);

  /** Densities that are shown. */
  private static final double[] SHOWN = {0.5, 2, 5};

  private record Scores(double nll, double coverage) {}

  long steps() {
    return epsilons.length * (long) DensityContenders.NAMES.size();
  }

  List<String> run(Path out, Runnable progress) throws ExperimentException {
    ReplayableRandom random = ReplayableRandom.ofPublicSeed(name);
    List<Point> dataset =
        IntStream.range(0, RECORDS).mapToObj(i -> new Point(0, target.draw(random))).toList();
    DensityContenders papers = contenders(reference);
    DensityContenders contenders = contenders(ours);
    double[] p = grid.probabilities(x -> target.logDensity(x.numbers()));
    List<String> csv = new ArrayList<>();
    csv.add("method,epsilon,nll,mode_coverage");
    List<String> rounds = new ArrayList<>();
    rounds.add("method,epsilon,round,theta,gamma_p,gamma_q,regime,promised_drop");
    Map<String, Scores[]> scores = new LinkedHashMap<>();
    Map<String, double[]> shown = new LinkedHashMap<>();
    shown.put("target", p);
    DensityContenders.NAMES.forEach(n -> scores.put(n, new Scores[epsilons.length]));
    for (int i = 0; i < epsilons.length; i++) {
      for (String contender : DensityContenders.NAMES) {
        Scores found = score(contender, papers, contenders, dataset, epsilons[i], p, shown, rounds);
        scores.get(contender)[i] = found;
        csv.add(
            String.format(
                Locale.ROOT,
                "\"%s\",%s,%.6g,%.6g",
                contender,
                epsilons[i],
                found.nll(),
                found.coverage()));
        progress.run();
      }
    }
    double entropy = grid.nll(p, p);
    double base = grid.nll(p, papers.base());
    double ourBase = grid.nll(p, contenders.base());
    csv.add(String.format(Locale.ROOT, "\"target itself\",,%.6g,%.6g", entropy, 0.95));
    csv.add(
        String.format(
            Locale.ROOT,
            "\"reference, the papers'\",0,%.6g,%.6g",
            base,
            DensityGrid.coverage(p, papers.base())));
    csv.add(
        String.format(
            Locale.ROOT,
            "\"reference, ours\",0,%.6g,%.6g",
            ourBase,
            DensityGrid.coverage(p, contenders.base())));
    ResultTable.write(out.resolve(name + ".csv"), csv);
    ResultTable.write(out.resolve(name + "-rounds.csv"), rounds);
    plot(out, scores, entropy, base);
    pictures(out, shown);
    return summary(scores, entropy, base);
  }

  private DensityContenders contenders(NumericReference q0) {
    return new DensityContenders(
        grid, new Reference(new double[0], Optional.of(q0)), largest, FEATURES);
  }

  private Scores score(
      String contender,
      DensityContenders papers,
      DensityContenders ours,
      List<Point> dataset,
      double epsilon,
      double[] p,
      Map<String, double[]> shown,
      List<String> rounds) {
    boolean noisy = contender.equals("Bernstein");
    double nll = 0;
    double coverage = 0;
    int draws = noisy ? DRAWS : 1;
    for (int draw = 0; draw < draws; draw++) {
      DensityContenders.Fitted fitted =
          switch (contender) {
            case "MBDE, the papers'" -> papers.papers(dataset, epsilon);
            case "MBDE, ours" -> ours.ours(dataset, epsilon);
            case "clipped" -> ours.clipped(dataset, epsilon, coarse);
            default ->
                new DensityContenders.Fitted(
                    bernstein.release(
                        dataset,
                        epsilon,
                        ReplayableRandom.ofPublicSeed(name + " " + epsilon + " " + draw)),
                    List.of());
          };
      double[] q = fitted.probabilities();
      rounds(contender, epsilon, fitted.rounds(), rounds);
      nll += grid.nll(p, q) / draws;
      coverage += DensityGrid.coverage(p, q) / draws;
      if (Arrays.stream(SHOWN).anyMatch(e -> e == epsilon)) {
        shown.put(contender + " " + epsilon, q);
      }
    }
    return new Scores(nll, coverage);
  }

  /** What each round of boosting did: weak-learning constants and the drop that they promise. */
  private static void rounds(
      String contender, double epsilon, List<Boosting.Round> made, List<String> csv) {
    for (int t = 0; t < made.size(); t++) {
      Boosting.Round round = made.get(t);
      csv.add(
          String.format(
              Locale.ROOT,
              "\"%s\",%s,%d,%.6g,%.4g,%.4g,%s,%.4g",
              contender,
              epsilon,
              t + 1,
              round.theta(),
              round.gammaP(),
              round.gammaQ(),
              round.regime().name().toLowerCase(Locale.ROOT),
              round.promisedDrop()));
    }
  }

  private void plot(Path out, Map<String, Scores[]> scores, double entropy, double base)
      throws ExperimentException {
    Plots plots = new Plots();
    plots.panel(
        name + ": negative log-likelihood",
        "epsilon",
        Plots.Axis.LOGARITHMIC,
        "nats",
        Plots.Axis.LINEAR);
    scores.forEach(
        (contender, found) ->
            plots.line(
                contender,
                epsilons,
                Arrays.stream(found).mapToDouble(s -> Math.min(base * 1.5, s.nll())).toArray()));
    plots.line("reference", epsilons, Arrays.stream(epsilons).map(e -> base).toArray());
    plots.line("target itself", epsilons, Arrays.stream(epsilons).map(e -> entropy).toArray());
    plots.panel(
        name + ": mode coverage",
        "epsilon",
        Plots.Axis.LOGARITHMIC,
        "P of where 95% of Q are",
        Plots.Axis.LINEAR);
    scores.forEach(
        (contender, found) ->
            plots.line(
                contender, epsilons, Arrays.stream(found).mapToDouble(Scores::coverage).toArray()));
    ResultTable.write(out.resolve(name + ".png"), plots, 2);
  }

  /** Figure 4 and figure 3: what the densities look like. */
  private void pictures(Path out, Map<String, double[]> shown) throws ExperimentException {
    Path file = out.resolve(name + "-densities.png");
    if (grid.dimensions() == 2) {
      ResultTable.write(file, new HeatMaps(grid.cells()), shown);
      return;
    }
    Plots plots = new Plots();
    double[] x =
        IntStream.range(0, grid.size()).mapToDouble(i -> grid.at(i).numbers()[0]).toArray();
    for (double epsilon : SHOWN) {
      plots.panel(
          name + ", epsilon " + epsilon, "", Plots.Axis.LINEAR, "density", Plots.Axis.LINEAR);
      shown.forEach(
          (title, q) -> {
            boolean here = title.equals("target") || title.endsWith(" " + epsilon);
            if (here) {
              String label =
                  title.equals("target") ? title : title.substring(0, title.lastIndexOf(' '));
              plots.line(label, x, Arrays.stream(q).map(v -> v / grid.width()).toArray());
            }
          });
    }
    ResultTable.write(file, plots, SHOWN.length);
  }

  private List<String> summary(Map<String, Scores[]> scores, double entropy, double base) {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT,
            "NLL of the target itself %.3f, of the papers' reference %.3f",
            entropy,
            base));
    for (int i = 0; i < epsilons.length; i++) {
      StringBuilder line = new StringBuilder("epsilon " + epsilons[i] + ":");
      for (Map.Entry<String, Scores[]> entry : scores.entrySet()) {
        Scores found = entry.getValue()[i];
        line.append(
            String.format(
                Locale.ROOT, "  %s %.3f / %.3f", entry.getKey(), found.nll(), found.coverage()));
      }
      lines.add(line + " (NLL / mode coverage)");
    }
    return lines;
  }
}
