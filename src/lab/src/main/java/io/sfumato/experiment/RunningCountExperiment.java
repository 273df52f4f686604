// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.estimate.Calibrated;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.continual.RowErrorBars;
import io.sfumato.estimate.continual.RunningCalibrator;
import io.sfumato.estimate.count.RunningErrors;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.continual.Coefficients;
import io.sfumato.mechanism.continual.DecayingCoefficients;
import io.sfumato.mechanism.continual.NoisyRunningRows;
import io.sfumato.mechanism.continual.RunningMechanism;
import io.sfumato.mechanism.continual.RunningSums;
import io.sfumato.mechanism.count.CountQuery;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.plot.Plots;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The error of running counts, measured and by its theory, beside the binary tree and the sum of
 * independent releases of every window: one record a window of a user is protected at (1, 1e-6).
 *
 * @param out folder for tables and plots
 * @param seeds of the noise, at least 1
 * @param largest T, at least 2
 */
public record RunningCountExperiment(Path out, int seeds, int largest) implements Experiment {
  /** W, with the largest T. */
  private static final int[] OF_USERS = {4, 16, 52, 128, 1024};

  private static final List<String> METHODS = List.of("gaussian", "laplace");

  @Override
  public long steps() {
    return settings().count();
  }

  /** Of T windows of which W of a user count. */
  private record Setting(int windows, int ofUser) {
    CalibrationTarget request() {
      return new CalibrationTarget("running", Epsilon.of("1"), Delta.of("1e-6"), ofUser);
    }

    Calibrated<CountMeasurement<CountQuery>> plan(String method, Sensitivity sensitivity) {
      Optional<Calibrated<CountMeasurement<CountQuery>>> plan =
          method.equals("gaussian")
              ? VectorCalibrator.gaussianWindows(request(), new CountQuery(), sensitivity)
              : VectorCalibrator.laplaceWindows(request(), new CountQuery(), sensitivity);
      return plan.orElseThrow();
    }
  }

  /**
   * Root mean squares over windows and seeds.
   *
   * @param last of the last window alone
   */
  private record Error(double all, double last) {
    private static final Error NONE = new Error(Double.NaN, Double.NaN);
  }

  /** Rows, their theory, counts without an end, the tree and independent sums. */
  private record Row(
      Setting setting,
      String method,
      Error rows,
      double theory,
      Error ever,
      Error tree,
      Error own) {}

  /** Writes {@code running.csv} and {@code running.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Row> rows = new ArrayList<>();
    settings()
        .forEach(
            setting -> {
              METHODS.forEach(method -> rows.add(row(setting, method)));
              progress.run();
            });
    ResultLines csv =
        new ResultLines(
            "windows,user_windows,method,rows,rows_theory,rows_last,forever,forever_last,tree,tree_last,independent,independent_last");
    rows.forEach(
        row ->
            csv.add(
                "%d,%d,%s,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g,%.6g",
                row.setting().windows(),
                row.setting().ofUser(),
                row.method(),
                row.rows().all(),
                row.theory(),
                row.rows().last(),
                row.ever().all(),
                row.ever().last(),
                row.tree().all(),
                row.tree().last(),
                row.own().all(),
                row.own().last()));
    csv.write(out.resolve("running.csv"));
    draw(rows);
    return summary(rows);
  }

  /** One window of a user of ever more, and several of the most. */
  private Stream<Setting> settings() {
    return Stream.concat(
        IntStream.iterate(2, windows -> windows <= largest, windows -> 2 * windows)
            .mapToObj(windows -> new Setting(windows, 1)),
        IntStream.of(OF_USERS)
            .filter(most -> most <= largest)
            .mapToObj(most -> new Setting(largest, most)));
  }

  private Row row(Setting setting, String method) {
    CountTree tree = new CountTree(setting.windows());
    Sensitivity one = Sensitivity.addOrRemove(1);
    Error trees =
        errors(
            setting,
            method + " tree",
            new Tree(
                setting.plan(method, tree.perWindow(one, setting.ofUser())).mechanism(),
                RunningCount.START));
    Error own = errors(setting, method + " own", new Own(setting.plan(method, one).mechanism(), 0));
    if (method.equals("laplace")) {
      return new Row(setting, method, Error.NONE, Double.NaN, Error.NONE, trees, own);
    }
    RunningMechanism best =
        new RunningErrors(setting.request(), 1, setting.windows()).rows().orElseThrow().mechanism();
    RunningMechanism ever =
        RunningCalibrator.gaussian(
                setting.request(), RunningErrors.window(1), DecayingCoefficients.FADING, 0)
            .orElseThrow()
            .mechanism();
    return new Row(
        setting,
        method,
        errors(setting, "rows", Sums.of(best)),
        new RowErrorBars(best).rootMeanSquare(setting.windows()),
        errors(setting, "ever", Sums.of(ever)),
        trees,
        own);
  }

