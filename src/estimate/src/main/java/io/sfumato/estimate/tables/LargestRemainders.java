// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.tables;

import java.util.Arrays;

/** The nearest whole numbers of a given sum, each the one below or the one above. */
final class LargestRemainders {
  /** Doubles that are this near below a whole number are that number, but for roundings. */
  private static final double NEAR = 0x1.0p-20;

  private LargestRemainders() {}

  /** The whole number at or below. */
  static long floor(double x) {
    return (long) Math.floor(x + NEAR);
  }

  /** What lies above it: in [0, 1). */
  static double remainder(double x) {
    return Math.max(0, x - floor(x));
  }

  /**
   * Rounds numbers down, and those with the largest remainders up, the earlier ones first among
   * equals. Where the sum asks for more than that, as roundings of doubles may, all are raised or
   * lowered again; none goes below 0.
   *
   * @param x at least 0, from {@code from} to {@code to}, without it
   * @param sum at least 0
   * @param whole takes them at the same places
   */
  static void round(double[] x, int from, int to, long sum, long[] whole) {
    long missing = sum;
    for (int i = from; i < to; i++) {
      whole[i] = floor(x[i]);
      missing -= whole[i];
    }
    int[] order = order(x, from, to);
    while (missing > 0) {
      for (int i = 0; i < order.length && missing > 0; i++) {
        whole[order[i]]++;
        missing--;
      }
    }
    while (missing < 0) {
      for (int i = order.length - 1; i >= 0 && missing < 0; i--) {
        if (whole[order[i]] > 0) {
          whole[order[i]]--;
          missing++;
        }
      }
    }
  }

  /** Places by their remainders in steps of 2^-40, the largest first, then in their order. */
  static int[] order(double[] x, int from, int to) {
    long[] keys = new long[to - from];
    for (int i = from; i < to; i++) {
      keys[i - from] = (long) ((1 - remainder(x[i])) * 0x1.0p40) << 20 | i - from;
    }
    Arrays.sort(keys);
    int[] order = new int[keys.length];
    for (int i = 0; i < order.length; i++) {
      order[i] = from + (int) (keys[i] & 0xfffff);
    }
    return order;
  }
}
