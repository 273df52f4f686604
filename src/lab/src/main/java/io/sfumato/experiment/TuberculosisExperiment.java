// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.CandidatePool.Candidate;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.modeller.Outbreak;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.Tuberculosis;
import io.sfumato.plot.Plots;
import io.sfumato.random.KeyedRandom;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Tuberculosis in San Francisco (section 4.2 and figure 4 of the ABCDP paper): soft ABC with 200
 * candidates at (4, 1e-4), ten seeds. Distances are clipped at 400, which is then their
 * sensitivity.
 *
 * @param out folder for tables and plots
 */
public record TuberculosisExperiment(Path out) implements Experiment {
  private static final int SEEDS = 10;
  private static final int CANDIDATES = 200;
  private static final double EPSILON = 4;
  private static final double BOUND = 400;

  /** Each with its clip in units of the threshold: 20, 10, 5. */
  private static final double[] THRESHOLDS = {20, 40, 80};

  /** Posterior means of Lintusaari et al. 2019. */
  private static final double[] REFERENCE = {192, 5.88, 6.74, 0.09};

  /** Ranges of the histograms. */
  private static final double[][] RANGES = {{100, 300}, {0, 20}, {0, 30}, {0, 1}};

  private static final int BINS = 20;
  private static final Tuberculosis MODEL = new Tuberculosis();
  private static final int ACCEPTANCES = 20;

  /** Turns a candidate's distance into a weight. */
  private interface Answers {
    ToDoubleFunction<Candidate> of(KeyedRandom random);
  }

  @Override
  public long steps() {
    return (long) SEEDS * CANDIDATES;
  }

