// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.experiment.AbcErrors.Row;
import io.sfumato.experiment.CandidatePool.Candidate;
import io.sfumato.mechanism.abc.Distances;
import io.sfumato.mechanism.abc.RejectionCoin;
import io.sfumato.mechanism.abc.SoftWeights;
import io.sfumato.mechanism.abc.SparseVector;
import io.sfumato.mechanism.abc.SparseVectorPlan.Threshold;
import io.sfumato.modeller.Posterior;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * All methods of the toy with all their settings, on some observed datasets.
 *
 * @param name of the noise's public randomness
 * @param truths shares that each dataset was simulated with
 * @param near {@link #CANDIDATES} candidates of each, of many pseudo-samples
 * @param far {@link #MANY} candidates of each, of fewer
 */
record AbcToyTrial(
    String name, List<double[]> truths, List<CandidatePool> near, List<CandidatePool> far) {
  private static final double[] SOFT_THRESHOLDS = {
    0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5
  };
  static final double[] EPSILONS = {0.5, 1, 10};
  static final double[] THRESHOLDS = {0.05, 0.1, 0.2, 0.5};
  private static final int[] ACCEPTANCES = {10, 100, 1000};
  static final int CANDIDATES = 1000;
  static final int MANY = 10_000;
  private static final double SENSITIVITY = Distances.mmdSensitivity(AbcToyWorld.RECORDS);

  /**
   * Errors at every setting, in an order that depends on nothing else.
   *
   * @param bounds of distances, for rejection
   */
  List<Row> rows(double[] bounds) {
    List<Row> rows = new ArrayList<>();
    soft(rows);
    for (double bound : bounds) {
      rejection(rows, bound);
    }
    sparse(rows);
    return rows;
  }

  private void soft(List<Row> rows) {
    for (double threshold : SOFT_THRESHOLDS) {
      rows.add(
          new Row(
              "soft without privacy",
              Double.NaN,
              Double.NaN,
              threshold,
              0,
              error(seed -> near.get(seed).weighted(c -> Math.exp(-c.distance() / threshold)))));
      for (double epsilon : EPSILONS) {
        double paper =
            SENSITIVITY / threshold * Math.sqrt(CANDIDATES) / AbcCalibration.paperMu(epsilon);
        rows.add(
            soft(
                "soft, paper",
                epsilon,
                threshold,
                paper * threshold,
                random ->
                    c ->
                        Math.exp(
                            -Math.max(
                                0,
                                c.distance() / threshold
                                    + paper * random.nextStandardGaussian()))));
        SoftWeights exact =
            SoftWeights.of(AbcCalibration.exactMu(epsilon), CANDIDATES, SENSITIVITY, threshold);
        rows.add(
            soft(
                "soft, exact",
                epsilon,
                threshold,
                exact.scale(),
                random ->
                    c ->
                        exact.weight(
                            exact.answer(c.distance(), Optional.empty()).draw(random).outcome())));
      }
    }
  }

  private Row soft(String method, double epsilon, double threshold, double scale, Weights weights) {
    MeasurementSummary error =
        error(seed -> near.get(seed).weighted(weights.of(noise("soft", epsilon, threshold, seed))));
    return new Row(method, epsilon, Double.NaN, threshold, scale, error);
  }

  /** Of one posterior's candidates, by its noise. */
  private interface Weights {
    ToDoubleFunction<Candidate> of(KeyedRandom random);
  }

  private void rejection(List<Row> rows, double bound) {
    for (double threshold : THRESHOLDS) {
      rows.add(
          new Row(
              "rejection without privacy",
              Double.NaN,
              bound,
              threshold,
              0,
              error(seed -> few(seed).weighted(c -> c.distance() <= threshold ? 1 : 0))));
      if (threshold > bound) {
        continue; // every distance is clipped below such a threshold: all are accepted
      }
      for (double epsilon : EPSILONS) {
        double paper = AbcCalibration.paperCoin(epsilon, CANDIDATES, SENSITIVITY, bound, threshold);
        rows.add(coins("rejection, paper", epsilon, bound, threshold, paper));
        double pure = AbcCalibration.pureCoin(epsilon, CANDIDATES, SENSITIVITY, bound, threshold);
        rows.add(coins("rejection, pure", epsilon, bound, threshold, pure));
        double clip = Math.min(bound, RejectionCoin.clip(threshold));
        double exact =
            AbcCalibration.composedCoin(epsilon, CANDIDATES, SENSITIVITY, clip, threshold).sigma();
        rows.add(coins("rejection, exact", epsilon, clip, threshold, exact));
      }
    }
  }

  private Row coins(String method, double epsilon, double bound, double threshold, double sigma) {
    RejectionCoin coin = new RejectionCoin(SENSITIVITY, bound, threshold, sigma);
    MeasurementSummary error =
        error(
            seed -> {
              KeyedRandom random = noise("rejection", epsilon, threshold, seed);
              return few(seed)
                  .weighted(
                      c -> coin.answer(c.distance(), Optional.empty()).draw(random).outcome());
            });
    return new Row(method, epsilon, bound, threshold, sigma, error);
  }

  /** The candidates of one seed. */
  private CandidatePool few(int seed) {
    int part = seed % (MANY / CANDIDATES);
    return far.get(seed).part(part * CANDIDATES, (part + 1) * CANDIDATES);
  }

  private void sparse(List<Row> rows) {
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
                    error(
                        seed ->
                            far.get(seed)
                                .answered(
                                    vector,
                                    Candidate::distance,
                                    noise("sparse vector", epsilon, vector.scale(), seed)))));
          }
        }
      }
    }
  }

  private KeyedRandom noise(String method, double epsilon, double threshold, int seed) {
    return KeyedRandom.ofPublicSeed(
        name + " " + method + " " + epsilon + " " + threshold + " " + seed);
  }

  /** Mean absolute error of the posterior mean; of the prior's where nothing was accepted. */
  MeasurementSummary error(IntFunction<Posterior> posterior) {
    return MeasurementSummary.of(
        IntStream.range(0, truths.size())
            .mapToDouble(seed -> error(posterior.apply(seed), truths.get(seed)))
            .toArray());
  }

  static double error(Posterior found, double[] truth) {
    return IntStream.range(0, truth.length)
        .mapToDouble(
            k -> Math.abs((found.isEmpty() ? 1.0 / truth.length : found.mean(k)) - truth[k]))
        .average()
        .orElseThrow();
  }
}
