// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.modeller.PseudoData;
import java.util.Arrays;

/**
 * Of noisy sums of random features: Gaussian noise around N times the pseudo-data's mean features.
 * Where the number of records has noise too, every N is as likely beforehand, and it is integrated
 * out.
 */
public final class FeatureLikelihood implements Likelihood {
  /** More pseudo-data than that nobody waits for; and a hostile release may claim any number. */
  private static final double MOST_RECORDS = 10_000_000;

  private final FastFeatures features;
  private final double[] sums;
  private final double variance;
  private final double records;
  private final double recordsVariance;

  /**
   * @param sums as released, one a feature, finite
   * @param deviation of the noise of each, above 0
   * @param records N, or that with noise; finite
   * @param recordsDeviation of N's noise; 0 where it is public
   * @throws IllegalArgumentException if a number is not as said
   */
  public FeatureLikelihood(
      RandomFeatures features,
      double[] sums,
      double deviation,
      double records,
      double recordsDeviation) {
    if (!Arrays.stream(sums).allMatch(Double::isFinite) || !(Math.abs(records) <= MOST_RECORDS)) {
      throw new IllegalArgumentException(
          "the release has numbers that are not finite, or more records than "
              + (long) MOST_RECORDS);
    }
    if (recordsDeviation == 0 && !(records >= 1)) {
      throw new IllegalArgumentException("the release is of a window without records");
    }
    this.features = new FastFeatures(features);
    this.sums = sums.clone();
    this.variance = deviation * deviation;
    this.records = records;
    this.recordsVariance = recordsDeviation * recordsDeviation;
  }

  @Override
  public int records() {
    return (int) Math.max(1, Math.round(records));
  }

  @Override
  public double log(PseudoData simulated) {
    if (!(simulated instanceof PseudoData.Numbers numbers)
        || numbers.rows()[0].length != features.dimensions()) {
      throw new IllegalArgumentException(
          "the release is about records of %d %s: take a simulator that gives them"
              .formatted(features.dimensions(), features.dimensions() == 1 ? "number" : "numbers"));
    }
    double[] mean = features.mean(numbers.rows());
    double away = 0;
    double along = 0;
    double norm = 0;
    for (int i = 0; i < mean.length; i++) {
      double residual = sums[i] - records * mean[i];
      away += residual * residual;
      along += residual * mean[i];
      norm += mean[i] * mean[i];
    }
    // Sherman-Morrison: the covariance is variance I + recordsVariance mean mean'.
    double stretched = 1 + recordsVariance * norm / variance;
    return -(away - along * along * recordsVariance / (variance * stretched)) / (2 * variance)
        - Math.log(stretched) / 2;
  }
}
