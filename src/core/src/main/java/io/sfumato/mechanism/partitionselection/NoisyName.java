// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.partitionselection;

import io.sfumato.mechanism.ReleasedData;

/**
 * A name's noisy count.
 *
 * @param steps of the grid
 * @param digits binary digits of the grid
 */
public record NoisyName(long steps, int digits) implements ReleasedData {
  /** In records, or users. */
  public double count() {
    return Math.scalb((double) steps, -digits);
  }

  /** Whether one that nobody knew is published: the least count passes too. */
  public boolean passes(Threshold threshold) {
    return steps >= Math.multiplyExact(threshold.least(), 1L << digits);
  }
}
