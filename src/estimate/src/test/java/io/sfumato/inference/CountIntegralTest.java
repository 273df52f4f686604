// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sfumato.estimate.additive.CountDensity;
import io.sfumato.mechanism.additive.LaplaceNoise;
import io.sfumato.testkit.Numerical;
import java.util.Arrays;
import org.apache.commons.math3.special.Gamma;
import org.junit.jupiter.api.Test;

/** The likelihood of shares, held against sums over every split of the records. */
@Numerical
class CountIntegralTest {
  /** e^(-|x| / b), about b = 4. */
  private static final LaplaceNoise NOISE = new LaplaceNoise((1L << 20) / 4);

  /** Kinks at which modes rest, and shares far from what was counted. */
  @Test
  void shouldSumOverAllCountsOfManyRecords() {
    long[] noisy = {2458, 5580, 9919, 2043};
    HistogramLikelihood likelihood =
        new HistogramLikelihood(CountDensity.of(noisy, NOISE), noisy.length);
    double[][] shares = {
      {.1099, .0888, .7628, .0385},
      {.11055, .09831, .74947, .04167},
      {.11121, .10782, .73613, .04484},
      {.123, .279, .496, .102}
    };
    for (double[] any : shares) {
      assertThat(likelihood.logOfShares(any).orElseThrow())
          .isCloseTo(convolved(noisy, any), within(1e-6 * 2000));
    }
  }

  /**
   * N! times a coefficient of the product of power series, each by its own largest term: by plain
   * convolution in logarithms.
   */
  private static double convolved(long[] noisy, double[] shares) {
    int n = (int) Arrays.stream(noisy).sum();
    double scale = NOISE.scale();
    double[] sum = {0};
    for (int i = 0; i < noisy.length; i++) {
      double[] terms = new double[n + 1];
      for (int f = 0; f <= n; f++) {
        terms[f] =
            f * Math.log(shares[i]) - Gamma.logGamma(f + 1.0) - Math.abs(noisy[i] - f) / scale;
      }
      sum = i == noisy.length - 1 ? new double[] {last(sum, terms, n)} : product(sum, terms, n);
    }
    return sum[0] + Gamma.logGamma(n + 1.0);
  }

  private static double last(double[] first, double[] second, int n) {
    double most = Double.NEGATIVE_INFINITY;
    for (int k = 0; k < first.length && k <= n; k++) {
      most = Math.max(most, first[k] + second[n - k]);
    }
    double total = 0;
    for (int k = 0; k < first.length && k <= n; k++) {
      total += Math.exp(first[k] + second[n - k] - most);
    }
    return most + Math.log(total);
  }

  /** Terms below e^-60 of a sum's largest are nothing. */
  private static double[] product(double[] first, double[] second, int n) {
    double[] out = new double[n + 1];
    for (int m = 0; m <= n; m++) {
      double most = Double.NEGATIVE_INFINITY;
      int from = Math.max(0, m - second.length + 1);
      int to = Math.min(m, first.length - 1);
      for (int k = from; k <= to; k++) {
        most = Math.max(most, first[k] + second[m - k]);
      }
      double total = 0;
      for (int k = from; k <= to; k++) {
        double term = first[k] + second[m - k] - most;
        total += term > -60 ? Math.exp(term) : 0;
      }
      out[m] = most + Math.log(total);
    }
    return out;
  }
}
