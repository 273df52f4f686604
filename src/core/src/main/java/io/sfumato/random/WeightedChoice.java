// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.util.Arrays;

/** A choice with whole-number weights, drawn exactly: one uniform whole number decides. */
public final class WeightedChoice {
  private final long[] cumulated;

  /**
   * Weights at least 0 that add up to at least 1 and below 2^63.
   *
   * @param weights by place; copied
   * @throws IllegalArgumentException if a weight is below 0, or all are 0
   */
  public WeightedChoice(long[] weights) {
    cumulated = weights.clone();
    long sum = 0;
    for (int i = 0; i < weights.length; i++) {
      if (weights[i] < 0) {
        throw new IllegalArgumentException("a weight is at least 0");
      }
      sum = Math.addExact(sum, weights[i]);
      cumulated[i] = sum;
    }
    if (sum < 1) {
      throw new IllegalArgumentException("some weight is above 0");
    }
  }

  /** A place, with probability weight / sum. */
  public int draw(KeyedRandom random) {
    long at = ExactRandom.uniform(random, cumulated[cumulated.length - 1]);
    // The first place whose cumulated weight exceeds the number drawn.
    int found = Arrays.binarySearch(cumulated, at + 1);
    int place = found >= 0 ? found : -found - 1;
    while (place > 0 && cumulated[place - 1] >= at + 1) {
      place--;
    }
    return place;
  }
}
