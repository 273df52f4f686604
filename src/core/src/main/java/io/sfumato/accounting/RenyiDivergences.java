// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.accounting;

import org.apache.commons.math3.special.Gamma;

/** Rényi divergences of two laws in closed form, in nats: what was lost, not what was bounded. */
public final class RenyiDivergences {
  /** Beyond it e^x is no longer of use. */
  private static final double LARGEST_EXPONENT = 600;

  private RenyiDivergences() {}

  /**
   * Two Gaussians, continuous or discrete, of one variance: {@code L d^2 / (2 s^2)}. Attained by
   * the discrete ones at every order that makes L d whole.
   *
   * @param order L, above 1
   * @param squaredShift of the means, added up over the coordinates
   * @param variance s^2, above 0
   * @return nats
   */
  public static double gaussian(double order, double squaredShift, double variance) {
    return order * squaredShift / (2 * variance);
  }

  /**
   * Gaussian noise of one variance on each of two groups of counts.
   *
   * @param order above 1
   * @param first counts of one dataset
   * @param second as many counts of its neighbour
   * @param variance of the noise on each count, above 0
   * @return nats
   */
  public static double gaussian(double order, long[] first, long[] second, double variance) {
    double squaredShift = 0;
    for (int i = 0; i < first.length; i++) {
      double moved = first[i] - second[i];
      squaredShift += moved * moved;
    }
    return gaussian(order, squaredShift, variance);
  }

  /**
   * Discrete Laplace noise of one scale on each of two groups of counts.
   *
   * @param order above 1
   * @param first counts of one dataset
   * @param second as many counts of its neighbour
   * @param scale of the noise on each count, above 0
   * @return nats
   */
  public static double laplace(double order, long[] first, long[] second, double scale) {
    double sum = 0;
    for (int i = 0; i < first.length; i++) {
      sum += laplace(order, first[i] - second[i], scale);
    }
    return sum;
  }

  /**
   * Two discrete Laplace laws of scale b a whole number d apart, as an exact series: with q =
   * e^(-1/b) the loss is d/b with probability 1/(1+q), -d/b with probability q^d/(1+q), and (d -
   * 2x)/b at each x between, of probability (1-q)/(1+q) q^x.
   *
   * @param order above 1
   * @param shift d
   * @param scale b, above 0
   * @return nats
   */
  public static double laplace(double order, long shift, double scale) {
    int d = Math.toIntExact(Math.abs(shift));
    if (d == 0) {
      return 0;
    }
    double[] p = new double[d + 1];
    double[] losses = new double[d + 1];
    double q = StrictMath.exp(-1 / scale);
    p[0] = 1 / (1 + q);
    p[d] = StrictMath.exp(-d / scale) / (1 + q);
    for (int x = 1; x < d; x++) {
      p[x] = -StrictMath.expm1(-1 / scale) / (1 + q) * StrictMath.exp(-x / scale);
    }
    for (int x = 0; x <= d; x++) {
      losses[x] = (d - 2.0 * x) / scale;
    }
    return ofLosses(order, p, losses);
  }

  /**
   * Dirichlet(u) from Dirichlet(v): a Dirichlet integral.
   *
   * @param order L, above 1
   * @param u all above 0
   * @param v as many, all above 0
   * @return +infinity where some L u_i - (L-1) v_i is not above 0
   */
  public static double dirichlet(double order, double[] u, double[] v) {
    double sum = 0;
    double all = 0;
    double others = 0;
    for (int i = 0; i < u.length; i++) {
      if (u[i] != v[i]) {
        if (!(order * u[i] - (order - 1) * v[i] > 0)) {
          return Double.POSITIVE_INFINITY;
        }
        sum += logGammas(order, u[i], v[i]);
      }
      all += u[i];
      others += v[i];
    }
    double totals = all == others ? 0 : logGammas(order, all, others);
    return Math.max(0, (sum - totals) / (order - 1));
  }

  private static double logGammas(double order, double u, double v) {
    return Gamma.logGamma(order * u - (order - 1) * v)
        + (order - 1) * Gamma.logGamma(v)
        - order * Gamma.logGamma(u);
  }

  /**
   * Two finite laws.
   *
   * @param order above 1
   * @param p probabilities, all above 0
   * @param r likewise
   * @return nats
   */
  public static double finite(double order, double[] p, double[] r) {
    double[] losses = new double[p.length];
    for (int i = 0; i < p.length; i++) {
      losses[i] = StrictMath.log1p((p[i] - r[i]) / r[i]);
    }
    return ofLosses(order, p, losses);
  }

  /** ln(1 + E[e^((L-1) loss) - 1]) / (L-1): small losses keep their digits. */
  private static double ofLosses(double order, double[] p, double[] losses) {
    double sum = 0;
    double largest = Double.NEGATIVE_INFINITY;
    for (int i = 0; i < p.length; i++) {
      sum += p[i] * StrictMath.expm1((order - 1) * losses[i]);
      largest = Math.max(largest, (order - 1) * losses[i]);
    }
    if (largest < LARGEST_EXPONENT) {
      return Math.max(0, StrictMath.log1p(sum) / (order - 1));
    }
    double scaled = 0;
    for (int i = 0; i < p.length; i++) {
      scaled += p[i] * StrictMath.exp((order - 1) * losses[i] - largest);
    }
    return (largest + StrictMath.log(scaled)) / (order - 1);
  }
}
