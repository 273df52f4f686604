// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.abc;

import java.util.Arrays;

/** A kernel's bandwidth from PUBLIC pseudo-data: the median distance of its rows. */
public final class MedianHeuristic {
  /** More rows say no more, and pairs grow with the square. */
  private static final int MOST_ROWS = 1000;

  private MedianHeuristic() {}

  /**
   * The bandwidth, above 0.
   *
   * @param rows at least two that differ; the first 1,000 are used
   * @throws IllegalArgumentException if a row is not finite, or all rows are alike
   */
  public static double bandwidth(double[][] rows) {
    int n = Math.min(MOST_ROWS, rows.length);
    for (int i = 0; i < n; i++) {
      if (!Arrays.stream(rows[i]).allMatch(Double::isFinite)) {
        throw new IllegalArgumentException("row " + (i + 1) + " of the pseudo-data is not finite");
      }
    }
    double[] distances = new double[n * (n - 1) / 2];
    int next = 0;
    for (int i = 0; i < n; i++) {
      for (int k = 0; k < i; k++) {
        double sum = 0;
        for (int d = 0; d < rows[i].length; d++) {
          sum += (rows[i][d] - rows[k][d]) * (rows[i][d] - rows[k][d]);
        }
        distances[next++] = Math.sqrt(sum);
      }
    }
    double[] apart = Arrays.stream(distances).filter(d -> d > 0).sorted().toArray();
    if (apart.length == 0) {
      throw new IllegalArgumentException("pseudo-data has at least two different rows");
    }
    return apart[apart.length / 2];
  }
}
