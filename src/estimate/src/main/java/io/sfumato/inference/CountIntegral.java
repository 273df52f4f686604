// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.inference;

import static org.apache.commons.math3.special.Gamma.logGamma;

import io.sfumato.estimate.HistogramDensity.Product;
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
  private static final double NEGLIGIBLE = 28;
  private static final double LEAST = Math.exp(-NEGLIGIBLE);
  private static final double STRIDES = 2.5;

  /** Deviations from the mode within which all terms lie that count, and more. */
  private static final double FAR = 10;

  private static final int MOST_STEPS = 120;
  private static final double NARROW = 1e-9;

  private final int n;
  private final CountTerms[] terms;

  /**
   * @param records N, at least 1
   */
  CountIntegral(Product factors, int categories, int records) {
    this.n = records;
    this.terms = new CountTerms[categories];
    Arrays.setAll(terms, i -> new CountTerms(factors, i, n, categories));
  }

  /** One category's terms at a radius e^s: their mode, and how wide they are. */
  private final class Peak {
    private final CountTerms terms;
    private final double lnShare;
    private double slope;
    private long mode;
    private double variance;

    Peak(CountTerms terms, double share) {
      this.terms = terms;
      this.lnShare = Math.log(share);
      this.mode = Math.min(n, Math.round(n * share));
    }

    double log(long f) {
      return f == 0 ? terms.log(0) : f * slope + terms.log(f);
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

    /** Adds the terms that count; returns the logarithm of the sum of all. */
    double addTo(CountSum sum) {
      double sd = Math.sqrt(variance);
      // Where terms end at 0 or N, or have a kink, only all of them add up to the sum.
      boolean smooth = mode > FAR * sd && n - mode > FAR * sd && terms.kinkAway(mode) > FAR * sd;
      long stride = smooth ? Math.max(1, (long) (sd / STRIDES)) : 1;
      double[] below = arm(-stride, mode / stride);
      double[] above = arm(stride, (n - mode) / stride);
      double all = sum.add(mode, stride, below, above);
      return log(mode) + Math.log(all * stride);
    }

    /** Terms from beside the mode on, in proportion to its own, as far as they count. */
    private double[] arm(long stride, long most) {
      double[] rises = terms.rises();
      double tilt = Math.exp(slope);
      boolean kept = rises.length > 0 && tilt > Double.MIN_NORMAL && tilt < Double.MAX_VALUE;
      boolean next = kept && Math.abs(stride) == 1;
      double top = log(mode);
      double[] found = new double[64];
      int size = 0;
      double weight = 1;
      for (long f = mode; size < most; f += stride) {
        if (next) {
          weight =
              stride > 0 ? weight * (rises[(int) f] * tilt) : weight / (rises[(int) f - 1] * tilt);
        } else {
          weight = Math.exp(log(f + stride) - top);
        }
        if (!(weight > LEAST)) {
          break;
        }
        found = size == found.length ? Arrays.copyOf(found, 2 * size) : found;
        found[size++] = weight;
      }
      return Arrays.copyOf(found, size);
    }
  }

  /**
   * Logarithm of the expectation.
   *
   * @param shares p, adding up to 1
   */
  double log(double[] shares) {
    Peak[] peaks = new Peak[shares.length];
    Arrays.setAll(peaks, i -> new Peak(terms[i], shares[i]));
    double s = saddle(peaks);
    CountSum sum = new CountSum(peaks.length);
    double result = logGamma(n + 1.0) - n * s;
    for (Peak peak : peaks) {
      result += peak.addTo(sum);
    }
    return result + Math.log(Math.max(Double.MIN_VALUE, sum.chance(n)));
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
}
