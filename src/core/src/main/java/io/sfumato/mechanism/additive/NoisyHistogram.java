// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.additive;

import io.sfumato.accounting.PrivacyCost;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.ExactVector;
import io.sfumato.mechanism.Histogram;
import io.sfumato.mechanism.HistogramMechanism;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.Mechanism;
import io.sfumato.mechanism.NoisyVector;
import io.sfumato.mechanism.OutputDistribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.random.CanonicalEncoder;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Noise on every count of a histogram, then post-processing to shares.
 *
 * @param counts what is drawn: releases that publish the counts themselves draw from it
 */
public record NoisyHistogram(CountMeasurement<HistogramQuery> counts)
    implements HistogramMechanism {
  /**
   * @param postProcessing where the noise leaves a choice; without one it is the floor
   */
  public NoisyHistogram(
      AdditiveNoise noise, Optional<PostProcessing> postProcessing, Sensitivity sensitivity) {
    this(new CountMeasurement<>(new HistogramQuery(postProcessing), sensitivity, noise));
  }

  /** On every count. */
  public AdditiveNoise noise() {
    return counts.noise();
  }

  /** What makes shares of noisy counts. */
  public PostProcessing postProcessing() {
    return counts.query().postProcessing().orElse(PostProcessing.FLOOR);
  }

  /** How far neighbours lie apart. */
  public Sensitivity sensitivity() {
    return counts.sensitivity();
  }

  /** Whether the number of records is the same in all neighbours. */
  public boolean sizeIsPublic() {
    return counts.sizeIsPublic();
  }

  @Override
  public PrivacyCost charge() {
    return counts.charge();
  }

  @Override
  public String method() {
    return counts.method();
  }

  @Override
  public Map<String, Double> parameters() {
    return counts.parameters();
  }

  /** Shares, or the counts that they are computed from. */
  @Override
  public List<Mechanism<?, ?>> paidFor() {
    return List.of(this, counts);
  }

  @Override
  public OutputDistribution<HistogramRelease> distribution(Histogram histogram) {
    OutputDistribution<NoisyVector> distribution =
        counts.distribution(ExactVector.byCategory(histogram));
    return new OutputDistribution<>() {
      @Override
      public void encodeInput(CanonicalEncoder encoder) {
        distribution.encodeInput(encoder);
      }

      @Override
      public HistogramRelease draw(KeyedRandom random) {
        NoisyVector noisy = distribution.draw(random);
        return shares(noisy.values(), size(noisy));
      }
    };
  }

  /** N where it is public, else what the noisy counts add up to: at least 0. */
  private static long size(NoisyVector noisy) {
    return noisy
        .records()
        .orElseGet(
            () -> Math.max(0, Math.round(Arrays.stream(noisy.values()).asDoubleStream().sum())));
  }

  /**
   * Shares of noisy counts alone.
   *
   * @param noisy counts by category, of any sign
   * @param size N where it is public, else what the noisy counts add up to, at least 0
   */
  public Distribution shares(long[] noisy, long size) {
    return postProcessing()
        .apply(Arrays.stream(noisy).asDoubleStream().toArray(), size, noise().continuousDeviation())
        .ofRecords(size);
  }

  @Override
  public OptionalDouble divergence(double order, Histogram first, Histogram second) {
    return counts.divergence(order, ExactVector.byCategory(first), ExactVector.byCategory(second));
  }
}
