// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.Arrays;
import java.util.List;

/**
 * Parameters without bounds: one-to-one with those that have some, so that laws on all of R^k can
 * be laid over them.
 */
public sealed interface Coordinates {
  /** How many there are. */
  int size();

  /** Coordinates of parameters, which lie strictly within their bounds. */
  double[] free(double[] theta);

  /** Inverse of {@link #free}. */
  double[] theta(double[] free);

  /** Logarithm of how much parameters move by coordinates: |d theta / d free|. */
  double logJacobian(double[] theta);

  /**
   * Shares of a whole: logarithms of their ratios to the last (additive log-ratio, Aitchison 1982).
   * Densities are of all shares but the last.
   *
   * @param count of shares, at least 2
   */
  record Shares(int count) implements Coordinates {
    @Override
    public int size() {
      return count - 1;
    }

    @Override
    public double[] free(double[] theta) {
      double[] free = new double[count - 1];
      Arrays.setAll(free, i -> Math.log(theta[i]) - Math.log(theta[count - 1]));
      return free;
    }

    @Override
    public double[] theta(double[] free) {
      double most = Math.max(0, Arrays.stream(free).max().orElse(0));
      double[] theta = new double[count];
      double sum = 0;
      for (int i = 0; i < count; i++) {
        theta[i] = Math.exp((i < count - 1 ? free[i] : 0) - most);
        sum += theta[i];
      }
      for (int i = 0; i < count; i++) {
        theta[i] /= sum;
      }
      return theta;
    }

    /** The product of all shares. */
    @Override
    public double logJacobian(double[] theta) {
      double sum = 0;
      for (double share : theta) {
        sum += Math.log(share);
      }
      return sum;
    }
  }

  /**
   * Each parameter by itself.
   *
   * @param ranges where each lies; logarithm, log-odds or itself by its bounds
   */
  record Each(List<Range> ranges) implements Coordinates {
    public Each {
      ranges = List.copyOf(ranges);
    }

    @Override
    public int size() {
      return ranges.size();
    }

    @Override
    public double[] free(double[] theta) {
      double[] free = new double[theta.length];
      Arrays.setAll(free, i -> ranges.get(i).free(theta[i]));
      return free;
    }

    @Override
    public double[] theta(double[] free) {
      double[] theta = new double[free.length];
      Arrays.setAll(theta, i -> ranges.get(i).value(free[i]));
      return theta;
    }

    @Override
    public double logJacobian(double[] theta) {
      double sum = 0;
      for (int i = 0; i < theta.length; i++) {
        sum += ranges.get(i).logSlope(theta[i]);
      }
      return sum;
    }
  }

  /**
   * An open interval.
   *
   * @param low may be -infinity if high is infinite
   * @param high above low; may be infinite
   */
  record Range(double low, double high) {
    /** All numbers. */
    public static final Range REAL = new Range(Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY);

    /** Those above 0. */
    public static final Range POSITIVE = new Range(0, Double.POSITIVE_INFINITY);

    private boolean isBounded() {
      return high < Double.POSITIVE_INFINITY;
    }

    private double free(double x) {
      if (isBounded()) {
        return Math.log((x - low) / (high - x));
      }
      return low == Double.NEGATIVE_INFINITY ? x : Math.log(x - low);
    }

    private double value(double free) {
      if (isBounded()) {
        return low + (high - low) / (1 + Math.exp(-free));
      }
      return low == Double.NEGATIVE_INFINITY ? free : low + Math.exp(free);
    }

    private double logSlope(double x) {
      if (isBounded()) {
        return Math.log((x - low) * (high - x) / (high - low));
      }
      return low == Double.NEGATIVE_INFINITY ? 0 : Math.log(x - low);
    }
  }
}
