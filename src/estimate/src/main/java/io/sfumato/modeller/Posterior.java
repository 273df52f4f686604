// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.modeller;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.rng.UniformRandomProvider;

/**
 * Weighted draws: what the answers make of the prior. Post-processing of what was published, so it
 * costs no budget, however often it is done.
 */
public final class Posterior {
  private final List<double[]> draws = new ArrayList<>();
  private final List<Double> weights = new ArrayList<>();

  /** Adds a candidate with its weight, at least 0. */
  public void add(double[] theta, double weight) {
    if (!(weight >= 0) || weight == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("a weight is finite and at least 0, was " + weight);
    }
    draws.add(theta.clone());
    weights.add(weight);
  }

  /** Whether nothing has any weight: then there is no mean. */
  public boolean isEmpty() {
    return !(total() > 0);
  }

  private double total() {
    return weights.stream().mapToDouble(Double::doubleValue).sum();
  }

  /** The number of equally weighted draws that would say as much. */
  public double effectiveSize() {
    double squares = weights.stream().mapToDouble(w -> w * w).sum();
    return squares > 0 ? total() * total() / squares : 0;
  }

  /** The weighted mean of one parameter, from 0; NaN without any weight. */
  public double mean(int parameter) {
    double sum = 0;
    for (int i = 0; i < draws.size(); i++) {
      sum += weights.get(i) * draws.get(i)[parameter];
    }
    return sum / total();
  }

  /** Standard deviation. */
  public double deviation(int parameter) {
    double mean = mean(parameter);
    double sum = 0;
    for (int i = 0; i < draws.size(); i++) {
      double away = draws.get(i)[parameter] - mean;
      sum += weights.get(i) * away * away;
    }
    return Math.sqrt(sum / total());
  }

  /** Number of parameters; 0 without candidates. */
  public int parameters() {
    return draws.isEmpty() ? 0 : draws.get(0).length;
  }

  /** Parameters of a candidate, by its place in the order in which they were added. */
  public double[] theta(int place) {
    return draws.get(place).clone();
  }

  /**
   * Draws a candidate with probability in proportion to its weight.
   *
   * @return its place
   * @throws IllegalStateException if nothing has any weight
   */
  public int draw(UniformRandomProvider random) {
    if (isEmpty()) {
      throw new IllegalStateException("nothing has any weight: there is nothing to draw");
    }
    double left = random.nextDouble() * total();
    int last = -1;
    for (int i = 0; i < weights.size(); i++) {
      if (weights.get(i) > 0) {
        last = i;
        left -= weights.get(i);
        if (left < 0) {
          return i;
        }
      }
    }
    return last; // the sum's rounding
  }

  /**
   * A central credible interval of one parameter: as much weight below as above; NaN without any.
   *
   * @param share of the weight that lies within, 0 to 1
   */
  public double[] interval(int parameter, double share) {
    int[] ascending =
        IntStream.range(0, draws.size())
            .filter(i -> weights.get(i) > 0)
            .boxed()
            .sorted(Comparator.comparingDouble(i -> draws.get(i)[parameter]))
            .mapToInt(Integer::intValue)
            .toArray();
    return new double[] {
      quantile(parameter, ascending, (1 - share) / 2),
      quantile(parameter, ascending, (1 + share) / 2)
    };
  }

  /** The least draw at or below which a share of the weight lies. */
  private double quantile(int parameter, int[] ascending, double share) {
    double total = total();
    double below = 0;
    double found = Double.NaN;
    for (int i : ascending) {
      found = draws.get(i)[parameter];
      below += weights.get(i);
      if (below >= share * total) {
        return found;
      }
    }
    return found;
  }

  /** The least and the largest draw; a little apart if there is but one value. */
  public double[] range(int parameter) {
    double low = draws.stream().mapToDouble(d -> d[parameter]).min().orElse(0);
    double high = draws.stream().mapToDouble(d -> d[parameter]).max().orElse(1);
    return low < high ? new double[] {low, high} : new double[] {low - 0.5, low + 0.5};
  }

  /** The share of the weight in each of a number of equal bins over [low, high]. */
  public double[] histogram(int parameter, double low, double high, int bins) {
    double[] shares = new double[bins];
    double total = total();
    for (int i = 0; i < draws.size(); i++) {
      int bin = (int) ((draws.get(i)[parameter] - low) / (high - low) * bins);
      shares[Math.max(0, Math.min(bins - 1, bin))] += weights.get(i) / total;
    }
    return shares;
  }
}
