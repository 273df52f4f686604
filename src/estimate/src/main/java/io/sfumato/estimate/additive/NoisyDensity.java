// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.mechanism.Distribution;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.PostProcessing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;

/**
 * How dense shares of noisy counts are, given exact ones. The noisy counts are whole numbers and
 * shares have 40 binary digits, so that a release has few pre-images, mostly one, and its
 * probability is the sum of theirs:
 *
 * <ul>
 *   <li>{@code posterior-mean} with public N: invertible but for a common shift. Exact counts add
 *       up to N, so that the sum over all shifts is a constant, and the contrasts' density that of
 *       noise whose mean is 0.
 *   <li>{@code posterior-mean}, N private: shares are divided by the noisy total, which only few
 *       whole numbers can have been.
 *   <li>{@code floor}: likewise; what lies on the floor is only known to be no larger.
 * </ul>
 *
 * Where N is private it is taken for what the noisy counts add up to: their total is published in
 * effect, and N is unknown by no more than its noise.
 */
final class NoisyDensity {
  /** Deviations of a total's noise, beyond which a pre-image has next to no probability. */
  private static final double FAR = 40;

  /** Pre-images that are summed over. */
  private static final int MOST_SEEN = 16;

  private NoisyDensity() {}

  static HistogramDensity of(
      Distribution shares,
      AdditiveNoise noise,
      PostProcessing postProcessing,
      Sensitivity sensitivity,
      long records) {
    NoiseLaw distribution = NoiseLaw.of(noise);
    if (postProcessing == PostProcessing.POSTERIOR_MEAN && sensitivity.sizeIsPublic()) {
      return new HistogramDensity.Sum(records, List.of(contrasts(shares, noise, records)));
    }
    NoisyCounts counts = new NoisyCounts(shares, noise.continuousDeviation());
    List<NoisyCounts.Found> found =
        postProcessing == PostProcessing.POSTERIOR_MEAN
            ? counts.ofPosteriorMean(records)
            : sensitivity.sizeIsPublic() ? counts.ofFloor(records) : counts.ofFloor();
    if (found.isEmpty()) {
      throw new IllegalArgumentException(
          "no counts with the plan's noise (%s %s) give these shares: they were made by another plan, or changed on the way"
              .formatted(noise.method(), noise.parameters()));
    }
    long total =
        sensitivity.sizeIsPublic()
            ? records
            : found.stream()
                .map(NoisyCounts.Found::total)
                .min(
                    Comparator.comparingDouble(n -> Math.abs(StrictMath.log((double) n / records))))
                .orElseThrow();
    List<HistogramDensity.Product> products = new ArrayList<>();
    found.stream()
        .filter(one -> isNear(one.total(), total, noise, shares.categories()))
        .sorted(Comparator.comparingLong(one -> Math.abs(one.total() - total)))
        .limit(MOST_SEEN)
        .forEach(one -> products.add(new Seen(one, distribution)));
    return new HistogramDensity.Sum(total, products);
  }

  /** Multiples of a total give the same shares; exact counts add up to one of them alone. */
  private static boolean isNear(long found, long total, AdditiveNoise noise, int categories) {
    return Math.abs(found - total)
        <= FAR * noise.continuousDeviation() * Math.sqrt((double) categories);
  }

  private static HistogramDensity.Product contrasts(
      Distribution shares, AdditiveNoise noise, long records) {
    double[] centred = new double[shares.categories()];
    double sum = 0;
    for (int i = 0; i < centred.length; i++) {
      centred[i] = PostProcessing.seen(records * shares.share(i), noise.continuousDeviation());
      sum += centred[i];
    }
    double shift = (records - sum) / centred.length;
    double twice = 2 * noise.deviation() * noise.deviation();
    return (category, count) -> {
      double away = centred[category] + shift - count;
      return -away * away / twice;
    };
  }

  /** Noisy counts, of which some are only known to be low. */
  private record Seen(NoisyCounts.Found found, NoiseLaw distribution)
      implements HistogramDensity.Product {
    @Override
    public double log(int category, long count) {
      return found.isFloored(category)
          ? distribution.logAtMost(found.count(category) - count)
          : distribution.log(found.count(category) - count);
    }

    @Override
    public OptionalLong kink(int category) {
      return distribution.isSmooth()
          ? OptionalLong.empty()
          : OptionalLong.of(found.count(category));
    }
  }
}
