// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.count;

import io.sfumato.accounting.Charge;
import io.sfumato.mechanism.Sensitivity;
import io.sfumato.mechanism.baseline.GaussianMechanism;
import io.sfumato.mechanism.baseline.LaplaceMechanism;
import io.sfumato.noise.DiscreteGaussian;
import io.sfumato.noise.DiscreteLaplace;
import io.sfumato.noise.ReplayableRandom;

/** Whole-number noise with its parameter, and how far it reaches. */
public sealed interface CountNoise {
  /** How often the truth lies within {@link #halfWidth}. */
  double CONFIDENCE = 0.95;

  /** One draw. */
  long sample(ReplayableRandom random);

  /** Standard deviation. */
  double deviation();

  /**
   * Half the width of the interval around a count in which the truth lies with probability {@link
   * #CONFIDENCE}: a whole number, rounded up. A fact about the noise alone.
   *
   * @param draws how many of them were added up, at least 1
   */
  long halfWidth(int draws);

  /** What one release costs. */
  Charge charge(Sensitivity sensitivity);

  /** The word of pipeline files. */
  String method();

  /** The parameter in its whole steps: part of what randomness depends on. */
  long steps();

  /**
   * Discrete Gaussian noise.
   *
   * @param steps sigma^2 in steps of 2^-10
   */
  record Gaussian(long steps) implements CountNoise {
    private static final double QUANTILE = 1.959963984540054;

    @Override
    public long sample(ReplayableRandom random) {
      return new DiscreteGaussian(steps).sample(random);
    }

    @Override
    public double deviation() {
      return Math.sqrt(steps / (double) DiscreteGaussian.STEPS);
    }

    @Override
    public long halfWidth(int draws) {
      return (long) Math.ceil(QUANTILE * deviation() * Math.sqrt(draws));
    }

    @Override
    public Charge charge(Sensitivity sensitivity) {
      return GaussianMechanism.charge(steps, sensitivity);
    }

    @Override
    public String method() {
      return "gaussian";
    }
  }

  /**
   * Discrete Laplace noise.
   *
   * @param steps 1/scale in steps of 2^-20
   */
  record Laplace(long steps) implements CountNoise {
    @Override
    public long sample(ReplayableRandom random) {
      return new DiscreteLaplace(LaplaceMechanism.STEPS, steps).sample(random);
    }

    /** b. */
    public double scale() {
      return LaplaceMechanism.STEPS / (double) steps;
    }

    @Override
    public double deviation() {
      // Var = 2 p / (1 - p)^2 with p = e^(-1/b).
      double p = StrictMath.exp(-1 / scale());
      return Math.sqrt(2 * p) / -StrictMath.expm1(-1 / scale());
    }

    @Override
    public long halfWidth(int draws) {
      double low = 0;
      double high = 1;
      while (tail(high, draws) > 1 - CONFIDENCE) {
        low = high;
        high *= 2;
      }
      for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (tail(middle, draws) > 1 - CONFIDENCE) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return (long) Math.ceil(high * scale());
    }

    /**
     * P[|X| > x] for the sum X of k standard Laplace variables, which is the difference of two
     * Gamma(k) variables: {@code 2 e^-x sum_(i<k) sum_(m<=i) x^(i-m)/(i-m)! C(k+m-1, m) / 2^(k+m)}.
     */
    static double tail(double x, int k) {
      double sum = 0;
      double binomial = StrictMath.pow(2, -k);
      for (int m = 0; m < k; m++) {
        double power = 1;
        double inner = 0;
        for (int j = 0; j < k - m; j++) {
          inner += power;
          power *= x / (j + 1);
        }
        sum += inner * binomial;
        binomial *= (k + m) / (2.0 * (m + 1));
      }
      return 2 * StrictMath.exp(-x) * sum;
    }

    @Override
    public Charge charge(Sensitivity sensitivity) {
      return LaplaceMechanism.charge(steps, sensitivity);
    }

    @Override
    public String method() {
      return "laplace";
    }
  }
}
