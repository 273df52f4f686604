// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism;

import java.util.OptionalLong;

/**
 * Shares on the grid 2^-40, none below one step, adding up to exactly 1. Rounding to it is
 * post-processing of what was drawn.
 */
public final class Distribution implements HistogramRelease {
  /** Steps in one. */
  public static final long STEPS = 1L << 40;

  private final long[] steps;

  private final OptionalLong size;

  private Distribution(long[] steps, OptionalLong size) {
    this.steps = steps;
    this.size = size;
  }

  /** The same, made of noisy counts that add up to {@code noisySize} records, at least 0. */
  public Distribution ofRecords(long noisySize) {
    return new Distribution(steps, OptionalLong.of(noisySize));
  }

  /** What the noisy counts added up to that it was made of, if it was made of any. */
  public OptionalLong size() {
    return size;
  }

  /**
   * Weights of any scale, at least 0 and not all 0.
   *
   * @param weights by category
   * @throws IllegalArgumentException if their sum is not above 0, or infinite
   */
  public static Distribution normalised(double[] weights) {
    double sum = 0;
    for (double weight : weights) {
      sum += weight;
    }
    if (!(sum > 0) || sum == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("weights are finite, at least 0 and not all 0");
    }
    long[] steps = new long[weights.length];
    long left = STEPS;
    int largest = 0;
    for (int i = 0; i < weights.length; i++) {
      steps[i] = Math.max(1, Math.round(weights[i] / sum * STEPS));
      left -= steps[i];
      largest = steps[i] > steps[largest] ? i : largest;
    }
    // At most half a step a category, so the largest share can always take it.
    steps[largest] += left;
    return new Distribution(steps, OptionalLong.empty());
  }

  @Override
  public int categories() {
    return steps.length;
  }

  /**
   * The share of a category, in (0, 1): exact, since it has at most 40 binary digits.
   *
   * @param category from 0
   */
  public double share(int category) {
    return (double) steps[category] / STEPS;
  }
}
