// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.dirichlet;

/** Sums of log-gammas, never below the truth, and what the theorems ask of a and C. */
final class RoundedLogGammas {
  /** Bounds the error of log-gamma and of the sum, relative to the sum of magnitudes. */
  private static final double LOG_GAMMA_ERROR = 0x1.0p-48;

  private RoundedLogGammas() {}

  static void requireProved(int records, double a, int fewestThatNeedHalf) {
    if (records < 1) {
      throw new IllegalArgumentException("C is at least 1, was " + records);
    }
    if (records >= fewestThatNeedHalf && !(a >= 0.5)) {
      throw new IllegalArgumentException("a must be at least 1/2 here, was " + a);
    }
  }

  /** A weighted sum of log-gammas over L - 1, with an allowance for the error of each term. */
  static double sum(double order, double[] weights, double[] logGammas) {
    double sum = 0;
    double magnitude = 1;
    for (int i = 0; i < weights.length; i++) {
      double term = weights[i] * logGammas[i];
      sum += term;
      magnitude += Math.abs(term);
    }
    return Math.max(0, (sum + LOG_GAMMA_ERROR * magnitude) / (order - 1));
  }
}
