// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.continual;

/** A sum of products in 128 bits: exact, and the same on every machine. Not for several threads. */
final class WideSum {
  private long high;
  private long low;

  /** Adds a product. */
  void add(long a, long b) {
    addWide(Math.multiplyHigh(a, b), a * b);
  }

  /** Adds a number of 128 bits. */
  void addWide(long otherHigh, long otherLow) {
    low += otherLow;
    high += otherHigh + (Long.compareUnsigned(low, otherLow) < 0 ? 1 : 0);
  }

  /** Bits 64 to 127. */
  long high() {
    return high;
  }

  /** Bits 0 to 63. */
  long low() {
    return low;
  }

  /**
   * The nearest whole number to the sum over 2^digits.
   *
   * @param digits 1 to 62
   * @throws ArithmeticException beyond 2^63
   */
  long rounded(int digits) {
    WideSum up = new WideSum();
    up.addWide(high, low);
    up.addWide(0, 1L << (digits - 1));
    long rounded = up.high << (Long.SIZE - digits) | up.low >>> digits;
    if (up.high >> digits != rounded >> (Long.SIZE - 1)) {
      throw new ArithmeticException("a sum is beyond 2^63");
    }
    return rounded;
  }
}
