// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.estimate.HistogramAccuracy;
import io.sfumato.estimate.HistogramDensity;
import io.sfumato.estimate.ShareErrorBars;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.HistogramRelease;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.NoisyHistogram;
import io.sfumato.mechanism.additive.PostProcessing;

/**
 * How far shares of noisy counts are off.
 *
 * @param mechanism that draws the counts
 */
public record NoisyAccuracy(NoisyHistogram mechanism) implements HistogramAccuracy {
  @Override
  public double halfWidth(double share, long records, int categories) {
    AdditiveNoise noise = mechanism.noise();
    PostProcessing postProcessing = mechanism.postProcessing();
    boolean toKnown = postProcessing == PostProcessing.POSTERIOR_MEAN && mechanism.sizeIsPublic();
    double bar =
        toKnown
            ? ShareErrorBars.ofKnownTotal(ShareErrorBars.of(noise), records, categories)
            : ShareInterval.of(noise, categories).range(share * records, records).from(share);
    double pull =
        postProcessing.pull(share, noise.continuousDeviation(), Math.max(1, records), categories);
    return Math.min(1, bar + pull);
  }

  @Override
  public HistogramDensity density(HistogramRelease release, long records) {
    if (!(release instanceof Distribution shares)) {
      throw new IllegalArgumentException("the plan publishes shares, the release has items");
    }
    return NoisyDensity.of(
        shares, mechanism.noise(), mechanism.postProcessing(), mechanism.sensitivity(), records);
  }
}
