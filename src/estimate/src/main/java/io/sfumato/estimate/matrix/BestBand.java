// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.matrix;

import io.sfumato.mechanism.matrix.RootSensitivity;
import io.sfumato.mechanism.matrix.ToeplitzRoot;
import java.util.Comparator;
import java.util.stream.IntStream;

/** How many coefficients of the root to keep, for the least error of running sums. */
public final class BestBand {
  /** Bands that are tried within a factor of 2, evenly spaced. */
  private static final int FINENESS = 8;

  private BestBand() {}

  /**
   * The root for users with records in at most W windows, by the {@link #error}.
   *
   * @param rows n, 1 to 65,536
   * @param most W, at least 1
   */
  public static ToeplitzRoot of(int rows, int most) {
    return tried(rows)
        .mapToObj(band -> ToeplitzRoot.banded(rows, band))
        .min(Comparator.comparingDouble(root -> error(root, most)))
        .orElseThrow();
  }

  /**
   * Bands that are worth trying. Errors have several minima in b, so these are of all magnitudes:
   * all up to 8, and 8 to each factor of 2 beyond.
   *
   * @param longest the last of them, at least 1
   */
  public static IntStream tried(int longest) {
    return IntStream.rangeClosed(1, longest)
        .filter(b -> b == longest || b % Math.max(1, Integer.highestOneBit(b) / FINENESS) == 0);
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
