// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

/**
 * Whole-number noise with P(x) in proportion to e^(-x^2 / (2 sigma^2)) for a whole sigma, without
 * any rounding (Canonne, Kamath, Steinke 2020, Algorithm 3, with a proposal of scale sigma). Far
 * wider than {@link DiscreteGaussian}, and with no number beyond 64 bits: quotients of squares are
 * coins that show heads twice.
 *
 * @param sigma 1 to 2^56, so that 64 bits hold 127 times as much
 */
public record LargeDiscreteGaussian(long sigma) {
  /** Largest sigma. */
  public static final long LARGEST = 1L << 56;

  /**
   * @throws IllegalArgumentException unless sigma is 1 to 2^56
   */
  public LargeDiscreteGaussian {
    if (sigma < 1 || sigma > LARGEST) {
      throw new IllegalArgumentException("sigma is 1 to 2^56, was " + sigma);
    }
  }

  /**
   * One draw: |y| = u + sigma v with probability in proportion to e^(-|y| / sigma), accepted with
   * e^(-(|y| - sigma)^2 / (2 sigma^2)).
   */
  public long sample(KeyedRandom random) {
    while (true) {
      long u = ExactRandom.uniform(random, sigma);
      if (!expCoin(random, u)) {
        continue;
      }
      long v = 0;
      while (ExactRandom.expCoin(random, 1, 1)) {
        v++;
      }
      boolean negative = random.nextLong() < 0;
      if (negative && u == 0 && v == 0 || !accepts(random, u, v)) {
        continue;
      }
      long y = Math.addExact(u, Math.multiplyExact(sigma, v));
      return negative ? -y : y;
    }
  }

  /**
   * A coin of bias e^(-q^2 / 2), q = (|y| - sigma) / sigma. Below sigma q is u/sigma - 1; else it
   * is w + u/sigma with w = v - 1, and q^2 / 2 = w^2 / 2 + w u/sigma + (u/sigma)^2 / 2.
   */
  private boolean accepts(KeyedRandom random, long u, long v) {
    if (v == 0) {
      return squareCoin(random, sigma - u);
    }
    long w = v - 1;
    for (long i = 0; i < w; i++) {
      for (long j = 0; j < w; j++) {
        if (!ExactRandom.expCoin(random, 1, 2)) {
          return false;
        }
      }
      if (!expCoin(random, u)) {
        return false;
      }
    }
    return squareCoin(random, u);
  }

  /** A coin of bias e^(-a/sigma), 0 <= a <= sigma: (a/sigma)/k is two coins, both heads. */
  private boolean expCoin(KeyedRandom random, long a) {
    long k = 1;
    while (ExactRandom.uniform(random, k) == 0 && ExactRandom.uniform(random, sigma) < a) {
      k++;
    }
    return k % 2 == 1;
  }

  /** A coin of bias e^(-(a/sigma)^2 / 2), 0 <= a <= sigma: (a/sigma)^2 / (2 k) is three coins. */
  private boolean squareCoin(KeyedRandom random, long a) {
    long k = 1;
    while (ExactRandom.uniform(random, 2 * k) == 0
        && ExactRandom.uniform(random, sigma) < a
        && ExactRandom.uniform(random, sigma) < a) {
      k++;
    }
    return k % 2 == 1;
  }
}
