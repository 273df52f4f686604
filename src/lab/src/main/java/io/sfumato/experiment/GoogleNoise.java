// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.accounting.PrivacyProfile;
import io.sfumato.random.DiscreteLaplace;
import io.sfumato.random.KeyedRandom;
import io.sfumato.random.LargeDiscreteGaussian;
import java.util.function.DoubleUnaryOperator;
import java.util.function.ToLongFunction;
import org.apache.commons.math3.special.Erf;

/**
 * The noises of Google's differential privacy library for Java, after its sources and its note on
 * secure noise: whole multiples of a power of two.
 */
enum GoogleNoise {
  /** Two-sided geometric noise on a grid of some 2^-40 of the scale. */
  LAPLACE {
    @Override
    Added of(int partitions, double each, double epsilon, double delta) {
      double l1 = partitions * each;
      double b = l1 / epsilon;
      double g = powerOfTwoAtLeast(b / 0x1.0p40);
      // Rounding values to the grid may move them by one more step.
      long scale = Math.min(1L << 40, Math.round((l1 + g) / (g * epsilon)));
      return new Added(g, new DiscreteLaplace(scale, 1)::sample, tail -> -b * Math.log(2 * tail));
    }
  },
  /** Theirs is a binomial of 2^112 coins or more; here the discrete Gaussian that it stands for. */
  GAUSSIAN {
    @Override
    Added of(int partitions, double each, double epsilon, double delta) {
      double sigma = sigma(Math.sqrt(partitions) * each, epsilon, delta);
      double g = powerOfTwoAtLeast(2 * sigma / 0x1.0p57);
      return new Added(
          g,
          new LargeDiscreteGaussian(Math.round(sigma / g))::sample,
          tail -> sigma * Math.sqrt(2) * Erf.erfcInv(2 * tail));
    }
  };

  private static final double ACCURACY = 1e-3;

  /**
   * What is added to one number.
   *
   * @param partitions over how many numbers one user's change is spread
   * @param each by how much it moves each of them at most
   */
  abstract Added of(int partitions, double each, double epsilon, double delta);

  /** Noise of a known size. */
  record Added(
      double granularity, ToLongFunction<KeyedRandom> sampler, DoubleUnaryOperator quantile) {
    double around(double x, KeyedRandom random) {
      return Math.rint(x / granularity) * granularity + sampler.applyAsLong(random) * granularity;
    }

    /** Around a count: whole again. */
    long around(long x, KeyedRandom random) {
      return x + Math.round(sampler.applyAsLong(random) * granularity);
    }

    /** Half the width of an interval that the noise leaves with this probability. */
    double reach(double alpha) {
      return quantile.applyAsDouble(alpha / 2);
    }
  }

  /**
   * The least standard deviation of the analytic Gaussian (Balle, Wang 2018), as it is searched
   * there: doubled, then halved to within a thousandth, and the upper end is taken.
   */
  static double sigma(double l2, double epsilon, double delta) {
    double low = 0;
    double high = l2;
    while (PrivacyProfile.gaussian(l2 / high).delta(epsilon) > delta) {
      low = high;
      high *= 2;
    }
    while (high - low > ACCURACY * low) {
      double middle = low * 0.5 + high * 0.5;
      if (PrivacyProfile.gaussian(l2 / middle).delta(epsilon) > delta) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private static double powerOfTwoAtLeast(double x) {
    double below = Math.scalb(1.0, Math.getExponent(x));
    return below < x ? 2 * below : below;
  }
}
