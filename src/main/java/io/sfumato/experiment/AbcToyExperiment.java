// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.modeller.Posterior;
import io.sfumato.noise.ReplayableRandom;
import io.sfumato.plot.Plots;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

/**
 * The toy of the ABCDP paper (section 4.1, figures 2 and 3): shares of a mixture of uniforms, found
 * again by soft weights, coins and sparse vector. Candidates are public, and one pool serves all
 * seeds; observed data and noise are fresh in each.
 *
 * @param out folder for tables and plots
 */
public record AbcToyExperiment(Path out) {
  private static final double[] TRUTH = {0.25, 0.04, 0.33, 0.04, 0.34};
  private static final double[] EPSILONS = {0.5, 1, 10};
  private static final double[] SOFT_THRESHOLDS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5
  };
  private static final double[] THRESHOLDS = {0.05, 0.1, 0.2, 0.5};
  private static final double[] PERCENTILES = {5, 20};
  private static final int[] ACCEPTANCES = {10, 100, 1000};
  private static final int RECORDS = 5000;
  private static final int SEEDS = 10;
  private static final int CANDIDATES = 1000;
  private static final int MANY = 10_000;
  private static final double SENSITIVITY = Distances.mmdSensitivity(RECORDS);
  private static final MixtureOfUniforms MODEL = new MixtureOfUniforms(TRUTH.length);
  private static final RandomFeatures FEATURES = new RandomFeatures(1, 100, 0.6, "abc-toy");

  /** A public candidate. */
  private record Candidate(double[] theta, double[] mean) {}

  /** Errors of one way to answer. */
  private record Row(
      String method, double epsilon, double bound, double threshold, double scale, Summary error) {}

  /** Steps of the progress. */
  public long steps() {
    return CANDIDATES + MANY + SEEDS;
  }

  /** Writes {@code abc-toy.csv}, {@code abc-toy-soft.png} and {@code abc-toy-rejection.png}. */
  public List<String> run(Runnable progress) throws ExperimentException {
    List<Candidate> precise = pool(CANDIDATES, 5000, progress);
    List<Candidate> rough = pool(MANY, 1000, progress);
    double[][] near = new double[SEEDS][];
    double[][] far = new double[SEEDS][];
    for (int seed = 0; seed < SEEDS; seed++) {
      FeatureSum observed = observed(seed);
      near[seed] = distances(observed, precise);
      far[seed] = distances(observed, rough);
      progress.run();
    }
    List<Row> rows = new ArrayList<>();
    soft(rows, precise, near);
    for (double percentile : PERCENTILES) {
      rejection(rows, rough, far, percentile(rough, percentile));
    }
    sparse(rows, rough, far);
    write(rows);
    return summary(rows);
  }

  private static List<Candidate> pool(int size, int records, Runnable progress) {
    return IntStream.range(0, size)
        .parallel()
        .mapToObj(
            i -> {
              ReplayableRandom random =
                  ReplayableRandom.ofPublicSeed("abc-toy " + records + " candidate " + i);
              double[] theta = new double[TRUTH.length];
              Arrays.fill(theta, Double.NaN);
              MODEL.complete(theta, random);
              double[] mean = FEATURES.mean(MODEL.simulate(theta, records, random).rows());
              synchronized (progress) {
                progress.run();
              }
              return new Candidate(theta, mean);
            })
        .toList();
  }

  private static FeatureSum observed(int seed) {
    ReplayableRandom random = ReplayableRandom.ofPublicSeed("abc-toy observed " + seed);
    FeatureSum sum = FeatureSum.empty(FEATURES);
    for (double[] row : MODEL.simulate(TRUTH, RECORDS, random).rows()) {
      sum = sum.plus(FEATURES.quantised(row));
    }
    return sum;
  }

  private static double[] distances(FeatureSum observed, List<Candidate> pool) {
    return pool.stream().mapToDouble(c -> Distances.mmd(observed, c.mean())).toArray();
  }

  /** Of distances between one pseudo-dataset and others, from below: public. */
  private static double percentile(List<Candidate> pool, double percent) {
    double[] reference = pool.get(0).mean();
    double[] distances =
        pool.stream()
            .skip(1)
            .limit(CANDIDATES)
            .mapToDouble(
                c ->
                    Math.sqrt(
                        IntStream.range(0, reference.length)
                            .mapToDouble(i -> Math.pow(reference[i] - c.mean()[i], 2))
                            .sum()))
            .sorted()
            .toArray();
    return distances[(int) (percent / 100 * distances.length)];
  }

  private static void soft(List<Row> rows, List<Candidate> pool, double[][] distances) {
    for (double threshold : SOFT_THRESHOLDS) {
      rows.add(
          new Row(
              "soft without privacy",
              Double.NaN,
              Double.NaN,
              threshold,
              0,
              error(
                  pool, seed -> posterior(pool, i -> Math.exp(-distances[seed][i] / threshold)))));
      for (double epsilon : EPSILONS) {
        double paper =
            SENSITIVITY / threshold * Math.sqrt(CANDIDATES) / AbcCalibration.paperMu(epsilon);
        rows.add(
            new Row(
                "soft, paper",
                epsilon,
                Double.NaN,
                threshold,
                paper * threshold,
                error(
                    pool,
                    seed -> {
                      ReplayableRandom random = noise("soft", epsilon, threshold, seed);
                      return posterior(
                          pool,
                          i -> {
                            double noisy =
                                distances[seed][i] / threshold
                                    + paper * random.nextStandardGaussian();
                            return Math.exp(-Math.max(0, noisy));
                          });
                    })));
        SoftWeights exact =
            SoftWeights.of(AbcCalibration.exactMu(epsilon), CANDIDATES, SENSITIVITY, threshold);
        rows.add(
            new Row(
                "soft, exact",
                epsilon,
                Double.NaN,
                threshold,
                exact.scale(),
                error(
                    pool,
                    seed -> {
                      ReplayableRandom random = noise("soft", epsilon, threshold, seed);
                      return posterior(
                          pool, i -> exact.weight(exact.draw(distances[seed][i], random)));
                    })));
      }
    }
  }

  private static void rejection(
      List<Row> rows, List<Candidate> pool, double[][] distances, double bound) {
    for (double threshold : THRESHOLDS) {
      rows.add(
          new Row(
              "rejection without privacy",
              Double.NaN,
              bound,
              threshold,
              0,
              error(
                  pool,
                  seed ->
                      posterior(
                          few(pool, seed),
                          i -> distances[seed][seed * CANDIDATES + i] <= threshold ? 1 : 0))));
      if (threshold > bound) {
        continue; // every distance is clipped below such a threshold: all are accepted
      }
      for (double epsilon : EPSILONS) {
        double paper = AbcCalibration.paperCoin(epsilon, CANDIDATES, SENSITIVITY, bound, threshold);
        coins(rows, "rejection, paper", pool, distances, epsilon, bound, threshold, paper);
        double pure = AbcCalibration.pureCoin(epsilon, CANDIDATES, SENSITIVITY, bound, threshold);
        coins(rows, "rejection, pure", pool, distances, epsilon, bound, threshold, pure);
        double clip = Math.min(bound, RejectionCoin.clip(threshold));
        double exact =
            AbcCalibration.composedCoin(epsilon, CANDIDATES, SENSITIVITY, clip, threshold).sigma();
        coins(rows, "rejection, exact", pool, distances, epsilon, clip, threshold, exact);
      }
    }
  }

  private static void coins(
      List<Row> rows,
      String method,
      List<Candidate> pool,
      double[][] distances,
      double epsilon,
      double bound,
      double threshold,
      double sigma) {
    RejectionCoin coin = new RejectionCoin(SENSITIVITY, bound, threshold, sigma);
    rows.add(
        new Row(
            method,
            epsilon,
            bound,
            threshold,
            sigma,
            error(
                pool,
                seed -> {
                  ReplayableRandom random = noise("rejection", epsilon, threshold, seed);
                  return posterior(
                      few(pool, seed),
                      i -> coin.accept(distances[seed][seed * CANDIDATES + i], random) ? 1 : 0);
                })));
  }

  /** The candidates of one seed. */
  private static List<Candidate> few(List<Candidate> pool, int seed) {
    return pool.subList(seed * CANDIDATES, (seed + 1) * CANDIDATES);
  }

  private static void sparse(List<Row> rows, List<Candidate> pool, double[][] distances) {
    for (int acceptances : ACCEPTANCES) {
      for (Threshold mode : Threshold.values()) {
        for (double threshold : THRESHOLDS) {
          for (double epsilon : EPSILONS) {
            SparseVector vector =
                SparseVector.plan(
                    AbcCalibration.epsilonOf(epsilon), acceptances, SENSITIVITY, threshold, mode);
            rows.add(
                new Row(
                    "sparse vector, c = %d, %s"
                        .formatted(acceptances, mode.name().toLowerCase(Locale.ROOT)),
                    epsilon,
                    Double.NaN,
                    threshold,
                    vector.scale(),
                    error(pool, seed -> answered(vector, pool, distances[seed], epsilon, seed))));
          }
        }
      }
    }
  }

  private static Posterior answered(
      SparseVector vector, List<Candidate> pool, double[] distances, double epsilon, int seed) {
    ReplayableRandom random = noise("sparse vector", epsilon, vector.scale(), seed);
    SparseVector.State state = vector.start(random);
    Posterior posterior = new Posterior();
    for (int i = 0; i < pool.size() && !vector.isOver(state); i++) {
      SparseVector.Answer answer = vector.answer(state, distances[i], random, random);
      posterior.add(pool.get(i).theta(), answer.accepted() ? 1 : 0);
      state = answer.next();
    }
    return posterior;
  }

  private static ReplayableRandom noise(String method, double epsilon, double threshold, int seed) {
    return ReplayableRandom.ofPublicSeed(
        "abc-toy " + method + " " + epsilon + " " + threshold + " " + seed);
  }

  private static Posterior posterior(List<Candidate> pool, IntToDoubleFunction weight) {
    Posterior posterior = new Posterior();
    for (int i = 0; i < pool.size(); i++) {
      posterior.add(pool.get(i).theta(), weight.applyAsDouble(i));
    }
    return posterior;
  }

  /** Mean absolute error of the posterior mean; of the prior's where nothing was accepted. */
  private static Summary error(List<Candidate> pool, ToPosterior posterior) {
    return Summary.of(
        IntStream.range(0, SEEDS)
            .mapToDouble(
                seed -> {
                  Posterior found = posterior.of(seed);
                  return IntStream.range(0, TRUTH.length)
                      .mapToDouble(
                          k ->
                              Math.abs(
                                  (found.isEmpty() ? 1.0 / TRUTH.length : found.mean(k))
                                      - TRUTH[k]))
                      .average()
                      .orElseThrow();
                })
            .toArray());
  }

  private interface ToPosterior {
    Posterior of(int seed);
  }

  private void write(List<Row> rows) throws ExperimentException {
    List<String> csv = new ArrayList<>();
    csv.add("method,epsilon,bound,threshold,noise_scale,error,error_sd");
    for (Row row : rows) {
      csv.add(
          String.format(
              Locale.ROOT,
              "\"%s\",%s,%s,%s,%.6g,%.6g,%.3g",
              row.method(),
              cell(row.epsilon()),
              cell(row.bound()),
              cell(row.threshold()),
              row.scale(),
              row.error().mean(),
              row.error().deviation()));
    }
    ResultTable.write(out.resolve("abc-toy.csv"), csv);
    ResultTable.write(out.resolve("abc-toy-soft.png"), softPlot(rows), EPSILONS.length);
    ResultTable.write(out.resolve("abc-toy-rejection.png"), rejectionPlot(rows), THRESHOLDS.length);
  }

  private static String cell(double value) {
    return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%.6g", value);
  }

  /** Figure 2, a panel for each epsilon. */
  private static Plots softPlot(List<Row> rows) {
    Plots plots = new Plots();
    for (double epsilon : EPSILONS) {
      plots.panel(
          "soft, epsilon " + epsilon,
          "threshold",
          Plots.Axis.LOGARITHMIC,
          "mean absolute error",
          Plots.Axis.LINEAR);
      for (String method : List.of("soft without privacy", "soft, paper", "soft, exact")) {
        line(plots, rows, method, epsilon);
      }
    }
    return plots;
  }

  /** Figure 3, a panel for each threshold; beside it sparse vector at the same epsilon. */
  private static Plots rejectionPlot(List<Row> rows) {
    Plots plots = new Plots();
    for (double threshold : THRESHOLDS) {
      plots.panel(
          "threshold " + threshold,
          "epsilon",
          Plots.Axis.LOGARITHMIC,
          "mean absolute error",
          Plots.Axis.LINEAR);
      double free =
          rows.stream()
              .filter(r -> r.method().equals("rejection without privacy"))
              .filter(r -> r.threshold() == threshold)
              .findFirst()
              .orElseThrow()
              .error()
              .mean();
      plots.line("without privacy", EPSILONS, Arrays.stream(EPSILONS).map(e -> free).toArray());
      for (String method :
          List.of("rejection, paper", "rejection, pure", "rejection, exact", "sparse vector")) {
        plots.line(
            method,
            EPSILONS,
            Arrays.stream(EPSILONS).map(e -> best(rows, method, e, threshold)).toArray());
      }
    }
    return plots;
  }

  private static void line(Plots plots, List<Row> rows, String method, double epsilon) {
    List<Row> shown =
        rows.stream()
            .filter(r -> r.method().equals(method))
            .filter(r -> Double.isNaN(r.epsilon()) || r.epsilon() == epsilon)
            .toList();
    plots.line(
        method,
        shown.stream().mapToDouble(Row::threshold).toArray(),
        shown.stream().mapToDouble(r -> r.error().mean()).toArray());
  }

  /** The least error over what else may be chosen; NaN if there is none. */
  private static double best(List<Row> rows, String method, double epsilon, double threshold) {
    return rows.stream()
        .filter(r -> r.method().startsWith(method) && r.epsilon() == epsilon)
        .filter(r -> Double.isNaN(threshold) || r.threshold() == threshold)
        .mapToDouble(r -> r.error().mean())
        .min()
        .orElse(Double.NaN);
  }

  private static List<String> summary(List<Row> rows) {
    List<String> lines = new ArrayList<>();
    for (double epsilon : EPSILONS) {
      lines.add(
          String.format(
              Locale.ROOT,
              "epsilon %s, least error over thresholds: soft %.4f by the paper, %.4f exact; rejection"
                  + " %.4f by the paper, %.4f purely private, %.4f exact; sparse vector %.4f",
              epsilon,
              best(rows, "soft, paper", epsilon, Double.NaN),
              best(rows, "soft, exact", epsilon, Double.NaN),
              best(rows, "rejection, paper", epsilon, Double.NaN),
              best(rows, "rejection, pure", epsilon, Double.NaN),
              best(rows, "rejection, exact", epsilon, Double.NaN),
              best(rows, "sparse vector", epsilon, Double.NaN)));
    }
    return lines;
  }
}