  /** The error does not depend on what is counted. */
  private Error errors(Setting setting, String name, Running start) {
    double all = 0;
    double last = 0;
    for (int seed = 0; seed < seeds; seed++) {
      KeyedRandom random = KeyedRandom.ofPublicSeed("%s %s %d".formatted(setting, name, seed));
      Running running = start;
      for (int window = 0; window < setting.windows(); window++) {
        running = running.next(random);
        all += running.error() * running.error();
      }
      last += running.error() * running.error();
    }
    return new Error(Math.sqrt(all / setting.windows() / seeds), Math.sqrt(last / seeds));
  }

  /** Counts of windows without any records. */
  private sealed interface Running {
    /** With one window more. */
    Running next(KeyedRandom random);

    /** What is told of no records. */
    double error();
  }

  private record Tree(CountMeasurement<CountQuery> mechanism, RunningCount count)
      implements Running {
    @Override
    public Tree next(KeyedRandom random) {
      ExactVector exact = count.completedBy(ExactVector.none(1));
      return new Tree(
          mechanism,
          count.plus(new RunningCount.Node(exact, mechanism.distribution(exact).draw(random))));
    }

    @Override
    public double error() {
      return count.noisy().values()[0];
    }
  }

  private record Own(CountMeasurement<CountQuery> mechanism, long sum) implements Running {
    @Override
    public Own next(KeyedRandom random) {
      return new Own(
          mechanism, sum + mechanism.distribution(ExactVector.none(1)).draw(random).values()[0]);
    }

    @Override
    public double error() {
      return sum;
    }
  }

  private record Sums(RunningMechanism mechanism, RunningSums sums) implements Running {
    static Sums of(RunningMechanism mechanism) {
      Coefficients coefficients = mechanism.coefficients();
      return new Sums(mechanism, RunningSums.start(coefficients, 1));
    }

    @Override
    public Sums next(KeyedRandom random) {
      long[] none = new long[1];
      NoisyRunningRows noisy = mechanism.distribution(sums.rows(none)).draw(random);
      return new Sums(mechanism, sums.plus(none, noisy, 0, 0));
    }

    @Override
    public double error() {
      return Math.scalb((double) sums.told()[0], -RunningSums.TOLD_DIGITS);
    }
  }

  private void draw(List<Row> rows) throws ExperimentException {
    Plots plots = new Plots();
    for (String method : METHODS) {
      plots.panel(
          "discrete " + method,
          "windows",
          Plots.Axis.LOGARITHMIC,
          "error of a running count",
          Plots.Axis.LOGARITHMIC);
      List<Row> mine =
          rows.stream()
              .filter(row -> row.method().equals(method) && row.setting().ofUser() == 1)
              .toList();
      double[] x = mine.stream().mapToDouble(row -> row.setting().windows()).toArray();
      Map<String, double[]> lines = new LinkedHashMap<>();
      if (method.equals("gaussian")) {
        lines.put("rows, measured", mine.stream().mapToDouble(row -> row.rows().all()).toArray());
        lines.put("rows, theory", mine.stream().mapToDouble(Row::theory).toArray());
        lines.put("without an end", mine.stream().mapToDouble(row -> row.ever().all()).toArray());
      }
      lines.put("binary tree", mine.stream().mapToDouble(row -> row.tree().all()).toArray());
      lines.put("independent windows", mine.stream().mapToDouble(row -> row.own().all()).toArray());
      lines.forEach((name, y) -> plots.line(name, x, y));
    }
    ResultTable.write(out.resolve("running.png"), plots, METHODS.size());
  }

  private static List<String> summary(List<Row> rows) {
    ResultLines lines =
        new ResultLines(
            "running counts, root mean square error at (1, 1e-6), last window in brackets:");
    for (Row row : rows) {
      String others =
          "tree %8.1f, independent windows %8.1f".formatted(row.tree().all(), row.own().all());
      lines.add(
          "%5d windows, %4d of a user, %-8s  %s%s",
          row.setting().windows(),
          row.setting().ofUser(),
          row.method(),
          row.method().equals("gaussian")
              ? "rows %8.1f (%.1f; theory %8.1f), without an end %8.1f, "
                  .formatted(row.rows().all(), row.rows().last(), row.theory(), row.ever().all())
              : "",
          others);
    }
    return lines.all();
  }
}
