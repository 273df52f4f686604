// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Delta;
import io.sfumato.accounting.Epsilon;
import io.sfumato.mechanism.Planned;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.ShareRequest;
import io.sfumato.mechanism.count.CountMechanism;
import io.sfumato.mechanism.count.CountPlanner;
import io.sfumato.mechanism.count.CountTree;
import io.sfumato.mechanism.count.Counts;
import io.sfumato.mechanism.count.RunningCount;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The error of running counts by the binary tree, measured and by its theory, beside the sum of
 * independent releases of every window: one window of a user, with one record, is protected at (1,
 * 1e-6).
 *
 * @param out folder for tables and plots
 * @param seeds of the noise, at least 1
 */
public record RunningCountExperiment(Path out, int seeds) implements Experiment {
  private static final int[] WINDOWS = {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  private static final Sensitivity WINDOW = Sensitivity.addOrRemove(1);
  private static final List<String> METHODS = List.of("gaussian", "laplace");

  @Override
  public long steps() {
    return WINDOWS.length;
  }

  /** Root mean squares over windows and seeds. */
  private record Row(int windows, String method, double tree, double theory, double independent) {}

  /** Writes {@code running.csv} and {@code running.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Row> rows = new ArrayList<>();
    for (int windows : WINDOWS) {
      for (String method : METHODS) {
        rows.add(row(windows, method));
      }
      progress.run();
    }
    Lines csv = new Lines("windows,method,tree,theory,independent");
    rows.forEach(
        row ->
            csv.add(
                "%d,%s,%.6g,%.6g,%.6g",
                row.windows(), row.method(), row.tree(), row.theory(), row.independent()));
    csv.write(out.resolve("running.csv"));
    draw(rows);
    return summary(rows);
  }

  private Row row(int windows, String method) {
    CountMechanism node = plan(method, new CountTree(windows).perWindow(WINDOW, 1)).mechanism();
    CountMechanism single = plan(method, WINDOW).mechanism();
    double tree = 0;
    double independent = 0;
    for (int seed = 0; seed < seeds; seed++) {
      ReplayableRandom random =
          ReplayableRandom.ofPublicSeed("running " + windows + " " + method + " " + seed);
      RunningCount running = RunningCount.START;
      double sum = 0;
      for (int window = 0; window < windows; window++) {
        // The error does not depend on what is counted.
        Counts exact = running.completedBy(Counts.none(1));
        running = running.plus(new RunningCount.Node(exact, node.law(exact).draw(random)));
        sum += single.law(Counts.none(1)).draw(random).of(0);
        tree += square(running.noisy().of(0));
        independent += square(sum);
      }
    }
    double draws = (double) windows * seeds;
    return new Row(
        windows,
        method,
        Math.sqrt(tree / draws),
        node.noise().deviation() * Math.sqrt(new CountTree(windows).meanDraws()),
        Math.sqrt(independent / draws));
  }

  private static double square(double x) {
    return x * x;
  }

  private static Planned<CountMechanism> plan(String method, Sensitivity sensitivity) {
    ShareRequest request = new ShareRequest("running", Epsilon.of("1"), Delta.of("1e-6"), 1);
    Optional<Planned<CountMechanism>> plan =
        method.equals("gaussian")
            ? CountPlanner.gaussian(request, sensitivity)
            : CountPlanner.laplace(request, sensitivity);
    return plan.orElseThrow();
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
      List<Row> mine = rows.stream().filter(row -> row.method().equals(method)).toList();
      double[] x = mine.stream().mapToDouble(Row::windows).toArray();
      Map<String, double[]> lines = new LinkedHashMap<>();
      lines.put("tree, measured", mine.stream().mapToDouble(Row::tree).toArray());
      lines.put("tree, theory", mine.stream().mapToDouble(Row::theory).toArray());
      lines.put("independent windows", mine.stream().mapToDouble(Row::independent).toArray());
      lines.forEach((name, y) -> plots.line(name, x, y));
    }
    ResultTable.write(out.resolve("running.png"), plots, METHODS.size());
  }

  private static List<String> summary(List<Row> rows) {
    Lines lines = new Lines("running counts, root mean square error at (1, 1e-6):");
    for (Row row : rows) {
      lines.add(
          "%5d windows, %-8s  tree %8.1f (theory %8.1f), independent windows %8.1f",
          row.windows(), row.method(), row.tree(), row.theory(), row.independent());
    }
    return lines.all();
  }
}
