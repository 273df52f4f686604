// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.quantile;

import java.util.Arrays;

/**
 * The nearest numbers that do not fall, in the sum of squares: pool adjacent violators (Ayer,
 * Brunk, Ewing, Reid and Silverman 1955).
 */
final class Isotonic {
  private Isotonic() {}

  /** In the order of the numbers, with equal weights. */
  static double[] regression(double[] numbers) {
    double[] sums = new double[numbers.length];
    int[] sizes = new int[numbers.length];
    int blocks = 0;
    for (double number : numbers) {
      double sum = number;
      int size = 1;
      while (blocks > 0 && sums[blocks - 1] * size >= sum * sizes[blocks - 1]) {
        blocks--;
        sum += sums[blocks];
        size += sizes[blocks];
      }
      sums[blocks] = sum;
      sizes[blocks] = size;
      blocks++;
    }
    double[] rising = new double[numbers.length];
    int from = 0;
    double least = Double.NEGATIVE_INFINITY;
    for (int block = 0; block < blocks; block++) {
      // Quotients may be rounded across each other.
      least = Math.max(least, sums[block] / sizes[block]);
      Arrays.fill(rising, from, from + sizes[block], least);
      from += sizes[block];
    }
    return rising;
  }
}
