// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.mollifier;

import io.sfumato.mechanism.abc.RandomFeatures;
import io.sfumato.mechanism.mollifier.NumericReference;
import io.sfumato.mechanism.mollifier.Point;
import io.sfumato.mechanism.mollifier.Reference;
import io.sfumato.mechanism.mollifier.WeakLearner;
import io.sfumato.mechanism.mollifier.WeightedPoints;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Logistic regression on random Fourier features of the scaled numbers, and on the category: the
 * streaming default. Fitted by Newton's method with a ridge, a fixed number of steps.
 */
public final class LogisticFourier implements WeakLearner {
  private static final int STEPS = 6;

  private final Reference reference;
  private final int count;
  private final double bandwidth;
  private final double ridge;
  private final RandomFeatures fourier;

  /** Rows of points that come again and again: the pool. */
  private final Map<Point, double[]> known = new IdentityHashMap<>();

  /**
   * @param reference whose public location and scale the numbers are scaled by
   * @param features number of Fourier features, even; 0 if there are no numbers
   * @param bandwidth of the kernel, in scales of the reference
   * @param ridge penalty on the coefficients, above 0
   * @throws IllegalArgumentException if the ridge is not above 0
   */
  public LogisticFourier(Reference reference, int features, double bandwidth, double ridge) {
    if (!(ridge > 0)) {
      throw new IllegalArgumentException("a ridge is above 0, was " + ridge);
    }
    this.reference = reference;
    this.count = reference.dimensions() == 0 ? 0 : features;
    this.bandwidth = bandwidth;
    this.ridge = ridge;
    this.fourier =
        count == 0
            ? null
            : new RandomFeatures(reference.dimensions(), count, bandwidth, "mollifier");
  }

  /** Computes the rows of public points once. */
  public LogisticFourier prepared(List<Point> pool) {
    pool.forEach(point -> known.put(point, row(point)));
    return this;
  }

  @Override
  public String text() {
    return String.format(
        Locale.ROOT, "logistic features=%d bandwidth=%s ridge=%s", count, bandwidth, ridge);
  }

  @Override
  public Classifier learn(WeightedPoints dataset, WeightedPoints current) {
    int n = dataset.size() + current.size();
    double[][] rows = new double[n][];
    double[] weights = new double[n];
    for (int i = 0; i < dataset.size(); i++) {
      rows[i] = rowOf(dataset.points().get(i));
      weights[i] = dataset.weights()[i];
    }
    for (int i = 0; i < current.size(); i++) {
      rows[dataset.size() + i] = rowOf(current.points().get(i));
      weights[dataset.size() + i] = current.weights()[i];
    }
    double[] beta = new double[rows[0].length];
    for (int step = 0; step < STEPS; step++) {
      newton(beta, rows, weights, dataset.size());
    }
    // The logit of "from P" is an estimate of ln P/Q: classes weigh the same.
    return x -> dot(beta, rowOf(x));
  }

  /** One step on the weighted logistic loss with the ridge. */
  private void newton(double[] beta, double[][] rows, double[] weights, int positives) {
    int d = beta.length;
    double[] gradient = new double[d];
    double[][] hessian = new double[d][d];
    for (int i = 0; i < d; i++) {
      gradient[i] = -ridge * beta[i];
      hessian[i][i] = ridge;
    }
    for (int r = 0; r < rows.length; r++) {
      double[] x = rows[r];
      double p = 1 / (1 + StrictMath.exp(-dot(beta, x)));
      double error = weights[r] * ((r < positives ? 1 : 0) - p);
      double curvature = weights[r] * Math.max(p * (1 - p), 1e-6);
      for (int i = 0; i < d; i++) {
        gradient[i] += error * x[i];
        double scaled = curvature * x[i];
        double[] line = hessian[i];
        for (int k = 0; k <= i; k++) {
          line[k] += scaled * x[k];
        }
      }
    }
    double[] move = Cholesky.solve(hessian, gradient);
    Arrays.setAll(beta, i -> beta[i] + move[i]);
  }

  private double[] rowOf(Point point) {
    double[] row = known.get(point);
    return row == null ? row(point) : row;
  }

  /** 1, the category as an indicator, the Fourier features. */
  private double[] row(Point point) {
    double[] row = new double[1 + reference.categories() + count];
    row[0] = 1;
    if (reference.categories() > 0) {
      row[1 + point.category()] = 1;
    }
    if (count > 0) {
      double[] phi = fourier.phi(scaled(point.numbers()));
      // |phi| = 1: scaled up so that the ridge means the same for every feature.
      double size = Math.sqrt(count / 2.0);
      for (int i = 0; i < count; i++) {
        row[1 + reference.categories() + i] = phi[i] * size;
      }
    }
    return row;
  }

  private double[] scaled(double[] numbers) {
    NumericReference numeric = reference.numbers().orElseThrow();
    double[] location = numeric.location();
    double[] scale = numeric.scale();
    double[] z = new double[numbers.length];
    Arrays.setAll(z, i -> (numbers[i] - location[i]) / scale[i]);
    return z;
  }

  private static double dot(double[] x, double[] y) {
    double sum = 0;
    for (int i = 0; i < x.length; i++) {
      sum += x[i] * y[i];
    }
    return sum;
  }

  /** Solves a small positive definite system, of which only the lower half is given. */
  private static final class Cholesky {
    private Cholesky() {}

    static double[] solve(double[][] a, double[] b) {
      int n = b.length;
      for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++) {
          double sum = a[i][k];
          for (int j = 0; j < k; j++) {
            sum -= a[i][j] * a[k][j];
          }
          a[i][k] = i == k ? Math.sqrt(Math.max(sum, 1e-12)) : sum / a[k][k];
        }
      }
      double[] x = b.clone();
      for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
          x[i] -= a[i][k] * x[k];
        }
        x[i] /= a[i][i];
      }
      for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
          x[i] -= a[k][i] * x[k];
        }
        x[i] /= a[i][i];
      }
      return x;
    }
  }
}
