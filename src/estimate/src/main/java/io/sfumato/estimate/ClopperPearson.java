// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import org.apache.commons.math3.distribution.BetaDistribution;

/** Exact confidence bounds of a probability from a count (Clopper, Pearson 1934). */
public final class ClopperPearson {
  private static final double PRECISION = 1e-15;

  private ClopperPearson() {}

  /**
   * Below the truth but for a probability of {@code failure}.
   *
   * @param hits number of draws that hit, 0 to all
   * @param draws at least 1
   * @param failure in (0, 1)
   * @return in [0, 1]
   */
  public static double lower(long hits, long draws, double failure) {
    return hits == 0
        ? 0
        : new BetaDistribution(null, hits, draws - hits + 1.0, PRECISION)
            .inverseCumulativeProbability(failure);
  }

  /**
   * Above the truth but for a probability of {@code failure}.
   *
   * @param hits number of draws that hit, 0 to all
   * @param draws at least 1
   * @param failure in (0, 1)
   * @return in [0, 1]
   */
  public static double upper(long hits, long draws, double failure) {
    return hits == draws
        ? 1
        : new BetaDistribution(null, hits + 1.0, draws - hits, PRECISION)
            .inverseCumulativeProbability(1 - failure);
  }
}
