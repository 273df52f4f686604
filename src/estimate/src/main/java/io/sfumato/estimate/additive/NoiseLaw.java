// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.additive;

import io.sfumato.accounting.StandardNormal;
import io.sfumato.mechanism.additive.AdditiveNoise;
import io.sfumato.mechanism.additive.LaplaceNoise;

/** Probabilities of whole-number noise, up to one factor for all; logarithms far into the tails. */
public interface NoiseLaw {
  /**
   * Logarithm of P[noise = x].
   *
   * @param x whole noise, of any sign
   */
  double log(long x);

  /**
   * Logarithm of {@code P[noise <= x]}, with the same factor.
   *
   * @param x whole noise, of any sign
   */
  double logAtMost(long x);

  /** Whether {@link #log} has no kink. */
  boolean isSmooth();

  /** That of noise as it is drawn. */
  static NoiseLaw of(AdditiveNoise noise) {
    return noise instanceof LaplaceNoise laplace
        ? new Laplace(laplace.scale())
        : new Gaussian(noise.deviation());
  }

  /**
   * In proportion to e^(-|x|/b): geometric on both sides.
   *
   * @param scale b
   */
  record Laplace(double scale) implements NoiseLaw {
    @Override
    public double log(long x) {
      return -Math.abs(x) / scale;
    }

    @Override
    public double logAtMost(long x) {
      double p = StrictMath.exp(-1 / scale);
      double lnRest = StrictMath.log(-StrictMath.expm1(-1 / scale));
      return x < 0
          ? x / scale - lnRest
          : StrictMath.log(1 + p - StrictMath.exp(-(x + 1) / scale)) - lnRest;
    }

    @Override
    public boolean isSmooth() {
      return false;
    }
  }

  /**
   * In proportion to e^(-x^2 / 2 s^2).
   *
   * @param sigma s
   */
  record Gaussian(double sigma) implements NoiseLaw {
    /** Above it a sum over whole numbers is the integral by midpoints to 1e-6. */
    private static final double WIDE = 200;

    @Override
    public double log(long x) {
      return -0.5 * (x / sigma) * (x / sigma);
    }

    @Override
    public double logAtMost(long x) {
      if (sigma > WIDE) {
        return StandardNormal.lnPhi((x + 0.5) / sigma)
            + StrictMath.log(sigma * Math.sqrt(2 * Math.PI));
      }
      if (x >= 0) {
        // The sum over all whole numbers is the integral but for e^(-2 pi^2 s^2): so is its rest.
        double all = all();
        return StrictMath.log(all - StrictMath.exp(logAtMost(-x - 1)));
      }
      double sum = 0;
      double top = log(x);
      double term = 1;
      for (long i = 0; term > 1e-18 * sum; i++) {
        term = StrictMath.exp(log(x - i) - top);
        sum += term;
      }
      return top + StrictMath.log(sum);
    }

    private double all() {
      double sum = 1;
      double term = 1;
      for (long i = 1; term > 1e-18; i++) {
        term = StrictMath.exp(log(i));
        sum += 2 * term;
      }
      return sum;
    }

    @Override
    public boolean isSmooth() {
      return true;
    }
  }
}
