// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.moments;

import io.sfumato.estimate.Estimate;
import io.sfumato.mechanism.additive.ErrorLaw;
import io.sfumato.mechanism.moments.BernsteinParts;
import java.util.Arrays;

/**
 * One number's noisy parts S_k in one group, and what they say of quotients {@code sum_k a_k S_k /
 * N}. All of it is post-processing: a fixed order of operations, and the same bytes everywhere.
 *
 * @param noise of every part
 * @param sums S_k, in steps
 * @param size N, in steps; NaN where it is not public
 * @param firstPart 1 where the first part has no noise of its own
 * @param resolution what rounding of parts may move a quotient of coefficients in [-1, 1] by
 */
record NoisyParts(ErrorLaw noise, double[] sums, double size, int firstPart, double resolution) {
  private static final int MOST_STEPS = 60;

  /** Ends of intervals are found, outward, to this part of the way to them. */
  private static final double NARROW = 1e-6;

  static NoisyParts of(PartsError error, NoisyMoments noisy, int group, int field) {
    double[] sums = new double[noisy.shape().parts()];
    for (int k = 0; k < sums.length; k++) {
      sums[k] = noisy.of(group, field, k);
    }
    double size =
        noisy.records().isPresent() && noisy.shape().groups() == 1
            ? noisy.records().getAsLong() * (double) BernsteinParts.STEPS
            : Double.NaN;
    return new NoisyParts(
        error.noise(),
        sums,
        size,
        error.sensitivity().firstPart(),
        error.sensitivity().resolution());
  }

  boolean sizeIsPublic() {
    return !Double.isNaN(size);
  }

  /** N, or what is known of it. */
  double total() {
    if (sizeIsPublic()) {
      return size;
    }
    double sum = 0;
    for (double part : sums) {
      sum += part;
    }
    return sum;
  }

  /**
   * What is taken off all coefficients where N is public, since the true parts add up to it: then
   * their noise is least. Without a noise of its own the first part counts with none.
   */
  double offset(double[] a) {
    if (!sizeIsPublic()) {
      return 0;
    }
    if (firstPart > 0) {
      return a[0];
    }
    double sum = 0;
    for (double each : a) {
      sum += each;
    }
    return sum / a.length;
  }

  /** Coefficients less a number. */
  static double[] less(double[] a, double offset) {
    double[] weights = new double[a.length];
    for (int k = 0; k < a.length; k++) {
      weights[k] = a[k] - offset;
    }
    return weights;
  }

  private double weighted(double[] weights) {
    double sum = 0;
    for (int k = 0; k < weights.length; k++) {
      sum += weights[k] * sums[k];
    }
    return sum;
  }

  /** The sum of a_k S_k, in steps, by all that is known. */
  double combined(double[] a) {
    double offset = offset(a);
    return weighted(less(a, offset)) + (sizeIsPublic() ? offset * size : 0);
  }

  /** Half its interval, in steps. */
  double halfWidth(double confidence, double[] a) {
    return noise.halfWidth(confidence, less(a, offset(a)));
  }

  /**
   * The quotient v = sum_k a_k S_k / N with all v that are not contradicted (Fieller 1954): those
   * for which {@code sum_k (a_k - v) S_k}, which is nothing but noise where v is the truth, is as
   * near 0 as that noise usually is, by its exact law. Where N itself may be 0 that is no interval,
   * and every v is possible. Where the quotient itself is not possible, the nearest one that is
   * stands for it, with at least as much on either side as its noise is.
   *
   * @param confidence how often the truth is among them, in (0, 1)
   * @param a coefficients between -1 and 1
   * @param least the smallest possible v
   * @param most the largest
   */
  Estimate quotient(double confidence, double[] a, double least, double most) {
    double total = total();
    double middle = least + (most - least) / 2;
    double told = total > 0 ? combined(a) / total : middle;
    if (!(total > 0) || !sizeIsPublic() && mayBeNone(confidence, total)) {
      return Estimate.within(told, most - least, most - least, least, most);
    }
    double value = Estimate.clamp(told, least, most);
    double spread = told == value ? 0 : spread(confidence, a, value) / total;
    return Estimate.within(
        told,
        Math.max(spread, end(confidence, a, value, least)) + resolution,
        Math.max(spread, end(confidence, a, value, most)) + resolution,
        least,
        most);
  }

  /** Half the interval of what is nothing but noise where v is the truth. */
  private double spread(double confidence, double[] a, double v) {
    return noise.halfWidth(confidence, less(a, sizeIsPublic() ? offset(a) : v));
  }

  private boolean mayBeNone(double confidence, double total) {
    double[] ones = new double[sums.length];
    Arrays.fill(ones, 1);
    return noise.tail(total, ones) >= 1 - confidence;
  }

  /**
   * How far from a value, towards an end, quotients are possible, outward: by secants of the tail,
   * each third time by halves, until what is left open is nothing beside the interval.
   */
  private double end(double confidence, double[] a, double value, double end) {
    double outside = excess(confidence, a, end);
    if (outside >= 0) {
      return Math.abs(end - value);
    }
    double in = 0;
    double out = 1;
    double inside = Math.max(0, excess(confidence, a, value));
    for (int i = 1; i <= MOST_STEPS && out - in > NARROW * out; i++) {
      double step = i % 3 == 0 ? 0.5 : inside / (inside - outside);
      // Never at an end, so that both come nearer.
      double next = in + Math.max(0.01, Math.min(0.99, step)) * (out - in);
      double found = excess(confidence, a, value + next * (end - value));
      if (found >= 0) {
        in = next;
        inside = found;
      } else {
        out = next;
        outside = found;
      }
    }
    return out * Math.abs(end - value);
  }

  /** Not below 0 where a quotient is possible. */
  private double excess(double confidence, double[] a, double v) {
    double offset = sizeIsPublic() ? offset(a) : v;
    double[] weights = less(a, offset);
    double rest = weighted(weights) + (sizeIsPublic() ? (offset - v) * size : 0);
    return noise.tail(Math.abs(rest), weights) - (1 - confidence);
  }
}
