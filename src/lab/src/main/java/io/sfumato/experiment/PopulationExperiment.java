// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Accountant;
import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramPlan;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.dirichlet.DirichletCalibrator;
import io.sfumato.experiment.EventStream.Window;
import io.sfumato.experiment.SharesMethod.Counted;
import io.sfumato.experiment.SharesMethod.RandomisedResponse;
import io.sfumato.experiment.SharesMethod.Released;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.dirichlet.DirichletBound;
import io.sfumato.plot.Plots;
import io.sfumato.random.KeyedRandom;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What people would otherwise do: category shares of every window of two real streams, under the
 * same (epsilon, delta), by the methods of this project and by others. Once one record of a window
 * is protected, once all of a user's.
 *
 * @param data folder with {@code events/}
 * @param out folder for tables and plots
 * @param epsilons of one window, each at delta 1e-6
 * @param seeds of the noise, at least 1
 */
public record PopulationExperiment(Path data, Path out, List<Double> epsilons, int seeds)
    implements Experiment {
  private static final String DELTA = "1e-6";

  /** C: records of one user that count in a window, where users are protected. */
  private static final int RECORDS_PER_USER = 8;

  /** Of methods that learn from a stream's earlier releases. */
  private static final String HISTORY = ", history";

  private static final List<String> METRICS = List.of("kl", "l1", "coverage", "coverage_counted");
  private static final List<String> METHODS =
      List.of(
          "dirichlet exact",
          "dirichlet paper",
          "discrete gaussian",
          "discrete laplace",
          "gaussian, history",
          "laplace, history",
          "randomised response");

  public PopulationExperiment {
    epsilons = List.copyOf(epsilons);
    if (seeds < 1) {
      throw new IllegalArgumentException("at least 1 seed, was " + seeds);
    }
  }

  @Override
  public long steps() {
    return 2L * 2 * epsilons.size() * METHODS.size();
  }

  /** Writes {@code population.csv} and {@code population.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Result> results = new ArrayList<>();
    Plots plots = new Plots();
    for (EventStream.Layout layout : List.of(EventStream.DIARY, EventStream.WIKI)) {
      EventStream stream = EventStream.read(data.resolve("events"), layout);
      for (Bounding bounding :
          List.of(new Bounding(Optional.empty()), new Bounding(Optional.of(RECORDS_PER_USER)))) {
        results.addAll(compare(stream, bounding, plots, progress));
      }
    }
    ResultTable.write(out.resolve("population.png"), plots, 2);
    ResultTable table = new ResultTable(METRICS, results);
    table.write(out.resolve("population.csv"));
    return summary(results);
  }

  private static String title(EventStream stream, Bounding bounding) {
    String name = stream.name().startsWith("uci") ? "diary, weeks" : "Wikipedia, hours";
    return name + (bounding.sizeIsPublic() ? ", unit record" : ", unit user");
  }

  private List<Result> compare(
      EventStream stream, Bounding bounding, Plots plots, Runnable progress) {
    String title = title(stream, bounding);
    Map<String, double[]> kl = new LinkedHashMap<>();
    METHODS.forEach(method -> kl.put(method, new double[epsilons.size()]));
    List<Result> results = new ArrayList<>();
    for (int i = 0; i < epsilons.size(); i++) {
      double epsilon = epsilons.get(i);
      for (String method : METHODS) {
        Optional<SharesMethod> made = method(method, epsilon, stream, bounding);
        kl.get(method)[i] = Double.NaN;
        if (made.isPresent()) {
          List<double[]> scores = scores(stream, made.get(), method);
          Result result =
              Result.of(title, method, OptionalDouble.of(epsilon), scores, describe(made.get()));
          results.add(result);
          kl.get(method)[i] = result.metrics().get(0).mean();
        }
        progress.run();
      }
    }
    double[] x = epsilons.stream().mapToDouble(Double::doubleValue).toArray();
    plots.panel(title, "epsilon", Plots.Axis.LOGARITHMIC, "KL divergence", Plots.Axis.LOGARITHMIC);
    kl.forEach((method, values) -> plots.line(method, x, values));
    return results;
  }

  /** Nothing where there is no such bound: the paper's is for one replaced record. */
  private static Optional<SharesMethod> method(
      String method, double epsilon, EventStream stream, Bounding bounding) {
    int categories = stream.categories().size();
    if (method.equals("randomised response")) {
      // A user's events are told one by one: their losses add up.
      double each = epsilon / bounding.most().orElse(1);
      return Optional.of(new RandomisedResponse(each, bounding, categories));
    }
    CalibrationTarget request =
        new CalibrationTarget(
            "population", new Epsilon(BigDecimal.valueOf(epsilon)), Delta.of(DELTA), 1);
    PlanningModel model = PlanningModel.zipf(categories, stream.planSize());
    return plan(method, request, model, bounding)
        .map(HistogramPlan::mechanism)
        .map(
            mechanism ->
                method.endsWith(HISTORY)
                    ? new LearnedShares((NoisyHistogram) mechanism, bounding, categories)
                    : new Counted(mechanism, bounding, categories, stream.planSize()));
  }

  private static Optional<HistogramPlan> plan(
      String method, CalibrationTarget request, PlanningModel model, Bounding bounding) {
    Sensitivity sensitivity =
        bounding.most().map(Sensitivity::addOrRemove).orElseGet(Sensitivity::replaceOne);
    Accountant accountant = bounding.sizeIsPublic() ? Accountant.EXACT : Accountant.RENYI;
    return switch (method) {
      case "dirichlet exact" ->
          bounding.sizeIsPublic()
              ? DirichletCalibrator.plan(request, Accountant.EXACT, model)
              : DirichletCalibrator.renyi(
                  request, new DirichletBound.AddOrRemove(bounding.most().orElseThrow()), model);
      case "dirichlet paper" ->
          bounding.sizeIsPublic()
              ? DirichletCalibrator.plan(request, Accountant.PAPER, model)
              : Optional.empty();
      case "discrete gaussian", "gaussian, history" ->
          AdditiveCalibrator.gaussian(
              request, accountant, PostProcessing.POSTERIOR_MEAN, sensitivity, model);
      default -> AdditiveCalibrator.laplace(request, accountant, sensitivity, model);
    };
  }

  private static String describe(SharesMethod method) {
    if (method instanceof Counted counted) {
      HistogramMechanism mechanism = counted.mechanism();
      return mechanism.charge().mechanism();
    }
    if (method instanceof LearnedShares learned) {
      return learned.mechanism().charge().mechanism() + ", then by what was released before";
    }
    return "epsilon of one event "
        + String.format(Locale.ROOT, "%.4g", ((RandomisedResponse) method).epsilon());
  }

  /** By seed: means over all windows, and for the coverage over their categories. */
  private List<double[]> scores(EventStream stream, SharesMethod method, String name) {
    List<double[]> scores = new ArrayList<>();
    for (int seed = 0; seed < seeds; seed++) {
      KeyedRandom random =
          KeyedRandom.ofPublicSeed("population " + stream.name() + " " + noise(name) + " " + seed);
      SharesMethod begun = method.anew();
      double[] sum = new double[METRICS.size()];
      for (Window window : stream.windows()) {
        double[] score =
            score(window.counts(stream.categories().size()), begun.release(window, random));
        for (int i = 0; i < sum.length; i++) {
          sum[i] += score[i] / stream.windows().size();
        }
      }
      scores.add(sum);
    }
    return scores;
  }

  /** The same noise with history and without, so that they differ by nothing else. */
  private static String noise(String method) {
    return method.endsWith(HISTORY)
        ? "discrete " + method.substring(0, method.length() - HISTORY.length())
        : method;
  }

  /**
   * Against the shares of all that happened, whether it counted or not; the last one against those
   * of what counted.
   */
  private static double[] score(long[] counts, Released released) {
    double all = Arrays.stream(counts).sum();
    double counted = Arrays.stream(released.counted()).sum();
    double[] score = new double[METRICS.size()];
    for (int i = 0; i < counts.length; i++) {
      double share = counts[i] / all;
      double found = released.shares()[i];
      double reach = released.halfWidths()[i];
      score[0] += share > 0 ? share * Math.log(share / found) : 0;
      score[1] += Math.abs(share - found);
      score[2] += Math.abs(share - found) <= reach ? 1.0 / counts.length : 0;
      score[3] +=
          Math.abs(released.counted()[i] / counted - found) <= reach ? 1.0 / counts.length : 0;
    }
    return score;
  }

  private List<String> summary(List<Result> results) {
    ResultLines lines = new ResultLines();
    lines.add(
        "%-32s %8s  %-20s %9s %9s %9s %9s",
        "stream and unit", "epsilon", "method", "KL", "L1", "coverage", "of counted");
    for (Result result : results) {
      lines.add(
          "%-32s %8.3g  %-20s %9.4f %9.4f %9.3f %9.3f",
          result.dataset(),
          result.epsilon().orElseThrow(),
          result.mechanism(),
          result.metrics().get(0).mean(),
          result.metrics().get(1).mean(),
          result.metrics().get(2).mean(),
          result.metrics().get(3).mean());
    }
    return lines.all();
  }
}
