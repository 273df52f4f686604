// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.random;

import java.math.BigInteger;

/**
 * Whole-number noise with P(x) in proportion to e^(-x^2 / (2 variance)), without any rounding
 * (Canonne, Kamath, Steinke 2020, Algorithm 3).
 */
public final class DiscreteGaussian {
  /** Steps of the variance in one. */
  public static final long STEPS = 1L << 10;

  private static final long LARGEST = 1L << 62;

  private final BigInteger variance;
  private final long t;
  private final DiscreteLaplace proposal;
  private final BigInteger scale;
  private final BigInteger denominator;

  /**
   * @param varianceSteps the parameter sigma^2 in steps of 2^-10, 1 to 2^62. (For sigma above 1 it
   *     is the variance to many digits.)
   * @throws IllegalArgumentException if it is out of range
   */
  public DiscreteGaussian(long varianceSteps) {
    if (varianceSteps < 1 || varianceSteps > LARGEST) {
      throw new IllegalArgumentException(
          "sigma^2 must be in [2^-10, 2^52], was " + varianceSteps / (double) STEPS);
    }
    this.variance = BigInteger.valueOf(varianceSteps);
    this.t = (long) Math.sqrt(varianceSteps / (double) STEPS) + 1;
    this.proposal = new DiscreteLaplace(t, 1);
    // (|y| - v/t)^2 / (2 v) = (|y| t S - V)^2 / (2 t^2 S V) for v = V/S.
    this.scale = BigInteger.valueOf(t).multiply(BigInteger.valueOf(STEPS));
    this.denominator =
        BigInteger.TWO
            .multiply(BigInteger.valueOf(t).pow(2))
            .multiply(BigInteger.valueOf(STEPS))
            .multiply(variance);
  }

  /** One draw. */
  public long sample(KeyedRandom random) {
    while (true) {
      long y = proposal.sample(random);
      BigInteger distance = BigInteger.valueOf(Math.abs(y)).multiply(scale).subtract(variance);
      if (ExactRandom.expCoin(random, distance.multiply(distance), denominator)) {
        return y;
      }
    }
  }
}
