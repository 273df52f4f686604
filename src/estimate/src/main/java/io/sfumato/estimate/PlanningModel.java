// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate;

import io.sfumato.mechanism.Histogram;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.math3.special.Gamma;

/**
 * A PUBLIC guess of what a dataset looks like, on which parameters are chosen. Never private
 * counts.
 *
 * @param shares expected share of each category, at least 0, adding up to 1
 * @param size expected number of records, above 0
 */
public record PlanningModel(List<Double> shares, double size) {
  /**
   * @throws IllegalArgumentException unless there are at least 2 shares from 0 that add up to 1,
   *     and the size is above 0
   */
  public PlanningModel {
    shares = List.copyOf(shares);
    double sum = shares.stream().mapToDouble(Double::doubleValue).sum();
    if (shares.size() < 2
        || shares.stream().anyMatch(p -> !(p >= 0))
        || Math.abs(sum - 1) > 1e-9
        || !(size > 0)) {
      throw new IllegalArgumentException(
          "a planning model has at least 2 shares from 0 that add up to 1, and a size above 0");
    }
  }

  /**
   * Weights of any scale, which are normalised.
   *
   * @param weights by category, at least 0
   * @param size number of records, above 0
   */
  public static PlanningModel ofWeights(double[] weights, double size) {
    double sum = Arrays.stream(weights).sum();
    return new PlanningModel(Arrays.stream(weights).mapToObj(w -> w / sum).toList(), size);
  }

  /**
   * The k-th most frequent category has a share in proportion to 1/k (Zipf's law). Which category
   * that is does not matter: the expected KL is symmetric in the categories.
   *
   * <p>The default. A uniform model would be useless: its best "release" is the uniform
   * distribution whatever the data, since a -> infinity drives its expected KL to 0.
   *
   * @param categories at least 2
   * @param size number of records, above 0
   */
  public static PlanningModel zipf(int categories, double size) {
    double[] weights = new double[categories];
    Arrays.setAll(weights, rank -> 1.0 / (rank + 1));
    return ofWeights(weights, size);
  }

  /**
   * A dataset just as planned: whole counts near n p that add up to n rounded (largest remainders).
   */
  public Histogram histogram() {
    long n = Math.max(1, Math.round(size));
    long[] counts = new long[shares.size()];
    long left = n;
    for (int i = 0; i < counts.length; i++) {
      counts[i] = (long) Math.floor(n * shares.get(i));
      left -= counts[i];
    }
    List<Integer> byRemainder = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      byRemainder.add(i);
    }
    byRemainder.sort(Comparator.comparingDouble(i -> counts[i] - n * shares.get(i)));
    for (int i = 0; left > 0; i = (i + 1) % counts.length, left--) {
      counts[byRemainder.get(i)]++;
    }
    return new Histogram(counts);
  }

  /**
   * E KL(p || y) for y ~ Dirichlet(n r p + a), in nats: {@code sum p ln p - sum p psi(n r p + a) +
   * psi(n r + d a)}.
   *
   * @param r weight of one record, above 0
   * @param a weight of the prior in each category, above 0
   */
  public double expectedKl(double r, double a) {
    double n = size;
    double kl = Gamma.digamma(n * r + shares.size() * a);
    for (double p : shares) {
      if (p > 0) {
        kl += p * (StrictMath.log(p) - Gamma.digamma(n * r * p + a));
      }
    }
    return kl;
  }
}
