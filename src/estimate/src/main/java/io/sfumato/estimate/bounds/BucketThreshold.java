// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.bounds;

import io.sfumato.accounting.StandardNormal;
import io.sfumato.estimate.Calibrated;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.CountMeasurement;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.mechanism.bounds.BucketQuery;
import io.sfumato.mechanism.bounds.PowerBuckets;
import java.util.Comparator;
import java.util.List;

/**
 * What a noisy count must reach, so that bounds are seldom those of no record at all. A matter of
 * usefulness alone: whatever the threshold is, the noise protects.
 */
public final class BucketThreshold {
  /** Chance that any of the empty buckets passes, all of them taken together. */
  static final double ANY_EMPTY = 1e-3;

  private BucketThreshold() {}

  /** The least whole number that noise alone reaches in any bucket in at most 1 of 1,000 draws. */
  public static long of(AdditiveNoise noise) {
    // 1 - (1 - p)^m <= 1e-3.
    double p = -StrictMath.expm1(StrictMath.log1p(-ANY_EMPTY) / PowerBuckets.NUMBER);
    long fails = 0;
    long passes = 1;
    while (atLeast(noise, passes) > p) {
      fails = passes;
      passes *= 2;
    }
    while (passes - fails > 1) {
      long middle = fails + (passes - fails) / 2;
      if (atLeast(noise, middle) > p) {
        fails = middle;
      } else {
        passes = middle;
      }
    }
    return passes;
  }

  /**
   * P[noise >= x]: of the discrete Laplace law exactly; of the discrete Gaussian no less than it,
   * {@code P[X >= x] <= P[N(0, sigma^2) >= x - 1]} (Canonne, Kamath, Steinke 2020, Proposition 25).
   */
  static double atLeast(AdditiveNoise noise, long x) {
    if (noise instanceof LaplaceNoise laplace) {
      double b = laplace.scale();
      return StrictMath.exp(-x / b) / (1 + StrictMath.exp(-1 / b));
    }
    return StrictMath.exp(StandardNormal.lnPhi(-(x - 1) / noise.continuousDeviation()));
  }

  /** Records of one bucket that let it pass in 97.5 of 100 draws. */
  public static long seen(AdditiveNoise noise) {
    return Math.addExact(of(noise), noise.halfWidth(1));
  }

  /** Plans by their threshold, the lowest first; of equal ones as they come. */
  public static List<Calibrated<CountMeasurement<BucketQuery>>> lowestFirst(
      List<Calibrated<CountMeasurement<BucketQuery>>> plans) {
    return plans.stream()
        .sorted(Comparator.comparingLong(plan -> of(plan.mechanism().noise())))
        .toList();
  }
}
