// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.mollifier.Boosting;
import io.sfumato.mechanism.mollifier.NumericReference.Gaussians;
import io.sfumato.plot.Plots;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * All contenders on one target against epsilon: negative log-likelihood and mode coverage.
 *
 * @param name of the files
 * @param target P
 * @param grid on which everything is measured
 * @param epsilons in order
 * @param references by their names, the papers' first: what epsilon 0 gives
 * @param contenders in the order of tables
 */
record DensityComparison(
    String name,
    Gaussians target,
    DensityGrid grid,
    double[] epsilons,
    Map<String, double[]> references,
    List<DensityEstimator> contenders) {
  private static final int RECORDS = 10_000;

  /** Densities that are shown. */
  private static final double[] SHOWN = {0.5, 2, 5};

  private record Scores(double nll, double coverage, String settings) {}

  long steps() {
    return epsilons.length * (long) contenders.size();
  }

  List<String> run(Path out, Runnable progress) throws ExperimentException {
    DensityTask task = DensityTask.of(name, grid, target, RECORDS);
    double[] p = task.truth();
    ResultLines csv = new ResultLines("method,epsilon,nll,mode_coverage,settings");
    ResultLines rounds =
        new ResultLines("method,epsilon,round,theta,gamma_p,gamma_q,regime,promised_drop");
    Map<String, Scores[]> scores = new LinkedHashMap<>();
    Map<String, double[]> shown = new LinkedHashMap<>();
    shown.put("target", p);
    contenders.forEach(c -> scores.put(c.name(), new Scores[epsilons.length]));
    for (int i = 0; i < epsilons.length; i++) {
      for (DensityEstimator contender : contenders) {
        Scores found = score(contender, task, epsilons[i], shown, rounds);
        scores.get(contender.name())[i] = found;
        csv.add(
            "\"%s\",%s,%.6g,%.6g,\"%s\"",
            contender.name(), epsilons[i], found.nll(), found.coverage(), found.settings());
        progress.run();
      }
    }
    double entropy = grid.nll(p, p);
    csv.add("\"target itself\",,%.6g,%.6g,", entropy, 0.95);
    references.forEach(
        (title, q) ->
            csv.add("\"%s\",0,%.6g,%.6g,", title, grid.nll(p, q), DensityGrid.coverage(p, q)));
    double base = grid.nll(p, references.values().iterator().next());
    csv.write(out.resolve(name + ".csv"));
    rounds.write(out.resolve(name + "-rounds.csv"));
    plot(out, scores, entropy, base);
    pictures(out, shown);
    return summary(scores, entropy, base);
  }

  private Scores score(
      DensityEstimator contender,
      DensityTask task,
      double epsilon,
      Map<String, double[]> shown,
      ResultLines rounds) {
    double nll = 0;
    double coverage = 0;
    String settings = "";
    for (int draw = 0; draw < contender.draws(); draw++) {
      DensityEstimator.Fitted fitted =
          contender.fit(task, epsilon, KeyedRandom.ofPublicSeed(name + " " + epsilon + " " + draw));
      double[] q = fitted.probabilities();
      settings = fitted.settings();
      rounds(contender.name(), epsilon, fitted.rounds(), rounds);
      nll += grid.nll(task.truth(), q) / contender.draws();
      coverage += DensityGrid.coverage(task.truth(), q) / contender.draws();
      if (Arrays.stream(SHOWN).anyMatch(e -> e == epsilon)) {
        shown.put(contender.name() + " " + epsilon, q);
      }
    }
    return new Scores(nll, coverage, settings);
  }

  /** What each round of boosting did: weak-learning constants and the drop that they promise. */
  private static void rounds(
      String contender, double epsilon, List<Boosting.Round> made, ResultLines csv) {
    for (int t = 0; t < made.size(); t++) {
      Boosting.Round round = made.get(t);
      csv.add(
          "\"%s\",%s,%d,%.6g,%.4g,%.4g,%s,%.4g",
          contender,
          epsilon,
          t + 1,
          round.theta(),
          round.gammaP(),
          round.gammaQ(),
          round.regime().name().toLowerCase(Locale.ROOT),
          round.promisedDrop());
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
      ResultTable.write(
          file, () -> new HeatMaps(grid.cells(), contenders.size()).write(file, shown));
      return;
    }
    Plots plots = new Plots();
    for (double epsilon : SHOWN) {
      plots.panel(
          name + ", epsilon " + epsilon, "", Plots.Axis.LINEAR, "density", Plots.Axis.LINEAR);
      shown.forEach(
          (title, q) -> {
            boolean here = title.equals("target") || title.endsWith(" " + epsilon);
            if (here) {
              String label =
                  title.equals("target") ? title : title.substring(0, title.lastIndexOf(' '));
              plots.histogram(
                  label,
                  grid.low(),
                  grid.high(),
                  Arrays.stream(q).map(v -> v / grid.width()).toArray());
            }
          });
    }
    ResultTable.write(file, plots, SHOWN.length);
  }

  private List<String> summary(Map<String, Scores[]> scores, double entropy, double base) {
    ResultLines lines = new ResultLines();
    lines.add("NLL of the target itself %.3f, of the papers' reference %.3f", entropy, base);
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
    return lines.all();
  }
}
