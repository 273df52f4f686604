// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import java.util.Arrays;

/**
 * Labels of quantile bins as pandas prints them: edges rounded to a precision that is raised until
 * no two are alike.
 */
final class BinLabels {
  private static final int TRAIN_PRECISION = 0;
  private static final int TEST_PRECISION = 3;
  private static final int MOST = 20;

  private BinLabels() {}

  /** Which of the bins between the edges have the same label for training and for test rows. */
  static boolean[] found(double[] edges) {
    double[] train = rounded(edges, TRAIN_PRECISION);
    double[] test = rounded(edges, TEST_PRECISION);
    boolean[] found = new boolean[edges.length - 1];
    // The lowest training bin includes its left edge, so its label begins lower: never found.
    for (int i = 1; i < found.length; i++) {
      found[i] = train[i] == test[i] && train[i + 1] == test[i + 1];
    }
    return found;
  }

  /** All edges at the lowest precision from {@code base} on that tells them apart. */
  static double[] rounded(double[] edges, int base) {
    for (int precision = base; precision < MOST; precision++) {
      int p = precision;
      double[] rounded = Arrays.stream(edges).map(x -> round(x, p)).toArray();
      if (Arrays.stream(rounded).distinct().count() == edges.length) {
        return rounded;
      }
    }
    return edges;
  }

  /** Decimals after the point; for fractions below 1, after their leading zeros. */
  private static double round(double x, int precision) {
    if (x == 0) {
      return x;
    }
    boolean fraction = Math.abs(x) < 1;
    int leading = fraction ? -(int) Math.floor(Math.log10(Math.abs(x))) - 1 : 0;
    double scale = Math.pow(10, precision + leading);
    return Math.rint(x * scale) / scale;
  }
}
