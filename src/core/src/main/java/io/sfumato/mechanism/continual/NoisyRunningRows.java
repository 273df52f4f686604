// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.ReleasedData;

/** One window's row of every group with noise, in whole steps of its grid. Immutable. */
public final class NoisyRunningRows implements ReleasedData {
  private final Rows noisy;

  NoisyRunningRows(Rows noisy) {
    this.noisy = noisy;
  }

  /** How many groups there are. */
  public int groups() {
    return noisy.groups();
  }

  /**
   * How far they lie from exact ones, row by row, in steps: the noise.
   *
   * @throws ArithmeticException beyond 2^63
   */
  public long[] minus(Rows exact) {
    return noisy.minus(exact);
  }

  /** Adds 2^digits times a row. */
  void addTo(WideSum sum, int row, int digits) {
    noisy.addTo(sum, row, digits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof NoisyRunningRows rows && noisy.equals(rows.noisy);
  }

  @Override
  public int hashCode() {
    return noisy.hashCode();
  }

  /** Those of names that nobody listed are not published. */
  @Override
  public String toString() {
    return "NoisyRunningRows[" + groups() + " groups]";
  }
}
