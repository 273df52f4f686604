// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.mechanism.mollifier;

import io.sfumato.accounting.Bisection;
import io.sfumato.mechanism.Histogram;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * One category from {@code Q = clip(P / C, band Q0)}, the point of the band nearest to P in KL
 * divergence (equation 8), in whole numbers: weights that add up to 2^62 exactly, lower ends
 * rounded up, upper ends down. So the ratio of any two laws is at most e^eps without any rounding,
 * and an empty dataset gives Q0.
 */
public final class FiniteSampler {
  /** Sum of the weights of a law. */
  public static final long TOTAL = 1L << 62;

  /** Fewer steps in a lower end could not be rounded without being felt. */
  private static final double FEWEST_STEPS = 1 << 10;

  private final LikelihoodRatioBand band;
  private final double[] reference;
  private final long[] lower;
  private final long[] upper;
  private final String name;

  /**
   * @param name of the sampler, for the charge
   * @param reference shares of the categories, all above 0, adding up to 1
   * @throws IllegalArgumentException if no law fits into the band: a category is too rare
   */
  public FiniteSampler(String name, LikelihoodRatioBand band, double[] reference) {
    if (reference.length < 2) {
      throw new IllegalArgumentException("a finite domain has at least 2 categories");
    }
    double sum = 0;
    for (double share : reference) {
      if (!(share > 0)) {
        throw new IllegalArgumentException(
            "a reference has full support: every share is above 0, found " + share);
      }
      sum += share;
    }
    if (Math.abs(sum - 1) > 1e-9) {
      throw new IllegalArgumentException("shares of a reference add up to 1, found " + sum);
    }
    this.name = name;
    this.band = band;
    this.reference = reference.clone();
    this.lower = new long[reference.length];
    this.upper = new long[reference.length];
    // A little below e^eps, so that no rounding of the product can lift a ratio above it.
    double ratio = StrictMath.exp(band.epsilon()) * (1 - 0x1.0p-50);
    long least = 0;
    long most = 0;
    for (int i = 0; i < reference.length; i++) {
      double low = band.lower() * reference[i] * TOTAL;
      if (low < FEWEST_STEPS) {
        throw new IllegalArgumentException(
            "category "
                + (i + 1)
                + " is too rare in the reference for epsilon "
                + band.epsilon()
                + "; raise its share or lower epsilon");
      }
      lower[i] = (long) Math.ceil(low);
      upper[i] = (long) Math.min(TOTAL, Math.floor(lower[i] * ratio));
      least = Math.addExact(least, lower[i]);
      most += Math.min(TOTAL - most, upper[i]);
    }
    if (least > TOTAL || most < TOTAL) {
      throw new IllegalArgumentException(
          "no law fits between the rounded ends of the band; raise epsilon");
    }
  }

  /** Its name and all its parameters, as charges have them. */
  String text() {
    return "%s epsilon=%s lower=%s reference=%s"
        .formatted(
            name,
            Double.toHexString(band.epsilon()),
            Double.toHexString(band.lower()),
            Arrays.toString(reference));
  }

  /**
   * Its parameters as plans and guarantees name them, with one more of the items that it draws.
   *
   * @param name of that one
   */
  Map<String, Double> parameters(String name, double value) {
    Map<String, Double> parameters = new TreeMap<>();
    parameters.put("epsilon_item", band.epsilon());
    parameters.put("lower", band.lower());
    parameters.put("upper", band.upper());
    parameters.put(name, value);
    return parameters;
  }

  /** Ends of its laws' ratio to the reference. */
  public LikelihoodRatioBand band() {
    return band;
  }

  /** Shares of the reference. */
  public double[] reference() {
    return reference.clone();
  }

  /**
   * The exact law of the release: weights of the categories in steps of 2^-62.
   *
   * @throws IllegalArgumentException if the dataset has another number of categories
   */
  public long[] weights(Histogram dataset) {
    int k = reference.length;
    if (dataset.categories() != k) {
      throw new IllegalArgumentException(
          "a dataset has " + k + " categories here, found " + dataset.categories());
    }
    double[] shape = reference();
    if (dataset.size() > 0) {
      Arrays.setAll(shape, dataset::count);
    }
    return nearest(shape);
  }

  /**
   * The exact law of the band that is nearest to what is in proportion to a shape: weights of the
   * categories in steps of 2^-62.
   *
   * @param wanted of every category, at least 0 and finite, one of them above 0
   */
  public long[] nearest(double[] wanted) {
    int k = reference.length;
    double[] shape = wanted.clone();
    double saturated = 0;
    for (int i = 0; i < k; i++) {
      saturated += shape[i] > 0 ? upper[i] : lower[i];
    }
    if (saturated < TOTAL) {
      // Every category that the dataset has lies at its upper end. The others share what is left
      // like the reference, since P says nothing of them.
      for (int i = 0; i < k; i++) {
        shape[i] = shape[i] > 0 ? Double.POSITIVE_INFINITY : reference[i];
      }
    }
    // The largest scale that gives too little, by the bits of doubles, which have the doubles'
    // order: 63 steps, however far apart the shape's parts are.
    double scale =
        Double.longBitsToDouble(
            Bisection.largest(
                0,
                Double.doubleToRawLongBits(Double.POSITIVE_INFINITY),
                bits -> scaledSum(shape, Double.longBitsToDouble(bits)) < TOTAL));
    long[] weights = new long[k];
    Arrays.setAll(weights, i -> scaled(shape, scale, i));
    settle(weights);
    return weights;
  }

  /** clip(scale shape, band) of one category. */
  private long scaled(double[] shape, double scale, int i) {
    return Math.max(lower[i], Math.min(upper[i], (long) (shape[i] * scale)));
  }

  private double scaledSum(double[] shape, double scale) {
    double sum = 0;
    for (int i = 0; i < shape.length; i++) {
      sum += scaled(shape, scale, i);
    }
    return sum;
  }

  /**
   * Weights of a law as probabilities.
   *
   * @param weights in steps of 2^-62, adding up to 1
   */
  public static double[] shares(long[] weights) {
    double sum = sum(weights);
    return Arrays.stream(weights).mapToDouble(weight -> weight / sum).toArray();
  }

  private static double sum(long[] weights) {
    double sum = 0;
    for (long weight : weights) {
      sum += weight;
    }
    return sum;
  }

  /** Makes the total exact within the band: what rounding left over, a few steps a category. */
  private void settle(long[] weights) {
    long left = TOTAL;
    for (long weight : weights) {
      left -= weight;
    }
    for (int i = 0; i < weights.length && left != 0; i++) {
      long moved =
          left > 0 ? Math.min(left, upper[i] - weights[i]) : Math.max(left, lower[i] - weights[i]);
      weights[i] += moved;
      left -= moved;
    }
    if (left != 0) {
      throw new IllegalStateException("the band holds a law, but none was found");
    }
  }

  /** The largest KL(P || Q) over all datasets: that of the rarest category alone, in nats. */
  public double worstCaseKl() {
    double worst = 0;
    for (int i = 0; i < reference.length; i++) {
      long[] counts = new long[reference.length];
      counts[i] = 1;
      double share = weights(new Histogram(counts))[i] / (double) TOTAL;
      worst = Math.max(worst, -StrictMath.log(share));
    }
    return worst;
  }
}
