// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.experiment;

import io.sfumato.mechanism.dirichlet.DirichletParameters;
import io.sfumato.random.GammaSampler;
import io.sfumato.random.KeyedRandom;
import java.util.Arrays;
import java.util.Locale;

/** From the counts of one row of a table to shares that add up to 1. */
interface Estimator {
  /** The paper's clip of noisy counts. */
  double CLIP = 1e-6;

  double[] shares(double[] counts, KeyedRandom random);

  /** The parameters, for the table of results. */
  String parameters();

  /** Draws noise for one count. */
  interface Noise {
    double draw(KeyedRandom random);
  }

  /** One draw y ~ Dirichlet(r f + a). */
  static Estimator dirichlet(DirichletParameters pair) {
    return new Estimator() {
      @Override
      public double[] shares(double[] counts, KeyedRandom random) {
        return CategoryShares.normalised(
            Arrays.stream(counts)
                .map(n -> GammaSampler.sample(random, pair.r() * n + pair.a()))
                .toArray());
      }

      @Override
      public String parameters() {
        return String.format(Locale.ROOT, "r=%.6g;alpha=%.6g", pair.r(), pair.a());
      }
    };
  }

  /**
   * Gaussian noise on every count.
   *
   * @param floor what is below it becomes it
   */
  static Estimator gaussian(double sigma, double floor) {
    return noisy("sigma", sigma, random -> sigma * random.nextStandardGaussian(), floor);
  }

  /**
   * Laplace noise on every count.
   *
   * @param floor what is below it becomes it
   */
  static Estimator laplace(double b, double floor) {
    return noisy(
        "b",
        b,
        random -> {
          double u = random.nextOpenDouble() - 0.5;
          return -b * Math.signum(u) * Math.log1p(-2 * Math.abs(u));
        },
        floor);
  }

  private static Estimator noisy(String name, double scale, Noise noise, double floor) {
    return new Estimator() {
      @Override
      public double[] shares(double[] counts, KeyedRandom random) {
        return CategoryShares.normalised(
            Arrays.stream(counts).map(n -> Math.max(floor, n + noise.draw(random))).toArray());
      }

      @Override
      public String parameters() {
        return String.format(Locale.ROOT, "%s=%.6g", name, scale);
      }
    };
  }
}
