// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.mollifier.FiniteSampler;
import io.sfumato.mechanism.mollifier.LikelihoodRatioBand;
import io.sfumato.plot.Plots;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/**
 * Worst-case KL divergence of one item over a finite domain, the mollifier beside the minimax
 * sampler: exact, no draws.
 *
 * @param out folder for tables and plots
 */
public record FiniteWorstCaseExperiment(Path out) implements Experiment {
  private static final int[] DOMAINS = {10, 100};
  private static final double[] EPSILONS = Grid.logarithmic(-1, 1, 21);
  private static final double[] PRINTED = {1, 2, 5};

  @Override
  public long steps() {
    return (long) DOMAINS.length * EPSILONS.length;
  }

  /** Writes {@code finite-worst-case.csv} and {@code finite-worst-case.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    ResultLines csv = new ResultLines("categories,epsilon,clipped,mollifier");
    ResultLines lines = new ResultLines();
    Plots plots = new Plots();
    for (int k : DOMAINS) {
      double[] clipped = new double[EPSILONS.length];
      double[] mollifier = new double[EPSILONS.length];
      for (int i = 0; i < EPSILONS.length; i++) {
        clipped[i] = worst(k, EPSILONS[i], true);
        mollifier[i] = worst(k, EPSILONS[i], false);
        csv.add("%d,%.6g,%.6g,%.6g", k, EPSILONS[i], clipped[i], mollifier[i]);
        progress.run();
      }
      plots.panel(
          k + " categories", "epsilon", Plots.Axis.LOGARITHMIC, "worst-case KL", Plots.Axis.LINEAR);
      plots.line("mollifier", EPSILONS, mollifier);
      plots.line("clipped (minimax)", EPSILONS, clipped);
      for (double epsilon : PRINTED) {
        lines.add(
            "%d categories, epsilon %.0f: clipped %.3f, mollifier %.3f",
            k, epsilon, worst(k, epsilon, true), worst(k, epsilon, false));
      }
    }
    csv.write(out.resolve("finite-worst-case.csv"));
    ResultTable.write(out.resolve("finite-worst-case.png"), plots, DOMAINS.length);
    return lines.all();
  }

  private static double worst(int k, double epsilon, boolean clipped) {
    Epsilon eps = new Epsilon(new BigDecimal(epsilon).round(new MathContext(9)));
    double[] uniform = new double[k];
    Arrays.fill(uniform, 1.0 / k);
    LikelihoodRatioBand band =
        clipped ? LikelihoodRatioBand.clipped(eps, k) : LikelihoodRatioBand.mollifier(eps);
    return new FiniteSampler("worst case", band, uniform).worstCaseKl();
  }
}
