// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.Accountant;
import io.sfumato.estimate.CalibrationTarget;
import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.estimate.PlanningModel;
import io.sfumato.estimate.additive.AdditiveCalibrator;
import io.sfumato.estimate.additive.VectorCalibrator;
import io.sfumato.estimate.features.NoisySums;
import io.sfumato.experiment.AbcErrors.Row;
import io.sfumato.inference.FeatureLikelihood;
import io.sfumato.inference.HistogramLikelihood;
import io.sfumato.inference.Likelihood;
import io.sfumato.inference.PopulationMonteCarlo;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.abc.FeatureSum;
import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.additive.GridMeasurement;
import io.sfumato.mechanism.additive.PostProcessing;
import io.sfumato.mechanism.features.FeatureQuery;
import io.sfumato.mechanism.features.FeatureSensitivity;
import io.sfumato.modeller.EventRates;
import io.sfumato.modeller.MixtureOfUniforms;
import io.sfumato.modeller.Posterior;
import io.sfumato.modeller.Prior;
import io.sfumato.modeller.Simulator;
import io.sfumato.random.KeyedRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The toy asked by one release for each dataset, at the same epsilon as a whole query: candidates
 * are post-processing, so that there are as many as one likes.
 */
final class AbcToyReleases {
  static final double EPSILON = 1;
  static final int[] RECORDS = {40, 200, 1000, 5000};
  private static final int CANDIDATES = 20_000;
  private static final int SEEDS = 10;

  private AbcToyReleases() {}

  /** One kind of release, and the model that it is fitted with. */
  private interface Contender {
    String word();

    Simulator simulator();

    /**
     * Publishes.
     *
     * @param rows one number in [0, 5) each
     * @return how likely the release is
     */
    Likelihood released(double[][] rows, KeyedRandom noise);
  }

  /** Releases of another kind go here. */
  private static List<Contender> contenders() {
    return List.of(new Summed(), new Counted());
  }

  /** Sums of random features with discrete Gaussian noise. */
  private record Summed() implements Contender {
    @Override
    public String word() {
      return "features release";
    }

    @Override
    public Simulator simulator() {
      return new MixtureOfUniforms(AbcToyWorld.truth().length);
    }

    @Override
    public Likelihood released(double[][] rows, KeyedRandom noise) {
      RandomFeatures features = AbcToyExperiment.FEATURES;
      GridMeasurement<FeatureQuery> mechanism =
          VectorCalibrator.fineGaussian(
                  new CalibrationTarget(
                      "toy", AbcCalibration.epsilonOf(EPSILON), AbcCalibration.DELTA, 1),
                  FeatureQuery.ofPublicSize(features.features()),
                  FeatureSensitivity.replaceOne(features.features()))
              .orElseThrow()
              .mechanism();
      ExactVector exact = FeatureQuery.rounded(FeatureSum.of(features, rows));
      NoisySums drawn = NoisySums.of(mechanism.query(), mechanism.distribution(exact).draw(noise));
      return new FeatureLikelihood(
          features, drawn.sums(), mechanism.deviation(), drawn.records(), 0);
    }
  }

  /** Counts of the components' intervals with discrete Gaussian noise, as shares. */
  private record Counted() implements Contender {
    @Override
    public String word() {
      return "histogram release";
    }

    /** Of a mixture of uniforms, whose intervals do not overlap. */
    @Override
    public Simulator simulator() {
      return new EventRates(new MixtureOfUniforms(AbcToyWorld.truth().length).parameters());
    }

    @Override
    public Likelihood released(double[][] rows, KeyedRandom noise) {
      long[] counts = new long[AbcToyWorld.truth().length];
      for (double[] row : rows) {
        counts[Math.min(counts.length - 1, (int) row[0])]++;
      }
      HistogramMechanism mechanism =
          AdditiveCalibrator.gaussian(
                  new CalibrationTarget(
                      "toy", AbcCalibration.epsilonOf(EPSILON), AbcCalibration.DELTA, 1),
                  Accountant.EXACT,
                  PostProcessing.POSTERIOR_MEAN,
                  Sensitivity.replaceOne(),
                  PlanningModel.zipf(counts.length, rows.length))
              .orElseThrow()
              .mechanism();
      return new HistogramLikelihood(
          HistogramAccuracy.of(mechanism)
              .density(mechanism.distribution(new Histogram(counts)).draw(noise), rows.length),
          counts.length);
    }
  }

  /** How many times {@link #rows} tells its progress. */
  static long steps() {
    return (long) contenders().size() * RECORDS.length * SEEDS;
  }

  /** Mean absolute errors of posterior means, by contender and number of records. */
  static List<Row> rows(Runnable progress) {
    List<Row> rows = new ArrayList<>();
    for (Contender contender : contenders()) {
      for (int records : RECORDS) {
        double[] errors =
            IntStream.range(0, SEEDS)
                .mapToDouble(
                    seed -> {
                      double error = error(contender, records, seed);
                      progress.run();
                      return error;
                    })
                .toArray();
        rows.add(
            new Row(
                contender.word() + ", N = " + records,
                EPSILON,
                Double.NaN,
                Double.NaN,
                Double.NaN,
                MeasurementSummary.of(errors)));
      }
    }
    return rows;
  }

  private static double error(Contender contender, int records, int seed) {
    String name = "abc-toy " + contender.word() + " " + records + " " + seed;
    double[] truth = AbcToyWorld.truth();
    Likelihood likelihood =
        contender.released(
            AbcToyWorld.observed(name + " observed", truth, records),
            KeyedRandom.ofPublicSeed(name + " noise"));
    Simulator simulator = contender.simulator();
    Posterior posterior =
        new PopulationMonteCarlo(
                simulator, Prior.of(simulator, List.of()), likelihood, CANDIDATES, seed)
            .run(() -> {})
            .posterior();
    return AbcToyTrial.error(posterior, truth);
  }
}
