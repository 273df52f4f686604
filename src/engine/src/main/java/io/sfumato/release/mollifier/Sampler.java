// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.release.mollifier;

/** How items are drawn: the setting {@code sampler} and those that belong to it. */
public sealed interface Sampler {
  /** From the point of the mollifier nearest to the dataset, in closed form: finite domains. */
  record Mollifier() implements Sampler {}

  /**
   * The minimax sampler on a finite domain or the cells of a box.
   *
   * @param bins into which each number of a bounded box is cut; 1 for finite domains
   */
  record Clipped(int bins) implements Sampler {}

  /**
   * From a boosted density: domains with numbers.
   *
   * @param learner its word
   * @param fourier of the learner {@code logistic}
   * @param rounds T, at least 1
   * @param pool size of the public sample of the reference
   */
  record Boosted(Learner learner, Fourier fourier, int rounds, int pool) implements Sampler {}

  /**
   * From a public pool of the reference, by projection of an estimated density: domains with
   * numbers.
   *
   * @param word of the sampler: {@code projection}, or {@code clipped} for the minimax band
   * @param pool number of its points
   * @param estimator of density over reference
   * @param band of the laws
   */
  record Projected(String word, int pool, Estimator estimator, BandRule band) implements Sampler {}

  /** That which errs least on the public plan: domains with numbers. */
  record Best() implements Sampler {}

  /** Weak learners of boosting. */
  enum Learner {
    LOGISTIC,
    STUMPS,
    NETWORK
  }

  /**
   * Logistic regression on random Fourier features.
   *
   * @param features how many, even
   * @param bandwidth of their kernel, in scales of the reference
   * @param ridge penalty on the coefficients
   */
  record Fourier(int features, double bandwidth, double ridge) {}

  /** Of the ratio of a dataset's density to the reference's. */
  sealed interface Estimator {
    /** Kernels around the records. */
    record Kernel() implements Estimator {}

    /** The odds of logistic regression. */
    record Logistic(Fourier fourier) implements Estimator {}
  }

  /** Between which multiples of the reference the laws lie. */
  sealed interface BandRule {
    /** The mollifier's, as far to both sides (equation 5). */
    record Mollifier() implements BandRule {}

    /**
     * The minimax one of densities with a bound.
     *
     * @param largest how many times the reference they are at most, above 1
     */
    record Minimax(double largest) implements BandRule {}
  }
}
