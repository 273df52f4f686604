// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;

/** Whether a sample follows a law, at false-alarm rate 2e-10: P(D > x) <= 2 exp(-2 n x^2). */
public final class KolmogorovSmirnov {
  private static final double FALSE_ALARM = 2e-10;

  private KolmogorovSmirnov() {}

  /** Compares a sample with a cumulative distribution function. */
  public static void assertFollows(double[] sample, DoubleUnaryOperator cdf) {
    double[] sorted = sample.clone();
    Arrays.sort(sorted);
    int n = sorted.length;
    double distance = 0;
    for (int i = 0; i < n; i++) {
      double p = cdf.applyAsDouble(sorted[i]);
      distance = Math.max(distance, Math.max(p - (double) i / n, (i + 1.0) / n - p));
    }
    assertThat(distance).isLessThan(Math.sqrt(Math.log(2 / FALSE_ALARM) / (2 * n)));
  }
}
