// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.features;

import io.sfumato.mechanism.ReleasedData;

/**
 * What is published of a window's features.
 *
 * @param records N where it is public, else N with noise: it may be below 0
 * @param sums of the records' features with noise, whole steps of 2^-16
 */
public record NoisySums(double records, double[] sums) implements ReleasedData {
  public NoisySums {
    sums = sums.clone();
  }

  @Override
  public double[] sums() {
    return sums.clone();
  }
}
