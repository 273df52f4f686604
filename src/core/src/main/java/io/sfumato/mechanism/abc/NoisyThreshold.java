// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.abc;

import io.sfumato.mechanism.ReleasedData;

/**
 * The noisy threshold of a sparse-vector query. It is drawn as everything that is published, but it
 * is withheld: only this package can read it, and {@link SparseVector.State} keeps it secret.
 */
public final class NoisyThreshold implements ReleasedData {
  private final long steps;

  NoisyThreshold(long steps) {
    this.steps = steps;
  }

  long steps() {
    return steps;
  }

  /** Never prints the threshold. */
  @Override
  public String toString() {
    return "NoisyThreshold[masked]";
  }
}
