// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

/** Counts whose sum is public. */
final class KnownTotal {
  /** Of a mean is left at least: no count is thought to be nothing for what others are. */
  private static final double LEAST = 0.5;

  private KnownTotal() {}

  /**
   * Means of independent counts, given their sum: what is missing is shared out as their variances
   * are, which is exact for normal laws.
   */
  static double[] means(CountPosterior[] counts, long total) {
    double missing = total;
    double variance = 0;
    for (CountPosterior count : counts) {
      missing -= count.mean();
      variance += count.variance();
    }
    double[] means = new double[counts.length];
    for (int i = 0; i < means.length; i++) {
      double mean = counts[i].mean();
      double part = variance > 0 ? missing * (counts[i].variance() / variance) : 0;
      means[i] = Math.max(LEAST * mean, mean + part);
    }
    return means;
  }
}
