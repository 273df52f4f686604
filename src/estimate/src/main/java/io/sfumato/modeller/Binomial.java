// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import org.apache.commons.rng.UniformRandomProvider;

/**
 * Binomial draws in constant time: transformed rejection with squeeze (Hörmann 1993, "The
 * generation of binomial random variates", algorithm BTRS); by inversion where few are expected.
 */
final class Binomial {
  private static final double FEW = 10;

  /** ln k! less Stirling's formula, for k + 1 = 1 to 10. */
  private static final double[] TAIL = {
    0.08106146679532726, 0.04134069595540929, 0.02767792568499834, 0.02079067210376509,
    0.01664469118982119, 0.01387612882307075, 0.01189670994589177, 0.01041126526197209,
    0.009255462182712733, 0.008330563433362871
  };

  private Binomial() {}

  /**
   * One draw.
   *
   * @param n at least 0
   * @param p 0 to 1
   */
  static int sample(UniformRandomProvider random, int n, double p) {
    if (n == 0 || p <= 0) {
      return 0;
    }
    if (p >= 1) {
      return n;
    }
    if (p > 0.5) {
      return n - sample(random, n, 1 - p);
    }
    return n * p < FEW ? inverted(random, n, p) : rejected(random, n, p);
  }

  /** Waiting times between successes are geometric (Devroye 1986, "second waiting time"). */
  private static int inverted(UniformRandomProvider random, int n, double p) {
    double lnQ = Math.log1p(-p);
    int successes = 0;
    double waited = 0;
    while (true) {
      waited += Math.floor(Math.log(1 - random.nextDouble()) / lnQ) + 1;
      if (waited > n) {
        return successes;
      }
      successes++;
    }
  }

  private static int rejected(UniformRandomProvider random, int n, double p) {
    double sd = Math.sqrt(n * p * (1 - p));
    double b = 1.15 + 2.53 * sd;
    double a = -0.0873 + 0.0248 * b + 0.01 * p;
    double c = n * p + 0.5;
    double v0 = 0.92 - 4.2 / b;
    double odds = p / (1 - p);
    double alpha = (2.83 + 5.1 / b) * sd;
    double m = Math.floor((n + 1) * p);
    while (true) {
      double u = random.nextDouble() - 0.5;
      double v = 1 - random.nextDouble();
      double us = 0.5 - Math.abs(u);
      double k = Math.floor((2 * a / us + b) * u + c);
      if (us >= 0.07 && v <= v0) {
        return (int) k;
      }
      if (k < 0 || k > n) {
        continue;
      }
      double ln = Math.log(v * alpha / (a / (us * us) + b));
      double bound =
          (m + 0.5) * Math.log((m + 1) / (odds * (n - m + 1)))
              + (n + 1) * Math.log((n - m + 1) / (n - k + 1))
              + (k + 0.5) * Math.log(odds * (n - k + 1) / (k + 1))
              + tail(m)
              + tail(n - m)
              - tail(k)
              - tail(n - k);
      if (ln <= bound) {
        return (int) k;
      }
    }
  }

  private static double tail(double k) {
    if (k < TAIL.length) {
      return TAIL[(int) k];
    }
    double x = k + 1;
    return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / (x * x)) / (x * x)) / x;
  }
}
