// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

/** The last step of every closed-form profile. */
public final class Profiles {
  /**
   * Bounds the error of one term, relative to its value, for each nat of its logarithm and one
   * more: that of {@link StandardNormal#lnPhi}, twice over.
   */
  private static final double TERM_ERROR = 2e-14;

  private Profiles() {}

  /**
   * e^larger - e^smaller in [0, 1], never below the truth: both given as logarithms.
   *
   * @param lnLarger logarithm of the larger number
   * @param lnSmaller logarithm of the smaller number
   * @param magnitude of the numbers that the logarithms were added up from: each may be wrong by a
   *     few ulps of it, besides a few ulps of itself
   * @return above 0 unless the larger one is 0
   */
  public static double difference(double lnLarger, double lnSmaller, double magnitude) {
    if (lnLarger == Double.NEGATIVE_INFINITY) {
      return 0;
    }
    double larger = StrictMath.exp(lnLarger);
    double smaller = StrictMath.exp(lnSmaller);
    double ofSmaller = lnSmaller == Double.NEGATIVE_INFINITY ? 0 : Math.abs(lnSmaller);
    double error =
        Math.max(TERM_ERROR * (1 + Math.abs(lnLarger) + ofSmaller), 0x1.0p-49 * magnitude);
    // Either exponential may underflow, by less than the smallest double.
    double difference = larger - smaller + error * (larger + smaller) + 2 * Double.MIN_VALUE;
    return Math.max(Double.MIN_VALUE, Math.min(1, difference));
  }
}
