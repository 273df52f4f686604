// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import static org.apache.commons.math3.special.Gamma.logGamma;

import io.sfumato.modeller.Coordinates.Range;
import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ChengBetaSampler;
import org.apache.commons.rng.sampling.distribution.ContinuousUniformSampler;
import org.apache.commons.rng.sampling.distribution.GaussianSampler;
import org.apache.commons.rng.sampling.distribution.LogNormalSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** A law that a modeller gives one parameter. */
enum PriorLaw {
  UNIFORM {
    @Override
    boolean isOne(double a, double b) {
      return a < b;
    }

    @Override
    double draw(double a, double b, UniformRandomProvider random) {
      return ContinuousUniformSampler.of(random, a, b).sample();
    }

    @Override
    double log(double a, double b, double x) {
      return x >= a && x <= b ? -Math.log(b - a) : Double.NEGATIVE_INFINITY;
    }

    @Override
    Range range(double a, double b) {
      return new Range(a, b);
    }
  },
  NORMAL {
    @Override
    boolean isOne(double mean, double sd) {
      return sd > 0;
    }

    @Override
    double draw(double mean, double sd, UniformRandomProvider random) {
      return GaussianSampler.of(ZigguratSampler.NormalizedGaussian.of(random), mean, sd).sample();
    }

    @Override
    double log(double mean, double sd, double x) {
      double z = (x - mean) / sd;
      return -0.5 * z * z - Math.log(sd) - LN_ROOT_2_PI;
    }

    @Override
    Range range(double mean, double sd) {
      return Range.REAL;
    }
  },
  LOGNORMAL {
    @Override
    boolean isOne(double mu, double sigma) {
      return sigma > 0;
    }

    @Override
    double draw(double mu, double sigma, UniformRandomProvider random) {
      return LogNormalSampler.of(ZigguratSampler.NormalizedGaussian.of(random), mu, sigma).sample();
    }

    @Override
    double log(double mu, double sigma, double x) {
      return x > 0 ? NORMAL.log(mu, sigma, Math.log(x)) - Math.log(x) : Double.NEGATIVE_INFINITY;
    }

    @Override
    Range range(double mu, double sigma) {
      return Range.POSITIVE;
    }
  },
  GAMMA {
    @Override
    boolean isOne(double shape, double rate) {
      return shape > 0 && rate > 0;
    }

    @Override
    double draw(double shape, double rate, UniformRandomProvider random) {
      return AhrensDieterMarsagliaTsangGammaSampler.of(random, shape, 1 / rate).sample();
    }

    @Override
    double log(double shape, double rate, double x) {
      return x > 0
          ? shape * Math.log(rate) + (shape - 1) * Math.log(x) - rate * x - logGamma(shape)
          : Double.NEGATIVE_INFINITY;
    }

    @Override
    Range range(double shape, double rate) {
      return Range.POSITIVE;
    }
  },
  BETA {
    @Override
    boolean isOne(double a, double b) {
      return a > 0 && b > 0;
    }

    @Override
    double draw(double a, double b, UniformRandomProvider random) {
      return ChengBetaSampler.of(random, a, b).sample();
    }

    @Override
    double log(double a, double b, double x) {
      return x > 0 && x < 1
          ? (a - 1) * Math.log(x)
              + (b - 1) * Math.log1p(-x)
              + logGamma(a + b)
              - logGamma(a)
              - logGamma(b)
          : Double.NEGATIVE_INFINITY;
    }

    @Override
    Range range(double a, double b) {
      return new Range(0, 1);
    }
  };

  private static final double LN_ROOT_2_PI = 0.5 * Math.log(2 * Math.PI);

  /** Whether these numbers make one. */
  abstract boolean isOne(double first, double second);

  abstract double draw(double first, double second, UniformRandomProvider random);

  /** Logarithm of the density. */
  abstract double log(double first, double second, double x);

  /** Where its draws lie. */
  abstract Range range(double first, double second);
}
