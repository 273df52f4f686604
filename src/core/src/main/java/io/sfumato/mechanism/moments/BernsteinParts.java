// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.moments;

import io.sfumato.mechanism.NumberBounds;

/**
 * Splits a record between the ends (and, of degree 2, the middle) of its number's range: Bernstein
 * polynomials {@code B_k(t) = C(m, k) t^k (1 - t)^(m - k)}, k = 0..m, which are at least 0 and add
 * up to 1. So {@code t = sum (k/m) B_k} and, of degree 2, {@code t^2 = B_2}: means and variances
 * are linear in the parts, and a record has one record's weight whatever its number (Theorem I of
 * docs/theory/moments-and-quantiles.md).
 *
 * @param bounds of the number
 * @param degree m, 1 for means, 2 for variances too
 */
public record BernsteinParts(NumberBounds bounds, int degree) {
  /** Whole steps of a record. */
  public static final long STEPS = 1L << 20;

  /** Largest degree. */
  public static final int LARGEST_DEGREE = 2;

  /** Binary digits of t: its square fits into 62. */
  private static final int DIGITS = 30;

  private static final long ONE = 1L << DIGITS;

  /**
   * @throws IllegalArgumentException unless the degree is 1 or 2
   */
  public BernsteinParts {
    requireDegree(degree);
  }

  static void requireDegree(int degree) {
    if (degree < 1 || degree > LARGEST_DEGREE) {
      throw new IllegalArgumentException("a degree is 1 or 2, was " + degree);
    }
  }

  /**
   * The parts of one record: whole steps, each at least 0 and less than one step from B_k, adding
   * up to exactly {@link #STEPS}. A function of x alone. Of degree 1 the last does not fall with x.
   *
   * @param x any number, infinities too
   * @return m + 1 parts
   * @throws IllegalArgumentException if x is NaN
   */
  public long[] of(double x) {
    // Rounded to 2^-30, once; from here on whole numbers, hence exact.
    long t = (long) Math.rint(bounds.place(x) * ONE);
    long rest = ONE - t;
    return degree == 1
        ? rounded(DIGITS, rest, t)
        : rounded(2 * DIGITS, rest * rest, 2 * t * rest, t * t);
  }

  /**
   * Largest remainders; of equal ones the first.
   *
   * @param parts of 2^digits in all
   */
  private static long[] rounded(int digits, long... parts) {
    long unit = (1L << digits) / STEPS;
    long[] steps = new long[parts.length];
    long left = STEPS;
    for (int k = 0; k < parts.length; k++) {
      steps[k] = parts[k] / unit;
      left -= steps[k];
    }
    boolean[] raised = new boolean[parts.length];
    for (; left > 0; left--) {
      int largest = -1;
      for (int k = 0; k < parts.length; k++) {
        if (!raised[k] && (largest < 0 || parts[k] % unit > parts[largest] % unit)) {
          largest = k;
        }
      }
      raised[largest] = true;
      steps[largest]++;
    }
    return steps;
  }
}
