// SPDX-License-Identifier: Apache-2.0
// Copyright The Sfumato authors
package io.sfumato.estimate.history;

import java.util.ArrayList;
import java.util.List;

/**
 * How a category's counts go on: around the faded mean of its earlier shares, as a Dirichlet prior
 * of some concentration has it. Which model holds is learned from releases, category by category.
 *
 * @param pace place among {@link #FADES}
 * @param concentration kappa: earlier records that the mean is worth, above 0
 */
record Model(int pace, double concentration) {
  /** What a window's weight falls to from one window to the next: paces from quick to slow. */
  static final List<Double> FADES = List.of(0.5, 0.8, 0.95);

  private static final List<Double> CONCENTRATIONS = List.of(10.0, 100.0);

  /** All that are averaged over, beside the plain estimate. */
  static final List<Model> ALL = all();

  /** Windows that the uniform guess is worth in a mean. */
  private static final double UNIFORM = 0.03;

  private static List<Model> all() {
    List<Model> all = new ArrayList<>();
    for (int pace = 0; pace < FADES.size(); pace++) {
      for (double concentration : CONCENTRATIONS) {
        all.add(new Model(pace, concentration));
      }
    }
    return List.copyOf(all);
  }

  /** The faded mean of one category's earlier shares, where the past is of shares; above 0. */
  double share(ReleaseHistory past, int category) {
    double weight = past.weight(pace);
    return (past.share(pace, category) + UNIFORM / past.categories()) / (weight + UNIFORM);
  }

  /**
   * Of one category's count among some records, where the past is of shares.
   *
   * @param records of all categories, above 0
   */
  CountPrior ofShare(ReleaseHistory past, int category, double records) {
    double share = share(past, category);
    return new NegativeBinomial(records * share, Math.max(1, concentration * share));
  }

  /**
   * Of one count, where the past is of counts: it scatters by one part in the root of the
   * concentration around their mean.
   *
   * @param guess of counts before there is a past, above 0
   */
  CountPrior ofCount(ReleaseHistory past, int category, double guess) {
    double mean = (past.share(pace, category) + UNIFORM * guess) / (past.weight(pace) + UNIFORM);
    return new NegativeBinomial(mean, concentration);
  }
}
