// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.mechanism.additive.AdditiveNoise;
import java.util.Arrays;

/** A symmetric law of whole numbers, without tails that weigh less than 1e-12. */
final class WholeLaw {
  private static final double TAILS = 1e-12;

  private final double[] probabilities;

  /** P[X < least + i]. */
  private final double[] below;

  private WholeLaw(double[] probabilities) {
    this.probabilities = probabilities;
    this.below = new double[probabilities.length + 1];
    for (int i = 0; i < probabilities.length; i++) {
      below[i + 1] = below[i] + probabilities[i];
    }
  }

  /** That of noise as it is drawn. */
  static WholeLaw of(AdditiveNoise noise) {
    NoiseLaw distribution = NoiseLaw.of(noise);
    int reach = reach(distribution);
    double[] probabilities = new double[2 * reach + 1];
    Arrays.setAll(probabilities, i -> StrictMath.exp(distribution.log(i - reach)));
    double all = Arrays.stream(probabilities).sum();
    Arrays.setAll(probabilities, i -> probabilities[i] / all);
    return new WholeLaw(probabilities);
  }

  private static int reach(NoiseLaw distribution) {
    int reach = 0;
    while (distribution.log(reach) > StrictMath.log(TAILS / 100)) {
      reach++;
    }
    return reach;
  }

  /** The least of them; the largest is its opposite. */
  int least() {
    return -(probabilities.length / 2);
  }

  /** P[X = x], of a number that it may be. */
  double at(int x) {
    return probabilities[x - least()];
  }

  /** P[low <= X <= high]. */
  double between(double low, double high) {
    int from = place(Math.ceil(low));
    int to = place(Math.floor(high) + 1);
    return from < to ? below[to] - below[from] : 0;
  }

  private int place(double x) {
    return (int) Math.max(0, Math.min(probabilities.length, x - least()));
  }

  /**
   * The law of a sum of so many.
   *
   * @param times at least 0
   */
  WholeLaw summed(int times) {
    WholeLaw sum = new WholeLaw(new double[] {1});
    WholeLaw power = this;
    for (int left = times; left > 0; left >>= 1) {
      if ((left & 1) == 1) {
        sum = sum.plus(power);
      }
      power = left > 1 ? power.plus(power) : power;
    }
    return sum;
  }

  private WholeLaw plus(WholeLaw other) {
    double[] sums = new double[probabilities.length + other.probabilities.length - 1];
    for (int i = 0; i < probabilities.length; i++) {
      for (int k = 0; k < other.probabilities.length; k++) {
        sums[i + k] += probabilities[i] * other.probabilities[k];
      }
    }
    return new WholeLaw(sums).withoutTails();
  }

  private WholeLaw withoutTails() {
    int cut = 0;
    while (below[cut + 1] < TAILS / 2) {
      cut++;
    }
    return new WholeLaw(Arrays.copyOfRange(probabilities, cut, probabilities.length - cut));
  }
}
