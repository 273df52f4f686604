// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.modeller.PseudoData;
import java.util.Arrays;
import java.util.OptionalInt;

/**
 * Of noisy sums of random features: Gaussian noise around N times the pseudo-data's mean features.
 * Where the number of records has noise too, every N is as likely beforehand, and it is integrated
 * out.
 */
public final class FeatureLikelihood implements Likelihood {
  /** More pseudo-data than that nobody waits for; and a hostile release may claim any number. */
  private static final double MOST_RECORDS = 1_000_000;

  private final FastFeatures features;
  private final double[] sums;
  private final double variance;
  private final double records;
  private final double recordsVariance;
  private final Whitened plain;

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
          "the release has numbers that are not finite, or more than 1,000,000 records, as many of"
              + " which each candidate would have to simulate");
    }
    if (recordsDeviation == 0 && !(records >= 1)) {
      throw new IllegalArgumentException("the release is of a window without records");
    }
    this.features = new FastFeatures(features);
    this.sums = sums.clone();
    this.variance = deviation * deviation;
    this.records = records;
    this.recordsVariance = recordsDeviation * recordsDeviation;
    this.plain = new Whitened(Covariance.ofNoise(sums.length, variance));
  }

  @Override
  public int records() {
    return (int) Math.max(1, Math.round(records));
  }

  @Override
  public OptionalInt squares() {
    return OptionalInt.of(sums.length);
  }

  @Override
  public double log(PseudoData simulated) {
    return plain.log(simulated);
  }

  /**
   * Of twice as many pseudo-data, with half of the data's own spread integrated out: sums of N
   * records are nearly Gaussian with covariance N S, S a record's, and N times the mean of 2 N
   * records has N S / 2 of it. What is left is added to the noise; so that many candidates count
   * where the spread is far larger than the noise.
   */
  @Override
  public Likelihood spread(PseudoData typical) {
    double[][] ofRecord = features.covariance(numbers(typical));
    double spread = 0;
    for (int i = 0; i < sums.length; i++) {
      spread += ofRecord[i][i] * records() / 2;
    }
    if (spread < variance) {
      return this;
    }
    Covariance covariance = Covariance.of(ofRecord, records() / 2.0, variance);
    Whitened whitened = new Whitened(covariance);
    return new Likelihood() {
      @Override
      public int records() {
        return 2 * FeatureLikelihood.this.records();
      }

      @Override
      public OptionalInt squares() {
        return FeatureLikelihood.this.squares();
      }

      @Override
      public double log(PseudoData simulated) {
        return whitened.log(simulated);
      }
    };
  }

  /** The release in coordinates of independent noise, of deviation 1. */
  private final class Whitened {
    private final Covariance covariance;
    private final double[] released;

    Whitened(Covariance covariance) {
      this.covariance = covariance;
      this.released = sums.clone();
      covariance.whiten(released);
    }

    double log(PseudoData simulated) {
      double[] mean = features.mean(numbers(simulated));
      covariance.whiten(mean);
      double away = 0;
      double along = 0;
      double norm = 0;
      for (int i = 0; i < mean.length; i++) {
        double residual = released[i] - records * mean[i];
        away += residual * residual;
        along += residual * mean[i];
        norm += mean[i] * mean[i];
      }
      // Sherman-Morrison: N's noise adds recordsVariance mean mean' to the covariance.
      double stretched = 1 + recordsVariance * norm;
      return -(away - along * along * recordsVariance / stretched) / 2 - Math.log(stretched) / 2;
    }
  }

  private PseudoData.Numbers numbers(PseudoData simulated) {
    if (!(simulated instanceof PseudoData.Numbers numbers)
        || numbers.dimensions() != features.dimensions()) {
      throw new IllegalArgumentException(
          "the release is about records of %d %s: take a simulator that gives them"
              .formatted(features.dimensions(), features.dimensions() == 1 ? "number" : "numbers"));
    }
    return numbers;
  }
}
