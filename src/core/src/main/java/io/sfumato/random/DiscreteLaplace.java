// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

/**
 * Whole-number noise with P(x) in proportion to e^(-|x| / scale), without any rounding (Canonne,
 * Kamath, Steinke 2020, Algorithm 2).
 *
 * @param numerator of the scale, at least 1, at most 2^40
 * @param denominator of the scale, at least 1, at most 2^30
 */
public record DiscreteLaplace(long numerator, long denominator) {
  /**
   * @throws IllegalArgumentException unless the numerator is 1 to 2^40 and the denominator 1 to
   *     2^30
   */
  public DiscreteLaplace {
    if (numerator < 1 || numerator > 1L << 40 || denominator < 1 || denominator > 1L << 30) {
      throw new IllegalArgumentException(
          "a scale is a quotient of 1..2^40 and 1..2^30, was " + numerator + "/" + denominator);
    }
  }

  /** One draw. */
  public long sample(KeyedRandom random) {
    long t = numerator;
    while (true) {
      long u = ExactRandom.uniform(random, t);
      if (!ExactRandom.expCoin(random, u, t)) {
        continue;
      }
      long v = 0;
      while (ExactRandom.expCoin(random, 1, 1)) {
        v++;
      }
      long y = (u + t * v) / denominator;
      boolean negative = random.nextLong() < 0;
      if (negative && y == 0) {
        continue;
      }
      return negative ? -y : y;
    }
  }
}
