// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.factorised;

import java.util.Comparator;
import java.util.stream.IntStream;

/** How many coefficients of the root to keep, for the least error of running sums. */
public final class BestBand {
  /** Bands that are tried within a factor of 2, evenly spaced. */
  private static final int FINENESS = 8;

  private BestBand() {}

  /**
   * The root for users with records in at most W windows, by the {@link #error}. The error has
   * several minima in b, so bands of all magnitudes are tried: all up to 8, and 8 to each factor of
   * 2 beyond.
   *
   * @param rows n, 1 to 65,536
   * @param most W, at least 1
   */
  public static ToeplitzRoot of(int rows, int most) {
    return IntStream.rangeClosed(1, rows)
        .filter(b -> b == rows || b % Math.max(1, Integer.highestOneBit(b) / FINENESS) == 0)
        .mapToObj(band -> ToeplitzRoot.banded(rows, band))
        .min(Comparator.comparingDouble(root -> error(root, most)))
        .orElseThrow();
  }

  /**
   * Root mean square error of running sums, in records, where noise is as large as what a user with
   * one record in each of at most W windows moves (sigma = 1).
   *
   * @param most W, at least 1
   */
  public static double error(ToeplitzRoot root, int most) {
    return new RootEstimate(root).rootMeanSquare() * sensitivity(root, most);
  }

  private static double sensitivity(ToeplitzRoot root, int most) {
    return RootSensitivity.addOrRemove(root, 1, most).l2() / (double) ToeplitzRoot.STEPS;
  }
}
