// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

import io.sfumato.mechanism.ExactData;
import java.util.Arrays;

/**
 * One window's exact row of every group, in whole steps of its grid. A row is (C x)_t, the sum of
 * the past as it is weighed. Immutable.
 */
public final class Rows implements ExactData {
  private final long[] high;
  private final long[] low;

  /** Of 128 bits each. */
  Rows(WideSum[] sums) {
    this.high = new long[sums.length];
    this.low = new long[sums.length];
    for (int i = 0; i < sums.length; i++) {
      high[i] = sums[i].high();
      low[i] = sums[i].low();
    }
  }

  private Rows(long[] high, long[] low) {
    this.high = high;
    this.low = low;
  }

  /** How many groups there are. */
  public int groups() {
    return low.length;
  }

  /** With noise in one row each, in 2^digits steps. */
  NoisyRunningRows plus(long[] noise, int digits) {
    long[] h = high.clone();
    long[] l = low.clone();
    for (int i = 0; i < l.length; i++) {
      WideSum sum = new WideSum();
      sum.addWide(h[i], l[i]);
      sum.add(noise[i], 1L << digits);
      h[i] = sum.high();
      l[i] = sum.low();
    }
    return new NoisyRunningRows(new Rows(h, l));
  }

  /**
   * How far they lie from others, row by row, in steps.
   *
   * @throws ArithmeticException beyond 2^63
   */
  public long[] minus(Rows other) {
    long[] differences = new long[low.length];
    for (int i = 0; i < low.length; i++) {
      long difference = low[i] - other.low[i];
      long borrow = Long.compareUnsigned(low[i], other.low[i]) < 0 ? 1 : 0;
      if (high[i] - other.high[i] - borrow != difference >> (Long.SIZE - 1)) {
        throw new ArithmeticException("rows differ by more than 2^63 steps");
      }
      differences[i] = difference;
    }
    return differences;
  }

  /** Adds 2^digits times a row. */
  void addTo(WideSum sum, int row, int digits) {
    sum.addWide(
        digits == 0 ? high[row] : high[row] << digits | low[row] >>> (Long.SIZE - digits),
        low[row] << digits);
  }

  /** All bits, upper halves first: what randomness depends on. */
  long[] bits() {
    long[] bits = Arrays.copyOf(high, 2 * high.length);
    System.arraycopy(low, 0, bits, high.length, low.length);
    return bits;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Rows rows
        && Arrays.equals(high, rows.high)
        && Arrays.equals(low, rows.low);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(low);
  }

  /** Never prints the numbers: exact ones must stay private. */
  @Override
  public String toString() {
    return "Rows[" + low.length + " groups]";
  }
}
