// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;

/** Half the widths of 95% intervals of shares, by where their noise comes from. */
public final class ShareErrorBars {
  private static final double Z = 1.96;

  private ShareErrorBars() {}

  /** Of one count, by the continuous noise that the drawn noise stands for. */
  public static double of(AdditiveNoise noise) {
    return noise instanceof LaplaceNoise laplace
        ? laplace(laplace.scale())
        : gaussian(noise.deviation());
  }

  /**
   * Of a Gaussian count's noise with a standard deviation.
   *
   * @param deviation in records, above 0
   * @return half the width of the interval of 95%, in records
   */
  public static double gaussian(double deviation) {
    return Z * deviation;
  }

  /**
   * Of a Laplace count's noise with a scale b: P(|X| > b ln 20) = 5%.
   *
   * @param scale b, in records, above 0
   * @return half the width of the interval of 95%, in records
   */
  public static double laplace(double scale) {
    return scale * StrictMath.log(20);
  }

  /**
   * What comes on top where a share is published as items that are drawn from it.
   *
   * @param share in [0, 1]
   * @param items number of them; 0 where there are none
   */
  public static double ofItems(double share, long items) {
    return items == 0 ? 0 : Z * Math.sqrt(share * (1 - share) / items);
  }

  /**
   * A draw y lies around (r f + a) / M, M = r N + d a, with variance y (1 - y) / (M + 1): the truth
   * f / N is near (M y - a) / (r N), which is further from uniform than y is.
   *
   * @param share y, in (0, 1)
   * @param data r N
   * @param categories d
   * @param a weight of the prior in each category
   */
  public static double dirichlet(double share, double data, int categories, double a) {
    if (!(data > 0)) {
      return 1;
    }
    double mass = data + categories * a;
    double bias = Math.abs((mass * share - a) / data - share);
    double smoothed = Math.max(share, 1 / mass);
    double noise = mass / data * Math.sqrt(smoothed * (1 - smoothed) / (mass + 1));
    return Math.min(1, bias + Z * noise);
  }

  /**
   * From a count's noise to that of its share, where all counts are made to add up to the public N:
   * what their noises have in common goes out.
   *
   * @param noise of a count, in records
   * @param records N, at least 1
   * @param categories at least 2
   */
  public static double ofKnownTotal(double noise, long records, int categories) {
    return Math.min(1, noise * Math.sqrt(1 - 1.0 / categories) / Math.max(1, records));
  }
}
