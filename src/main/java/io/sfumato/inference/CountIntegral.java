// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.apache.commons.math3.special.Gamma.logGamma;

import io.sfumato.mechanism.HistogramDensity.Product;
import java.util.Arrays;

/**
 * The likelihood of shares: a density that is a product over categories, summed over all counts
 * that N independent records of these shares may have. A multinomial law is that of independent
 * Poisson counts given their sum, so that
 *
 * <pre>
 *   E[prod g_i(f_i)] = N! [x^N] prod_i sum_f (p_i x)^f / f! g_i(f)
 * </pre>
 *
 * and the coefficient is an integral over a circle, whose radius is the saddle point. The trapezoid
 * rule is exact there but for terms below 1e-12: of a handful of points, since whatever lies beyond
 * a few standard deviations of the sum is nothing. Terms are log-concave in f; where they are
 * smooth and wide their sums take strides of less than half a standard deviation, which is exact to
 * as many digits. So the cost hardly depends on N. For many threads.
 */
final class CountIntegral {
  private static final int MOST_KEPT = 1 << 22;
  private static final double NEGLIGIBLE = 28;

  /** Frequencies end where the integrand has fallen to the square root of it. */
  private static final double FAINT = 1e-24;

  private static final double STRIDES = 2.5;
  private static final int MOST_STEPS = 120;
  private static final double NARROW = 1e-9;

  private final Product factors;
  private final int n;
  private final double[][] kept;

  /**
   * @param records N, at least 1
   */
  CountIntegral(Product factors, int categories, int records) {
    this.factors = factors;
    this.n = records;
    this.kept = new double[categories][];
    if ((long) categories * (records + 1L) <= MOST_KEPT) {
      for (int i = 0; i < categories; i++) {
        kept[i] = new double[n + 1];
        for (int f = 0; f <= n; f++) {
          kept[i][f] = factors.log(i, f) - logGamma(f + 1.0);
        }
      }
    }
  }

  private double term(int category, long count) {
    return kept[category] != null
        ? kept[category][(int) count]
        : factors.log(category, count) - logGamma(count + 1.0);
  }

  /** One category's terms at a radius e^s: their mode, and how wide they are. */
  private final class Peak {
    private final int category;
    private final double lnShare;
    private double slope;
    private long mode;
    private double variance;

    Peak(int category, double share) {
      this.category = category;
      this.lnShare = Math.log(share);
      this.mode = Math.min(n, Math.round(n * share));
    }

    double log(long f) {
      return f == 0 ? term(category, 0) : f * slope + term(category, f);
    }

    private double rise(long f) {
      return log(f + 1) - log(f);
    }

