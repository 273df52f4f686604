// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.pipeline;

import io.sfumato.mechanism.abc.RandomFeatures;

/**
 * The random Fourier features that a pipeline keeps of its records' numbers. All of it is public
 * and fixed before the first record: sums cannot be made anew from raw values, which are never
 * kept.
 *
 * @param count m, even, 2 to 10000
 * @param bandwidth h of the Gaussian kernel, above 0, in the unit of the numbers
 * @param seed of the frequencies; public
 */
public record FeatureSpec(int count, double bandwidth, String seed) {
  /** The features of records with {@code dimensions} numbers. */
  public RandomFeatures features(int dimensions) {
    return new RandomFeatures(dimensions, count, bandwidth, seed);
  }
}
