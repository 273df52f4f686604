// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.dirichlet.PaperTheorem1;
import io.sfumato.mechanism.dirichlet.TheoremA;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.commons.math3.special.Gamma;

/**
 * Figure 3, upper row: the Rényi divergence between the outputs on two neighbours, by definition,
 * by Theorem A and by Algorithm 1's bound, against r. (The paper's two histograms differ by one
 * record less in each of two categories; both bounds cover that too.)
 *
 * @param out folder for the table and the plot
 */
public record TightnessExperiment(Path out) implements Experiment {
  private static final double[] ORDERS = {2, 20, 200};
  private static final double[] F = {11, 8, 65, 25, 38, 1};
  private static final double[] NEIGHBOUR = {11, 7, 65, 25, 38, 0};
  private static final double[] R = Grid.logarithmic(-3, 1, 41);

  @Override
  public long steps() {
    return (long) ORDERS.length * R.length;
  }

  /** Writes {@code tightness.csv} and {@code tightness.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    ResultLines csv = new ResultLines("order,r,alpha,true,theorem_a,algorithm_1");
    ResultLines lines = new ResultLines();
    Plots plots = new Plots();
    for (double order : ORDERS) {
      double[] truth = new double[R.length];
      double[] theoremA = new double[R.length];
      double[] paper = new double[R.length];
      double slack = 0;
      for (int i = 0; i < R.length; i++) {
        double r = R[i];
        double a = 1 + 4 * (order - 1) * r;
        truth[i] = divergence(order, parameters(F, r, a), parameters(NEIGHBOUR, r, a));
        theoremA[i] = TheoremA.divergence(order, r, a, 1);
        paper[i] = PaperTheorem1.divergence(order, r, a);
        slack = Math.max(slack, paper[i] / theoremA[i]);
        csv.add("%.0f,%.6g,%.6g,%.6g,%.6g,%.6g", order, r, a, truth[i], theoremA[i], paper[i]);
        progress.run();
      }
      plots.panel(
          String.format(Locale.ROOT, "order %.0f", order),
          "r",
          Plots.Axis.LOGARITHMIC,
          "epsilon",
          Plots.Axis.LOGARITHMIC);
      plots.line("true, for these neighbours", R, truth);
      plots.line("worst case (Theorem A)", R, theoremA);
      plots.line("Algorithm 1", R, paper);
      lines.add("order %.0f: Algorithm 1 charges up to %.2f times the worst case", order, slack);
    }
    csv.write(out.resolve("tightness.csv"));
    ResultTable.write(out.resolve("tightness.png"), plots, ORDERS.length);
    return lines.all();
  }

  private static double[] parameters(double[] f, double r, double a) {
    return Arrays.stream(f).map(n -> r * n + a).toArray();
  }

  /** Of two Dirichlet laws, by definition (equation 16). */
  static double divergence(double order, double[] u, double[] v) {
    double[] w = new double[u.length];
    Arrays.setAll(w, i -> u[i] + (order - 1) * (u[i] - v[i]));
    return (lnB(w) - order * lnB(u) + (order - 1) * lnB(v)) / (order - 1);
  }

  private static double lnB(double[] u) {
    return Arrays.stream(u).map(Gamma::logGamma).sum() - Gamma.logGamma(Arrays.stream(u).sum());
  }
}
