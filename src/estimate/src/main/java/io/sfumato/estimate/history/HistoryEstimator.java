// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import io.sfumato.estimate.additive.NoiseLaw;
import io.sfumato.mechanism.additive.AdditiveNoise;
import java.util.Arrays;

/**
 * A window's counts as posterior means, given its noisy counts and the subject's earlier releases.
 *
 * <p>Each category has its own average over {@link Model}s, whose priors are fitted to earlier
 * shares, and the plain estimate, which half of the prior belief is in: weights are the (faded)
 * likelihoods of what was seen so far, this window's included (Bayesian model averaging). The
 * likelihood is the noise's own law, not a normal one.
 *
 * <p>What was seen before leaves the plain estimate an eighth of the likeliest one's weight, as
 * experts keep a fixed share (Herbster and Warmuth, Tracking the Best Expert, 1998): a count that
 * was quiet for long may burst, and one window's evidence must be able to say so.
 */
final class HistoryEstimator {
  private static final double PLAIN = StrictMath.log(0.5);
  private static final double EACH = StrictMath.log(0.5 / Model.ALL.size());

  /**
   * Of the plain estimate's weight before a window is looked at, to the likeliest one's. Evidence
   * of some twenty windows adds up, and that of one burst is a few nats: less (1/20) hides bursts
   * of six deviations, more (1/3) costs a tenth of what is won where nothing happens.
   */
  private static final double LEAST = StrictMath.log(0.125);

  private final NoiseLaw distribution;
  private final double deviation;

  /**
   * @param noise on every count
   */
  HistoryEstimator(AdditiveNoise noise) {
    this.distribution = NoiseLaw.of(noise);
    this.deviation = noise.continuousDeviation();
  }

  /**
   * What is thought of a window's counts.
   *
   * @param counts of its categories: their evidence is that of the average
   * @param seen how likely each model thought what was seen, by model and category
   */
  record Belief(CountPosterior[] counts, double[][] seen) {}

  /** What a model thinks of a category's count, from what it knows of earlier ones. */
  interface Priors {
    CountPrior of(Model model, int category);
  }

  /**
   * Of one window.
   *
   * @param past as it is seen from the window
   * @param noisy counts, one a category, maybe below 0
   * @param most that each count can be, at least 0
   * @param plain counts that are thought of where nothing is remembered, at least 0
   */
  Belief belief(ReleaseHistory past, long[] noisy, Priors priors, long[] most, double[] plain) {
    int models = Model.ALL.size();
    double[][] seen = new double[models + 1][noisy.length];
    CountPosterior[] counts = new CountPosterior[noisy.length];
    for (int i = 0; i < noisy.length; i++) {
      LikelyCounts likely = new LikelyCounts(distribution, deviation, noisy[i], most[i]);
      CountPosterior[] found = new CountPosterior[models + 1];
      for (int model = 0; model < models; model++) {
        found[model] = likely.under(priors.of(Model.ALL.get(model), i));
      }
      double unknown = likely.under(new UnknownCount(deviation / 2, most[i])).logEvidence();
      found[models] = new CountPosterior(plain[i], deviation * deviation, unknown);
      double[] logWeights = logWeights(past, i);
      double likeliest = Arrays.stream(logWeights).max().orElseThrow();
      logWeights[models] = Math.max(logWeights[models], likeliest + LEAST);
      for (int model = 0; model < found.length; model++) {
        seen[model][i] = found[model].logEvidence();
        logWeights[model] += seen[model][i];
      }
      counts[i] = average(found, logWeights);
    }
    return new Belief(counts, seen);
  }

  /**
   * What share is thought to be a category's where a window says nothing of it: the models' means,
   * weighed by what was seen of the category before. There is no burst to be told, and so no least
   * weight of the plain one.
   *
   * @param plain share that is thought of where nothing is remembered, above 0
   */
  double expected(ReleaseHistory past, int category, double plain) {
    int models = Model.ALL.size();
    CountPosterior[] found = new CountPosterior[models + 1];
    for (int model = 0; model <= models; model++) {
      double share = model < models ? Model.ALL.get(model).share(past, category) : plain;
      found[model] = new CountPosterior(share, 0, 0);
    }
    return average(found, logWeights(past, category)).mean();
  }

  /** Of the models, and of the plain estimate after them, by what was seen before. */
  private static double[] logWeights(ReleaseHistory past, int category) {
    int models = Model.ALL.size();
    double[] logWeights = new double[models + 1];
    for (int model = 0; model <= models; model++) {
      logWeights[model] = (model < models ? EACH : PLAIN) + past.evidence(model, category);
    }
    return logWeights;
  }

  /** Mean and variance of the mixture. */
  private static CountPosterior average(CountPosterior[] found, double[] logWeights) {
    double top = Double.NEGATIVE_INFINITY;
    for (double log : logWeights) {
      top = Math.max(top, log);
    }
    double sum = 0;
    double mean = 0;
    double square = 0;
    for (int model = 0; model < found.length; model++) {
      double weight = StrictMath.exp(logWeights[model] - top);
      sum += weight;
      mean += weight * found[model].mean();
    }
    mean /= sum;
    for (int model = 0; model < found.length; model++) {
      double weight = StrictMath.exp(logWeights[model] - top) / sum;
      double away = found[model].mean() - mean;
      square += weight * (found[model].variance() + away * away);
    }
    return new CountPosterior(mean, square, top + StrictMath.log(sum));
  }
}
