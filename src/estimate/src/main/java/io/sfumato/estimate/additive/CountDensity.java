// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.estimate.HistogramDensity;
import io.sfumato.mechanism.additive.AdditiveNoise;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * How dense noisy counts are that were published as they are, given exact ones. N is private where
 * counts are published: it is taken for what they add up to, from which it is no further than their
 * noise.
 */
public final class CountDensity {
  private static final long MOST = 1L << 30;

  private CountDensity() {}

  /**
   * The noise's probability, category by category.
   *
   * @param noisy at least two, maybe below 0
   * @throws IllegalArgumentException if they are of no records, or of more than 2^30
   */
  public static HistogramDensity of(long[] noisy, AdditiveNoise noise) {
    return of(noisy, noise, OptionalLong.empty());
  }

  /**
   * The same, where the number of records may be public.
   *
   * @param noisy counts by category
   * @param records N that is public; else what the noisy counts add up to is taken for it
   * @throws IllegalArgumentException if a count is above 2^30 in magnitude, or there is less than 1
   *     record
   */
  public static HistogramDensity of(long[] noisy, AdditiveNoise noise, OptionalLong records) {
    if (Arrays.stream(noisy).anyMatch(count -> Math.abs((double) count) > MOST)) {
      throw new IllegalArgumentException("counts: found one of more than 2^30 records");
    }
    long total = records.orElseGet(() -> Arrays.stream(noisy).sum());
    if (total < 1) {
      throw new IllegalArgumentException(
          "the counts add up to %d: of that few records they say nothing about any model"
              .formatted(total));
    }
    NoiseLaw distribution = NoiseLaw.of(noise);
    long[] published = noisy.clone();
    return new HistogramDensity.Sum(
        total,
        List.of(
            new HistogramDensity.Product() {
              @Override
              public double log(int category, long count) {
                return distribution.log(published[category] - count);
              }

              @Override
              public OptionalLong kink(int category) {
                return distribution.isSmooth()
                    ? OptionalLong.empty()
                    : OptionalLong.of(published[category]);
              }
            }));
  }
}
