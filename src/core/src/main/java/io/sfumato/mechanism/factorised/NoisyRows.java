// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import io.sfumato.mechanism.ReleasedData;
import java.util.Arrays;

/**
 * What is published: y = C x + z. Immutable.
 *
 * @param steps one a row, whole steps of 2^-20, at least one; they may be below 0
 */
public record NoisyRows(long... steps) implements ReleasedData {
  public NoisyRows {
    steps = steps.clone();
    if (steps.length == 0) {
      throw new IllegalArgumentException("there is at least one row");
    }
  }

  @Override
  public long[] steps() {
    return steps.clone();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoisyRows rows && Arrays.equals(steps, rows.steps);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(steps);
  }
}