    /** Finds the mode by doubling and halving: terms rise before it and fall behind it. */
    void at(double s) {
      slope = lnShare + s;
      if (lnShare == Double.NEGATIVE_INFINITY) {
        mode = 0;
        variance = 0;
        return;
      }
      long low = mode;
      long high = mode;
      for (long step = 1; low > 0 && !(rise(low - 1) > 0); step *= 2) {
        high = low;
        low = Math.max(0, low - step);
      }
      for (long step = 1; high < n && rise(high) > 0; step *= 2) {
        low = high;
        high = Math.min(n, high + step);
      }
      while (low < high) {
        long middle = (low + high) >>> 1;
        if (middle < n && rise(middle) > 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      mode = low;
      double bend = mode > 0 && mode < n ? rise(mode - 1) - rise(mode) : 1;
      variance = Math.min(n * 0.25 + 1, 1 / Math.max(bend, 1e-12));
    }
  }

  /**
   * Logarithm of the expectation.
   *
   * @param shares p, adding up to 1
   */
  double log(double[] shares) {
    Peak[] peaks = new Peak[shares.length];
    for (int i = 0; i < peaks.length; i++) {
      peaks[i] = new Peak(i, shares[i]);
    }
    double s = saddle(peaks);
    Terms[] terms = new Terms[peaks.length];
    double result = logGamma(n + 1.0) - n * s;
    double sum = 0;
    double mean = 0;
    double variance = 0;
    for (int i = 0; i < peaks.length; i++) {
      terms[i] = new Terms(peaks[i]);
      result += terms[i].top + Math.log(terms[i].total);
      mean += terms[i].mean;
      variance += terms[i].variance;
      sum += terms[i].mode;
    }
    return result
        + Math.log(Math.max(Double.MIN_VALUE, coefficient(terms, n - sum, n - mean, variance)));
  }

  /** The s at which modes add up to about N. */
  private double saddle(Peak[] peaks) {
    double s = Math.log(n);
    double low = Double.NEGATIVE_INFINITY;
    double high = Double.POSITIVE_INFINITY;
    for (int step = 0; step < MOST_STEPS; step++) {
      double sum = 0;
      double variance = 0;
      for (Peak peak : peaks) {
        peak.at(s);
        sum += peak.mode;
        variance += peak.variance;
      }
      double away = n - sum;
      // Where terms have kinks modes jump, and no s has these very modes.
      if (Math.abs(away) <= 0.5 * Math.sqrt(variance) + 0.5 || high - low < NARROW) {
        break;
      }
      low = away > 0 ? s : low;
      high = away < 0 ? s : high;
      double next = s + away / Math.max(variance, 0.25);
      // Modes rest at kinks and move again behind them: Newton may overshoot for ever; halve in
      // turn.
      boolean open = high - low == Double.POSITIVE_INFINITY;
      boolean newton = next > low && next < high && (open || step % 2 == 0);
      s = newton ? next : between(low, high, s);
    }
    return s;
  }

  private static double between(double low, double high, double s) {
    if (low == Double.NEGATIVE_INFINITY) {
      return s - 2;
    }
    return high == Double.POSITIVE_INFINITY ? s + 2 : (low + high) / 2;
  }

  /** The terms of a category that count, in proportion to the largest. */
  private final class Terms {
    private final long mode;
    private final double top;
    private final long stride;
    private final int left;
    private final double[] weights;
    private final double total;
    private final double mean;
    private final double variance;

    Terms(Peak peak) {
      mode = peak.mode;
      top = peak.log(mode);
      double sd = Math.sqrt(peak.variance);
      // Where terms end at 0 or N, or have a kink, only all of them add up to the sum.
      boolean inside = mode > 10 * sd && n - mode > 10 * sd;
      stride = factors.isSmooth() && inside ? Math.max(1, (long) (sd / STRIDES)) : 1;
      double[] found = new double[64];
      int below = 0;
      for (long f = mode - stride; f >= 0; f -= stride) {
        double away = peak.log(f) - top;
        if (!(away > -NEGLIGIBLE)) {
          break;
        }
        found = below == found.length ? Arrays.copyOf(found, 2 * below) : found;
        found[below++] = Math.exp(away);
      }
      left = below;
      double[] all = new double[2 * below + 64];
      for (int k = 0; k < below; k++) {
        all[k] = found[below - 1 - k];
      }
      int size = below;
      for (long f = mode; f <= n; f += stride) {
        double away = peak.log(f) - top;
        if (!(away > -NEGLIGIBLE)) {
          break;
        }
        all = size == all.length ? Arrays.copyOf(all, 2 * size) : all;
        all[size++] = Math.exp(away);
      }
      weights = Arrays.copyOf(all, size);
      double zeroth = 0;
      double first = 0;
      double second = 0;
      for (int k = 0; k < size; k++) {
        double away = (double) (k - left) * stride;
        zeroth += weights[k];
        first += weights[k] * away;
        second += weights[k] * away * away;
      }
      total = zeroth * stride;
      mean = mode + first / zeroth;
      variance = second / zeroth - (first / zeroth) * (first / zeroth);
      for (int k = 0; k < size; k++) {
        weights[k] /= zeroth;
      }
    }
  }

  /**
   * P[sum of all = N] of independent counts with these weights.
   *
   * @param toModes N less the sum of the modes
   * @param toMean N less the mean of the sum
   */
  private static double coefficient(Terms[] terms, double toModes, double toMean, double variance) {
    double points = 8 * Math.sqrt(variance) + Math.abs(toMean) + 10;
    long odd = 2 * (long) Math.ceil(points / 2) + 1;
    double step = 2 * Math.PI / odd;
    double sum = 1;
    for (long j = 1; j <= odd / 2; j++) {
      double t = j * step;
      double re = Math.cos(t * toModes);
      double im = -Math.sin(t * toModes);
      for (Terms one : terms) {
        if (one.weights.length > 1) {
          double angle = t * one.stride;
          double c = Math.cos(angle);
          double sn = Math.sin(angle);
          // Horner's rule from the last term, so that one turn serves all.
          double a = 0;
          double b = 0;
          for (int k = one.weights.length - 1; k >= 0; k--) {
            double next = a * c - b * sn + one.weights[k];
            b = a * sn + b * c;
            a = next;
          }
          double back = -t * one.stride * one.left;
          double bc = Math.cos(back);
          double bs = Math.sin(back);
          double x = a * bc - b * bs;
          double y = a * bs + b * bc;
          double turned = re * x - im * y;
          im = re * y + im * x;
          re = turned;
        }
      }
      sum += 2 * re;
      if (re * re + im * im < FAINT) {
        break;
      }
    }
    return sum / odd;
  }
}
