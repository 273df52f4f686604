// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;
import org.apache.commons.math3.random.MersenneTwister;

/**
 * Rows to learn from and rows to test on: the permutation of NumPy's {@code RandomState(seed)}, cut
 * as scikit-learn's {@code train_test_split} cuts it, which is what the reference figures were made
 * with.
 *
 * @param train 70% of the rows
 * @param test the others, 30% rounded up
 */
record Split(int[] train, int[] test) {
  private static final double TEST_SHARE = 0.3;

  static Split of(int rows, int seed) {
    MersenneTwister twister = new MersenneTwister(seed);
    int[] order = new int[rows];
    Arrays.setAll(order, i -> i);
    for (int i = rows - 1; i > 0; i--) {
      int mask = -1 >>> Integer.numberOfLeadingZeros(i);
      int j;
      do {
        j = twister.nextInt() & mask;
      } while (j > i);
      int swap = order[i];
      order[i] = order[j];
      order[j] = swap;
    }
    int tested = (int) Math.ceil(TEST_SHARE * rows);
    return new Split(Arrays.copyOfRange(order, tested, rows), Arrays.copyOfRange(order, 0, tested));
  }
}