  /** Writes {@code tuberculosis.csv} and {@code tuberculosis.png}. */
  @Override
  public List<String> run(Runnable progress) throws ExperimentException {
    AtomicLong nanos = new AtomicLong();
    long began = System.nanoTime();
    List<CandidatePool> pools = new ArrayList<>();
    for (int seed = 0; seed < SEEDS; seed++) {
      pools.add(pool(seed, nanos, progress));
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Map<String, IntFunction<Posterior>> methods = methods(pools);
    ResultLines csv = new ResultLines("method,error,error_sd,beta,R1,t1,R2,effective_candidates");
    ResultLines lines = new ResultLines();
    methods.forEach((name, method) -> report(name, method, csv, lines));
    csv.write(out.resolve("tuberculosis.csv"));
    plot(methods);
    lines.add(
        "simulator: %.1f ms a candidate on one core; %,d candidates in %.1f s",
        nanos.get() / 1e6 / steps(), steps(), seconds);
    return lines.all();
  }

  private static CandidatePool pool(int seed, AtomicLong nanos, Runnable progress) {
    Prior prior = Prior.of(MODEL, List.of());
    Outbreak observed = Outbreak.sanFrancisco();
    return new CandidatePool(
        Parallel.all(
            CANDIDATES,
            i -> {
              long began = System.nanoTime();
              KeyedRandom random =
                  KeyedRandom.ofPublicSeed("tuberculosis " + seed + " candidate " + i);
              double[] theta = prior.draw(random);
              double distance = observed.distance(MODEL.outbreak(theta, random));
              nanos.addAndGet(System.nanoTime() - began);
              return new Candidate(theta, distance);
            },
            progress));
  }

  private static Map<String, IntFunction<Posterior>> methods(List<CandidatePool> pools) {
    Map<String, IntFunction<Posterior>> methods = new LinkedHashMap<>();
    methods.put("prior", seed -> pools.get(seed).weighted(candidate -> 1));
    for (double threshold : THRESHOLDS) {
      methods.put(
          name("soft without privacy", threshold),
          seed -> pools.get(seed).weighted(c -> Math.exp(-c.distance() / threshold)));
    }
    for (double threshold : THRESHOLDS) {
      double sigma = BOUND / threshold * Math.sqrt(CANDIDATES) / AbcCalibration.paperMu(EPSILON);
      add(
          methods,
          pools,
          name("soft, paper", threshold),
          random ->
              c ->
                  Math.exp(
                      -Math.max(
                          0, clipped(c) / threshold + sigma * random.nextStandardGaussian())));
      SoftWeights exact =
          SoftWeights.of(AbcCalibration.exactMu(EPSILON), CANDIDATES, BOUND, threshold);
      add(
          methods,
          pools,
          name("soft, exact", threshold),
          random ->
              c -> exact.weight(exact.answer(clipped(c), Optional.empty()).draw(random).outcome()));
    }
    RejectionCoin coin = AbcCalibration.composedCoin(EPSILON, CANDIDATES, BOUND, BOUND, BOUND / 2);
    add(
        methods,
        pools,
        name("rejection, exact", BOUND / 2),
        random -> c -> coin.answer(clipped(c), Optional.empty()).draw(random).outcome());
    SparseVector vector =
        SparseVector.plan(
            AbcCalibration.epsilonOf(EPSILON), ACCEPTANCES, BOUND, BOUND / 2, Threshold.KEPT);
    methods.put(
        name("sparse vector, c = " + ACCEPTANCES, BOUND / 2),
        seed ->
            pools
                .get(seed)
                .answered(vector, TuberculosisExperiment::clipped, noise("sparse vector", seed)));
    return methods;
  }

  private static String name(String method, double threshold) {
    return String.format(Locale.ROOT, "%s, threshold %.0f", method, threshold);
  }

  private static void add(
      Map<String, IntFunction<Posterior>> methods,
      List<CandidatePool> pools,
      String name,
      Answers answers) {
    methods.put(name, seed -> pools.get(seed).weighted(answers.of(noise(name, seed))));
  }

  private static KeyedRandom noise(String method, int seed) {
    return KeyedRandom.ofPublicSeed("tuberculosis " + method + " " + seed);
  }

  private static double clipped(Candidate candidate) {
    return Math.min(BOUND, candidate.distance());
  }

  /** Mean absolute distance of the four posterior means from the reference. */
  private static double error(Posterior posterior) {
    return IntStream.range(0, REFERENCE.length)
        .mapToDouble(k -> Math.abs(posterior.mean(k) - REFERENCE[k]))
        .average()
        .orElseThrow();
  }

  private static void report(
      String name, IntFunction<Posterior> method, ResultLines csv, ResultLines lines) {
    List<Posterior> posteriors =
        IntStream.range(0, SEEDS)
            .mapToObj(method)
            .filter(posterior -> !posterior.isEmpty())
            .toList();
    MeasurementSummary error =
        MeasurementSummary.of(
            posteriors.stream().mapToDouble(TuberculosisExperiment::error).toArray());
    double[] means =
        IntStream.range(0, REFERENCE.length)
            .mapToDouble(
                k -> posteriors.stream().mapToDouble(p -> p.mean(k)).average().orElseThrow())
            .toArray();
    double effective =
        posteriors.stream().mapToDouble(Posterior::effectiveSize).average().orElseThrow();
    csv.add(
        "\"%s\",%.6g,%.3g,%.6g,%.6g,%.6g,%.6g,%.4g",
        name, error.mean(), error.deviation(), means[0], means[1], means[2], means[3], effective);
    lines.add(
        "%-38s error %.2f +- %.2f, means beta %.0f, R1 %.2f, t1 %.2f, R2 %.2f",
        name, error.mean(), error.deviation(), means[0], means[1], means[2], means[3]);
  }

  /** Figure 4, the four rows laid over each other, all seeds together. */
  private void plot(Map<String, IntFunction<Posterior>> methods) throws ExperimentException {
    Plots plots = new Plots();
    List<String> shown =
        List.of(
            "prior",
            name("soft without privacy", 20),
            name("soft, exact", 20),
            name("soft, exact", 80));
    for (int k = 0; k < REFERENCE.length; k++) {
      plots.panel(MODEL.parameters().get(k), "", Plots.Axis.LINEAR, "share", Plots.Axis.LINEAR);
      for (String name : shown) {
        double[] shares = new double[BINS];
        for (int seed = 0; seed < SEEDS; seed++) {
          double[] one =
              methods.get(name).apply(seed).histogram(k, RANGES[k][0], RANGES[k][1], BINS);
          for (int i = 0; i < BINS; i++) {
            shares[i] += one[i] / SEEDS;
          }
        }
        plots.histogram(name, RANGES[k][0], RANGES[k][1], shares);
      }
    }
    ResultTable.write(out.resolve("tuberculosis.png"), plots, 2);
  }
}
