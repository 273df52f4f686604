// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

import java.util.Locale;

/**
 * The pair (r, a) of y ~ Dirichlet(r f + a), in whole multiples of 2^-30, so that every machine has
 * the same pair to the last bit. The divergences grow with r and fall with a: r is rounded down and
 * a up.
 *
 * @param rSteps r in steps of 2^-30, at least 1
 * @param aSteps a in steps of 2^-30, at least 2^29 (a >= 1/2: smaller gamma shapes underflow, and
 *     the theorems for several records need it)
 */
public record DirichletParameters(long rSteps, long aSteps) {
  /** Steps in one. */
  public static final double STEPS = 0x1.0p30;

  /** The smallest a. */
  public static final double SMALLEST_A = 0.5;

  private static final long LARGEST = 1L << 50;

  /**
   * @throws IllegalArgumentException unless r lies in [2^-30, 2^20] and a in [1/2, 2^20]
   */
  public DirichletParameters {
    if (rSteps < 1 || rSteps > LARGEST) {
      throw new IllegalArgumentException(
          "r must be in [2^-30, 2^20], was "
              + rSteps / STEPS
              + "; the budget is too small or huge");
    }
    if (aSteps < SMALLEST_A * STEPS || aSteps > LARGEST) {
      throw new IllegalArgumentException("a must be in [1/2, 2^20], was " + aSteps / STEPS);
    }
  }

  /**
   * Rounds to the grid on the safe side.
   *
   * @param r weight of one record, rounded down
   * @param a weight of the prior in each category, rounded up, to 1/2 at least
   */
  public static DirichletParameters rounded(double r, double a) {
    return new DirichletParameters(
        (long) Math.floor(r * STEPS), (long) Math.ceil(Math.max(a, SMALLEST_A) * STEPS));
  }

  /** Weight of one record. */
  public double r() {
    return rSteps / STEPS;
  }

  /** Weight of the prior in each category. */
  public double a() {
    return aSteps / STEPS;
  }

  /** Both numbers exactly, for charges and guarantees. */
  public String text() {
    return String.format(Locale.ROOT, "r=%d/2^30 a=%d/2^30", rSteps, aSteps);
  }
}
