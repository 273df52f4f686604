// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.apache.commons.math3.special.Gamma.logGamma;

import org.apache.commons.rng.UniformRandomProvider;
import org.apache.commons.rng.sampling.distribution.AhrensDieterMarsagliaTsangGammaSampler;
import org.apache.commons.rng.sampling.distribution.ZigguratSampler;

/** A multivariate Student-t law: tails heavier than a posterior's, so that no weight explodes. */
final class StudentT {
  private static final double FREEDOM = 5;

  private final double[] mean;

  /** Lower triangle, L with scale = L L'. */
  private final double[][] root;

  private final double lnNorm;

  private StudentT(double[] mean, double[][] root) {
    this.mean = mean;
    this.root = root;
    int k = mean.length;
    double sum =
        logGamma((FREEDOM + k) / 2) - logGamma(FREEDOM / 2) - 0.5 * k * Math.log(FREEDOM * Math.PI);
    for (int i = 0; i < k; i++) {
      sum -= Math.log(root[i][i]);
    }
    this.lnNorm = sum;
  }

  /**
   * With the weighted mean and covariance of points as its centre and scale.
   *
   * @param weights at least 0, not all 0
   */
  static StudentT of(double[][] points, double[] weights) {
    int k = points[0].length;
    double total = 0;
    double[] mean = new double[k];
    for (int n = 0; n < points.length; n++) {
      if (weights[n] > 0) {
        total += weights[n];
        for (int i = 0; i < k; i++) {
          mean[i] += weights[n] * points[n][i];
        }
      }
    }
    for (int i = 0; i < k; i++) {
      mean[i] /= total;
    }
    double[][] scale = new double[k][k];
    for (int n = 0; n < points.length; n++) {
      if (weights[n] > 0) {
        for (int i = 0; i < k; i++) {
          double away = weights[n] / total * (points[n][i] - mean[i]);
          for (int j = 0; j <= i; j++) {
            scale[i][j] += away * (points[n][j] - mean[j]);
          }
        }
      }
    }
    return new StudentT(mean, cholesky(scale));
  }

  /** L of a scale that rounding or few points may have made singular. */
  private static double[][] cholesky(double[][] scale) {
    int k = scale.length;
    double[][] root = new double[k][k];
    for (int i = 0; i < k; i++) {
      for (int j = 0; j <= i; j++) {
        double sum = scale[i][j];
        for (int m = 0; m < j; m++) {
          sum -= root[i][m] * root[j][m];
        }
        root[i][j] =
            i == j ? Math.sqrt(Math.max(sum, 1e-8 * scale[i][i] + 1e-12)) : sum / root[j][j];
      }
    }
    return root;
  }

  double[] draw(UniformRandomProvider random) {
    int k = mean.length;
    ZigguratSampler.NormalizedGaussian normal = ZigguratSampler.NormalizedGaussian.of(random);
    double chi =
        AhrensDieterMarsagliaTsangGammaSampler.of(random, FREEDOM / 2, 2).sample() / FREEDOM;
    double[] z = new double[k];
    double[] point = mean.clone();
    double stretch = 1 / Math.sqrt(chi);
    for (int i = 0; i < k; i++) {
      z[i] = normal.sample() * stretch;
      for (int j = 0; j <= i; j++) {
        point[i] += root[i][j] * z[j];
      }
    }
    return point;
  }

  /** Logarithm of the density. */
  double log(double[] point) {
    int k = mean.length;
    double[] z = new double[k];
    double square = 0;
    for (int i = 0; i < k; i++) {
      double sum = point[i] - mean[i];
      for (int j = 0; j < i; j++) {
        sum -= root[i][j] * z[j];
      }
      z[i] = sum / root[i][i];
      square += z[i] * z[i];
    }
    return lnNorm - 0.5 * (FREEDOM + k) * Math.log1p(square / FREEDOM);
  }
}
