// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Conversion;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.mechanism.dirichlet.PaperTheorem1;
import io.sfumato.plot.Plots;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Figure 3, lower row (KL divergence of one release at (epsilon, 1e-5), with Gohari et al.'s
 * calibration) and figure 8 (epsilon against r). Expected values in closed form, not draws.
 *
 * @param out folder for tables and plots
 */
public record KlExperiment(Path out) implements Experiment {
  /** The paper's third is 200, which is not on the grid. */
  private static final double[] ORDERS = {2, 20, 192};

  private static final double[] FIGURE_8_ORDERS = {2, 10, 50, 200};
  private static final double[] COUNTS = {119, 74, 618, 272, 13, 187};
  private static final double[] EPSILONS = Grid.logarithmic(-2, 2, 25);
  private static final double DELTA = 1e-5;

  @Override
  public long steps() {
    return EPSILONS.length;
  }

  /** Writes {@code kl.csv}, {@code kl.png}, {@code figure-8.csv} and {@code figure-8.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    double n = Arrays.stream(COUNTS).sum();
    PlanningModel model = PlanningModel.ofWeights(COUNTS, n);
    Gohari gohari =
        new Gohari(
            Arrays.stream(COUNTS).min().orElseThrow() / n,
            Arrays.stream(COUNTS).max().orElseThrow() / n,
            COUNTS.length - 1,
            2 / n);
    int points = EPSILONS.length;
    double[][] paper = new double[ORDERS.length][points];
    double[] exact = new double[points];
    double[] gaussian = new double[points];
    double[] earlier = new double[points];
    for (int i = 0; i < points; i++) {
      CalibrationTarget request = request(EPSILONS[i]);
      for (int k = 0; k < ORDERS.length; k++) {
        paper[k][i] =
            kl(DirichletCalibrator.at(ORDERS[k], request, new DirichletBound.Paper(), model));
      }
      exact[i] = kl(DirichletCalibrator.plan(request, Accountant.EXACT, model));
      gaussian[i] =
          kl(
              AdditiveCalibrator.gaussian(
                  request,
                  Accountant.EXACT,
                  PostProcessing.POSTERIOR_MEAN,
                  Sensitivity.replaceOne(),
                  model));
      OptionalDouble k = gohari.largestK(EPSILONS[i], DELTA);
      earlier[i] = k.isPresent() ? model.expectedKl(k.getAsDouble() / n, 0) : Double.NaN;
      progress.run();
    }
    write(model, paper, exact, gaussian, earlier);
    figure8();
    return summary(exact, earlier);
  }

  private static CalibrationTarget request(double epsilon) {
    BigDecimal rounded = new BigDecimal(epsilon).round(new MathContext(6));
    return new CalibrationTarget("kl", new Epsilon(rounded), Delta.of("1e-5"), 1);
  }

  /** A fixed order leaves no budget where the conversion alone costs more than epsilon. */
  private static double kl(Optional<HistogramPlan> plan) {
    return plan.map(HistogramPlan::expectedKl).orElse(Double.NaN);
  }

  private void write(
      PlanningModel model, double[][] paper, double[] exact, double[] gaussian, double[] earlier)
      throws ExperimentException {
    double uniform =
        model.shares().stream().mapToDouble(p -> p * Math.log(p * COUNTS.length)).sum();
    double[] flat = new double[EPSILONS.length];
    Arrays.fill(flat, uniform);
    ResultLines csv =
        new ResultLines(
            "epsilon,algorithm_1_order_2,algorithm_1_order_20,algorithm_1_order_192,theorem_b,gohari,gaussian,uniform");
    for (int i = 0; i < EPSILONS.length; i++) {
      csv.add(
          "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
          EPSILONS[i],
          paper[0][i],
          paper[1][i],
          paper[2][i],
          exact[i],
          earlier[i],
          gaussian[i],
          uniform);
    }
    csv.write(out.resolve("kl.csv"));
    Plots plots = new Plots();
    for (int k = 0; k < ORDERS.length; k++) {
      plots.panel(
          String.format(Locale.ROOT, "order %.0f", ORDERS[k]),
          "epsilon at delta 1e-5",
          Plots.Axis.LOGARITHMIC,
          "expected KL divergence",
          Plots.Axis.LOGARITHMIC);
      plots.line("uniform", EPSILONS, flat);
      plots.line("Gohari et al.", EPSILONS, earlier);
      plots.line("Algorithm 1", EPSILONS, paper[k]);
      plots.line("Dirichlet exact (Theorem B)", EPSILONS, exact);
      plots.line("discrete Gaussian", EPSILONS, gaussian);
      plots.cutBelow(1e-5); // with next to no noise the Gaussian's error is 0
    }
    ResultTable.write(out.resolve("kl.png"), plots, ORDERS.length);
  }

  /** Equation 14: epsilon of Algorithm 1 at delta = 1e-5 as a function of r. */
  private void figure8() throws ExperimentException {
    double[] r = new double[50];
    Arrays.setAll(r, i -> (i + 1) * 0.2);
    ResultLines csv = new ResultLines("order,r,epsilon");
    Plots plots = new Plots();
    plots.panel(
        "Algorithm 1 at delta 1e-5",
        "r",
        Plots.Axis.LOGARITHMIC,
        "epsilon",
        Plots.Axis.LOGARITHMIC);
    for (double order : FIGURE_8_ORDERS) {
      double[] epsilon = new double[r.length];
      for (int i = 0; i < r.length; i++) {
        double renyi = PaperTheorem1.divergence(order, r[i], 1 + 4 * (order - 1) * r[i]);
        epsilon[i] = Conversion.epsilon(renyi, order, DELTA);
        csv.add("%.0f,%.6g,%.6g", order, r[i], epsilon[i]);
      }
      plots.line(String.format(Locale.ROOT, "order %.0f", order), r, epsilon);
    }
    csv.write(out.resolve("figure-8.csv"));
    ResultTable.write(out.resolve("figure-8.png"), plots, 1);
  }

  private static List<String> summary(double[] exact, double[] earlier) {
    ResultLines lines = new ResultLines();
    double fails = Double.NaN;
    for (int i = 0; i < EPSILONS.length; i++) {
      fails = Double.isNaN(earlier[i]) ? EPSILONS[i] : fails;
    }
    lines.add(
        Double.isNaN(fails)
            ? "Gohari et al.: a calibration exists at every epsilon"
            : String.format(
                Locale.ROOT,
                "Gohari et al.: no k at all reaches delta 1e-5 for epsilon %.3g and below",
                fails));
    for (int i = 0; i < EPSILONS.length; i += 6) {
      lines.add(
          "epsilon %.3g: expected KL %.4g by Theorem B, %s by Gohari et al.",
          EPSILONS[i],
          exact[i],
          Double.isNaN(earlier[i]) ? "none" : String.format(Locale.ROOT, "%.4g", earlier[i]));
    }
    return lines.all();
  }
}
