// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

/** Where tests need rows of known values in the place of noisy ones. */
public final class RowsWithoutNoise {
  private RowsWithoutNoise() {}

  /** Noise of 0. */
  public static NoisyRunningRows of(Rows exact) {
    return exact.plus(new long[exact.groups()], 0);
  }
}
